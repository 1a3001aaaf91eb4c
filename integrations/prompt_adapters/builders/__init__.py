"""The documented prompt systems, under the names that their users know.

=============================================  ==================================================================
`PromptAssetStore`                             prompts as YAML files by id and version; pipeline configurations
`SimplePrompt`, `convert_messages_to_gemini`   ``.prompt`` files to OpenAI messages, and those to Gemini contents
`format_prompt`                                ``{key}`` in message templates
`TextPromptAdapter`                            the standardized prompt format, step by step
=============================================  ==================================================================
"""

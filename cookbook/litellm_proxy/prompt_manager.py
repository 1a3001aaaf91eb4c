"""The prompts of the folder beside this file, for LiteLLM's proxy: config.yaml names the manager."""

from pathlib import Path

from prompt_adapters.litellm import PromptAdaptersManager

manager = PromptAdaptersManager(Path(__file__).parent / "prompts")

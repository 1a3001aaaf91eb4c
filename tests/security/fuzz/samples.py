"""Files of the formats with what the package itself does not write."""

# ruff: noqa: E501 - files as they are

from __future__ import annotations

from collections.abc import Mapping

MORE: Mapping[str, list[bytes]] = {
    "promptfoo": [
        b"prompts:\n- file://a.json\n- 'x {{ y }}'\n- {raw: z, label: l, config: {temperature: 1}}\nproviders: [p]\n"
        b"defaultTest: {vars: {y: 1}}\n",
        b'[{"role": "system", "content": "s"}, {% for m in _conversation %}'
        b'{"role": "user", "content": "{{ m.input }}"},{% endfor %}{"role": "user", "content": "{{ q | dump }}"}]',
        b"a {{ x }}\n---\nb\n",
    ],
    "prompty": [
        b"---\nname: n\nmodel:\n  id: gpt-4o\n  options: {temperature: 0, maxOutputTokens: 9}\ninputs:\n"
        b"- {name: q, kind: string, default: x}\n- {name: p, kind: image}\n- {name: c, kind: thread}\n---\nsystem:\ns\n"
        b"{{ c }}\nuser:\n{{ q }} {{ p }}\n![a](b.png)\nassistant[name=x]:\na\n",
        b"---\nname: ${file:b.json}\nmodel:\n  api: chat\n  configuration: {type: azure_openai, k: '${env:KEY}'}\n"
        b"  parameters: {max_tokens: 9}\nsample:\n  q: x\ntemplate: {format: mustache}\n---\nuser:\n{{#q}}a{{/q}}\n",
    ],
    "banks": [
        b'{% chat role="system" %}s{% endchat %}\n{% chat role="user" %}{{ q }} {{ p | image }} {{ "x" | tool }}\n'
        b"{% completion %}{% endcompletion %}{% endchat %}",
    ],
    "dotprompt": [
        b"---\nmodel: googleai/gemini-2.5-flash\nconfig: {temperature: 0.5}\ninput:\n  schema:\n    q: string, words\n"
        b"    n?: number\n    tags(array): string\n    who(object): {name: string, kind(enum): [a, b]}\n    (*): any\n"
        b'  default: {q: x}\noutput: {format: json, schema: {a: string}}\n---\n{{role "system"}}s {{#if q}}{{q}}{{else}}-'
        b'{{/if}}{{#each tags}}{{@index}} {{this}}{{/each}}{{history}}{{role "user"}}{{media url=p}}{{#with who}}{{name}}'
        b"{{/with}}{{{q}}}{{!-- c --}}{{json who}}{{#unless n}}~{{/unless}}{{>head a=q}}\n",
        b"---\ninput: {schema: {type: object, properties: {a: {type: string}}, required: [a]}}\n---\n{{a}}{{@state.b}}"
        b'{{section "x"}}{{#ifEquals a "b"}}c{{/ifEquals}}<<<dotprompt:role:model>>>m<<<dotprompt:history>>>',
    ],
    "langchain": [
        b'{"lc": 1, "type": "constructor", "id": ["langchain", "prompts", "chat", "ChatPromptTemplate"], "kwargs": '
        b'{"input_variables": ["q"], "messages": [{"lc": 1, "type": "constructor", "id": ["langchain", "prompts", "chat", '
        b'"HumanMessagePromptTemplate"], "kwargs": {"prompt": {"lc": 1, "type": "constructor", "id": ["langchain", '
        b'"prompts", "prompt", "PromptTemplate"], "kwargs": {"input_variables": ["q"], "template": "a {q}", '
        b'"template_format": "f-string", "partial_variables": {"z": "1"}}}}}, {"lc": 1, "type": "constructor", "id": '
        b'["langchain", "prompts", "chat", "MessagesPlaceholder"], "kwargs": {"variable_name": "h", "optional": true}}, '
        b'{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": '
        b'"x", "tool_calls": []}}]}}',
        b'{"_type": "prompt", "input_variables": ["q"], "template": "a {q!r:>9}", "template_format": "jinja2"}',
        b'{"_type": "few_shot", "examples": [{"i": "a", "o": "b"}], "example_prompt": {"_type": "prompt", '
        b'"input_variables": ["i", "o"], "template": "{i}{o}"}, "suffix": "{q}", "input_variables": ["q"]}',
        b'{"lc": 1, "type": "secret", "id": ["OPENAI_API_KEY"]}',
        b'{"lc": 1, "type": "constructor", "id": ["langchain_core", "runnables", "base", "RunnableLambda"], "kwargs": {}}',
    ],
    "messages": [b'[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "{url}"}}, "t"]}]'],
}

"""The public names, what importing them costs, and that every adapter is registered."""

import subprocess
import sys
from pathlib import Path

import pytest

import prompt_adapters
from prompt_adapters import PROMPT_ADAPTER_REGISTRY

PUBLIC = [
    "Prompt", "Message", "FewShot", "Variable", "History",
    "Text", "Image", "Audio", "Video", "Document", "ToolCall", "ToolResult",
    "load_prompt", "save_prompt",
    "get_adapter", "adapter_for", "from_request", "route",
    "PROMPT_ADAPTER_REGISTRY", "BasePromptAdapter", "MessageAdapter", "Prepared",
    "OpenAIStylePromptAdapter", "AnthropicStylePromptAdapter", "GoogleGenAIStylePromptAdapter",
    "OpenAIResponsesStylePromptAdapter", "BedrockStylePromptAdapter",
    "MistralStylePromptAdapter", "CohereStylePromptAdapter", "OllamaStylePromptAdapter",
    "SimplePrompt", "TextPromptAdapter", "PromptAssetStore", "format_prompt", "convert_messages_to_gemini",
    "ImageWrapper", "SEPARATOR_RULES", "get_separator", "parse_data_url",
    "PromptAdapterError", "__version__",
]  # fmt: skip

HEAVY = (
    "litellm",
    "langchain_core",
    "langsmith",
    "PIL",
    "openai",
    "anthropic",
    "google.genai",
    "botocore",
    "mistralai",
    "cohere",
    "ollama",
    "httpx",
    "yaml",
)

# What importing the three names, and a first request of text, has no need of: from the standard library, and tables.
RARE = (
    "asyncio",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "hashlib",
    "inspect",
    "ipaddress",
    "logging",
    "pathlib",
    "urllib",
    "zipfile",
    "jinja2",
    "prompt_adapters.targets.limit_rows",
    "prompt_adapters.targets.names",
    "prompt_adapters.targets.providers",
)
THREE_NAMES = "from prompt_adapters import Prompt, Image, get_adapter"
FIRST_REQUESTS = {
    "three names": THREE_NAMES,
    "request": (
        f"{THREE_NAMES}\n"
        "get_adapter('openai_style').build_request(Prompt(system='Be {{ how }}.', user='{{ x }}'), how='brief', x='y')"
    ),
}

STATEMENTS = {
    "import": "import prompt_adapters",
    "faces": "import prompt_adapters.langchain, prompt_adapters.litellm",
    "render": (
        "from prompt_adapters import Prompt\nPrompt(system='Be {{ how }}.', user='{{ x }}').render(how='brief', x='y')"
    ),
    "build_request": (
        "from prompt_adapters import Prompt, get_adapter\n"
        "prompt = Prompt(system='Be brief.', user='{{ x }}')\n"
        "styles = ['openai_style', 'openai_responses_style', 'anthropic_style', 'google_style', 'bedrock_style']\n"
        "for style in [*styles, 'mistral_style', 'cohere_style', 'ollama_style']:\n"
        "    adapter = get_adapter(style)\n"
        "    adapter.build_request(prompt, x='y'), adapter.build_body(prompt, x='y')"
    ),
    "adapter_for": (
        "from prompt_adapters import Prompt, adapter_for\n"
        "for model in ('gpt-4o', 'anthropic/claude-sonnet-4-5', 'gemini/gemini-2.5-flash'):\n"
        "    adapter_for(model).build_request(Prompt(user='{{ x }}'), x='y')"
    ),
}


def test_public_names_are_pinned() -> None:
    assert sorted(prompt_adapters.__all__) == sorted(PUBLIC)
    for name in PUBLIC:
        assert getattr(prompt_adapters, name) is not None
    assert set(PUBLIC) <= set(dir(prompt_adapters))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Promt'"):
        prompt_adapters.Promt  # noqa: B018 - the point of the test


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_text_needs_no_heavy_import(statement: str) -> None:
    check = f"{statement}\nimport sys\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]", result.stdout


@pytest.mark.parametrize("statement", FIRST_REQUESTS.values(), ids=FIRST_REQUESTS)
def test_a_first_request_imports_only_what_it_needs(statement: str) -> None:
    check = f"import sys\nbefore = {{*sys.modules}}\n{statement}\nprint(*({{*sys.modules}} - before))"
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    loaded = set(result.stdout.split())
    assert "prompt_adapters.adapters.base" in loaded
    assert sorted(loaded & set(RARE)) == []


def test_every_adapter_file_is_registered() -> None:
    homes = {PROMPT_ADAPTER_REGISTRY.get(key).__module__ for key in PROMPT_ADAPTER_REGISTRY}
    folder = Path(prompt_adapters.__file__).parent / "adapters"
    files = {
        f"prompt_adapters.adapters.{path.stem}"
        for path in folder.glob("*.py")
        if "\n@PROMPT_ADAPTER_REGISTRY.register(" in path.read_text(encoding="utf-8")
    }
    assert files
    assert files == {home for home in homes if home.startswith("prompt_adapters.")}

"""The face costs nothing until it is used."""

import subprocess
import sys

import pytest

from prompt_adapters import langchain as face

NAMES = [
    "AdapterPromptTemplate",
    "AdapterPromptValue",
    "AdapterRunnable",
    "AdapterStringPromptTemplate",
    "AnthropicStylePromptTemplate",
    "BedrockStylePromptTemplate",
    "CohereStylePromptTemplate",
    "GoogleStylePromptTemplate",
    "LiteLLMStylePromptTemplate",
    "MistralStylePromptTemplate",
    "OllamaStylePromptTemplate",
    "OpenAIResponsesStylePromptTemplate",
    "OpenAIStylePromptTemplate",
    "PromptMiddleware",
    "StructuredAdapterPromptTemplate",
    "checkpoint_types",
    "from_langchain",
    "load",
    "prompt_node",
    "to_langchain",
]


def test_public_names_are_pinned() -> None:
    assert sorted(face.__all__) == NAMES
    assert set(NAMES) <= set(dir(face))
    assert all(getattr(face, name).__name__ == name for name in NAMES)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Promt'"):
        face.Promt  # noqa: B018 - the point of the test


STATEMENTS = {
    "the package": "import prompt_adapters",
    "the face": "import prompt_adapters.langchain as face; dir(face)",
    "rendering and requests": (
        "from prompt_adapters import Prompt, get_adapter\n"
        "prompt = Prompt(system='s', user='{{ x }}')\n"
        "prompt.render(x='1')\n"
        "get_adapter('openai_style').build_request(prompt, x='1')"
    ),
}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_langchain_is_imported_only_when_a_class_is_used(statement: str) -> None:
    check = (
        f"{statement}\nimport sys\nprint([n for n in ('langchain_core', 'langsmith', 'litellm') if n in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_the_template_imports_neither_litellm_nor_an_image_library() -> None:
    check = (
        "from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable\n"
        "chain = AdapterPromptTemplate.from_template('{x}') | AdapterRunnable('openai_style')\n"
        "chain.invoke({'x': '1'})\n"
        "import sys; print([n for n in ('litellm', 'PIL', 'openai') if n in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"

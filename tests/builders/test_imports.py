"""What the documented systems cost to import, and that a text needs no other library."""

import subprocess
import sys

import pytest

HEAVY = ("litellm", "langchain_core", "PIL", "openai", "anthropic", "google.genai", "httpx", "yaml", "pydantic")

STATEMENTS = {
    "SimplePrompt": (
        "from prompt_adapters import SimplePrompt, convert_messages_to_gemini\n"
        "convert_messages_to_gemini(SimplePrompt.from_string('$user$\\nHi %name%').build_messages(name='Bo'))"
    ),
    "format_prompt": "from prompt_adapters import format_prompt\nformat_prompt([{'content': '{a}'}], {'a': 1})",
    "TextPromptAdapter": (
        "import tempfile\n"
        "from prompt_adapters import TextPromptAdapter, load_prompt\n"
        "folder = tempfile.mkdtemp()\n"
        "TextPromptAdapter().set_user_prompt('Hi {{ name }}').adapt().save(folder)\n"
        "TextPromptAdapter.from_prompt(load_prompt(folder)).to_prompt().render(name='Bo')"
    ),
    "PromptAssetStore": "from prompt_adapters import PromptAssetStore\nPromptAssetStore('assets').ids()",
}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_text_needs_no_heavy_import(statement: str) -> None:
    check = f"{statement}\nimport sys\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]", result.stdout

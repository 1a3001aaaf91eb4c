"""Failures that people reported with LangChain's prompts, each as a small input of its kind, through the templates."""

from __future__ import annotations

import asyncio
import base64
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.load import dumps
from langchain_core.messages import HumanMessage
from langchain_core.prompts import ChatPromptTemplate, FewShotPromptTemplate, PromptTemplate
from PIL import Image as Pillow

from prompt_adapters import FewShot, History, Image, Message, Prompt
from prompt_adapters.errors import (
    MediaError,
    MissingVariableError,
    PromptAdapterError,
    TemplateError,
    UnsafeTemplateError,
    UnsupportedContentError,
)
from prompt_adapters.langchain import AdapterPromptTemplate, from_langchain, load

PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"
PICTURE = {"type": "image_url", "image_url": {"url": "{u}"}}
WAV = b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0\x80>\0\0\x02\0\x10\0data\0\0\0\0"


def picture(kind: str) -> bytes:
    file = io.BytesIO()
    Pillow.new("RGB", (30, 20), "red").save(file, kind)
    return file.getvalue()


def pictured(url: Any) -> AdapterPromptTemplate:
    return AdapterPromptTemplate.from_messages([("user", ["q", PICTURE])]).partial(u=url)


def texts(template: Any, values: dict[str, Any]) -> list[str]:
    return [str(message.content) for message in template.invoke(values).to_messages()]


@pytest.mark.parametrize("label", ["image/jpg", "image/pjpeg", "image/png", "image/jpeg;charset=utf-8"])
def test_the_type_comes_from_the_bytes(label: str) -> None:
    """IMG-01, IMG-02: BerriAI/litellm#24900, NousResearch/hermes-agent#55432. A label that the bytes belie."""
    url = f"data:{label};base64,{base64.b64encode(picture('JPEG')).decode()}"
    (message,) = pictured(url).for_model("anthropic/claude-sonnet-4-5").invoke({}).to_messages()
    assert "'image/jpeg'" in str(message.content)
    request = pictured(url).invoke({}).to_request("bedrock_style")
    assert request["messages"][0]["content"][1]["image"]["format"] == "jpeg"


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_base64_in_lines_is_sent_in_one(line_break: str) -> None:
    """IMG-08: Intervention/image#983. Base64 wrapped as MIME encoders do."""
    lines = base64.encodebytes(picture("PNG")).decode().replace("\n", line_break)
    value = pictured(f"data:image/png;base64,{lines}").invoke({})
    assert value.native == (Message("user", ["q", Image(picture("PNG"))]),)
    assert line_break not in str(value.to_messages()[0].content[1])


@pytest.mark.parametrize(
    "value", ["/etc/hostname", "file:///etc/hostname", "~/x.png", "C:\\x.png", {"path": "/etc/hostname"}]
)
def test_no_value_chooses_a_file(value: Any) -> None:
    """IMG-42: langchain-ai/langchain#27797. A path that a caller can set."""
    with pytest.raises(PromptAdapterError):
        pictured(value).invoke({})
    declared = Prompt(user=[{"type": "image", "variable": "u"}])
    with pytest.raises(PromptAdapterError):
        AdapterPromptTemplate.from_prompt(declared).invoke({"u": value})


INSIDE = ["http://169.254.169.254/x.png", "http://10.0.0.1/x.png", "http://[::1]/x.png", "http://2130706433/x.png"]


@pytest.mark.parametrize("url", INSIDE)
def test_a_link_stays_a_link(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """IMG-48, PRF-07: langchain-ai/langchain#24442, langchain-ai/langchain-google#1544. Nothing is fetched unasked."""
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("a connection was made"))
    template = pictured(url)
    assert template.invoke({}).to_messages() == asyncio.run(template.ainvoke({})).to_messages()
    assert template.invoke({}).native[0].parts[1] == Image(url)


def test_ollama_gets_no_link() -> None:
    """IMG-53: BerriAI/litellm#30313. A link put where base64 belongs."""
    with pytest.raises(UnsupportedContentError, match=r"message 1 \(user\)"):
        pictured("https://img.example/p/1.png").for_model("ollama/llava").invoke({})


def test_an_empty_text_is_left_out() -> None:
    """MSG-04: BerriAI/litellm#23835. Text content blocks must be non-empty."""
    template = AdapterPromptTemplate.from_messages([("user", [{"type": "text", "text": "{a}"}, PICTURE])])
    value = template.invoke({"a": "", "u": "https://example.org/a.png"})
    assert [part.kind for part in value.native[0].parts] == ["image"]
    with pytest.raises(PromptAdapterError, match=r"message 1 \(user\)"):
        AdapterPromptTemplate.from_template("{a}").invoke({"a": ""}).to_request("anthropic_style")


def test_several_system_texts_are_one_for_claude() -> None:
    """MSG-12: langchain-ai/langchain#28164. Several system texts at the start."""
    template = AdapterPromptTemplate.from_messages([("system", "{a}"), ("system", "B"), ("user", "q")])
    request = template.invoke({"a": "A"}).to_request("anthropic_style")
    assert [message["role"] for message in request["messages"]] == ["user"]
    assert str(request["system"]).index("A") < str(request["system"]).index("B")


def test_the_type_of_a_document_need_not_be_said() -> None:
    """MSG-30: langchain-ai/docs#2007, #1672. No type given: octet-stream, or refused."""
    block = {"type": "file", "base64": "{b}", "mime_type": "{m}"}
    template = AdapterPromptTemplate.from_messages([("user", ["q", block])])
    data = base64.b64encode(PDF).decode()
    for mime in ("application/pdf", "application/octet-stream"):
        assert "application/pdf" in str(template.invoke({"b": data, "m": mime}).to_request("openai_style"))
    html = base64.b64encode(b"<html><body>Not found</body></html>").decode()
    with pytest.raises(MediaError, match="text/html"):
        template.invoke({"b": html, "m": "application/pdf"})


@pytest.mark.parametrize("mime", ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/mpeg"])
def test_the_format_of_a_sound_is_one_that_is_taken(mime: str) -> None:
    """MSG-31: zouharvi/last-translation-benchmark#201. A format made from the type."""
    block = {"type": "audio", "base64": "{b}", "mime_type": "{m}"}
    template = AdapterPromptTemplate.from_messages([("user", ["q", block])])
    request = template.invoke({"b": base64.b64encode(WAV).decode(), "m": mime}).to_request("openai_style")
    assert request["messages"][0]["content"][1]["input_audio"]["format"] == "wav"


def test_importing_the_package_imports_no_langchain() -> None:
    """PRF-01: comet-ml/opik#1524. Importing takes seconds."""
    heavy = "('litellm', 'langchain_core', 'PIL', 'openai', 'anthropic')"
    code = f"import prompt_adapters.langchain, sys; print([m for m in {heavy} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.strip() == "[]"


def test_a_chat_prompt_is_kept(tmp_path: Path) -> None:
    """SER-05: langchain-ai/langchain#32637, #13794. ChatPromptTemplate.save is not implemented."""
    from prompt_adapters import save_prompt

    turns = [("system", "s {a}"), ("user", "h {b}"), ("assistant", "c"), ("user", "{d}")]
    template = AdapterPromptTemplate.from_messages(turns)
    save_prompt(template.prompt, tmp_path / "prompt")
    assert AdapterPromptTemplate.from_path(tmp_path / "prompt") == template
    assert load(dumps(template)) == template


@pytest.mark.parametrize("optional", [True, False])
def test_a_place_for_history_survives_a_dump(optional: bool) -> None:
    """SER-07: langchain-ai/langchain#24513. A placeholder does not survive dumpd and load."""
    placeholder = ("placeholder", ["{history}", optional])
    template = load(dumps(AdapterPromptTemplate.from_messages([("system", "foo"), placeholder, ("user", "baz")])))
    assert template.prompt.messages[1] == History("history", required=not optional)
    assert len(template.invoke({"history": [("human", "a")]}).to_messages()) == 3
    if optional:
        assert len(template.invoke({}).to_messages()) == 2
    else:
        with pytest.raises(MissingVariableError, match="'history'"):
            template.invoke({})


@pytest.mark.parametrize(
    "note", [{"lc": 1, "type": "secret", "id": ["HOME"]}, {"lc": 1, "type": "constructor", "id": []}]
)
def test_data_shaped_like_objects_stay_data(note: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """SER-10: langchain-ai/langchain#34455. User data are revived as objects, and read secrets."""
    monkeypatch.setenv("HOME", "/secret")
    template = load(dumps(AdapterPromptTemplate.from_template("{note}{q}").partial(note=note)))
    assert template.partial_variables == {"note": note}
    assert '"lc": 1' in texts(template, {"q": "?"})[0]
    value = AdapterPromptTemplate.from_template("{note}").invoke({"note": note})
    assert load(dumps(value)).to_messages() == value.to_messages()


def test_empty_and_numbered_braces_are_named() -> None:
    """TPL-02: langchain-ai/langchain#32702. Empty braces give "missing variables {''}"."""
    text = "Use {} and {0} and {{}} for {name}"
    template = AdapterPromptTemplate.from_template(text, template_format="braces")
    assert texts(template, {"name": "Ada"}) == ["Use {} and {0} and {{}} for Ada"]
    with pytest.raises(TemplateError, match=r"message 1.*'\{\}' is not a slot"):
        AdapterPromptTemplate.from_template(text)


LATEX = [
    {"input": "S = {1; 2}", "output": "{2}"},
    {"input": "\\sum_{i=1}^{n} x_i", "output": "sum"},
    {"input": "{input}", "output": "{{ 7*7 }}"},
]


def test_braces_in_examples_come_out_byte_for_byte() -> None:
    """TPL-03: langchain-ai/langchain#2757, #8433. Values of examples are formatted a second time."""
    pairs = [text for example in LATEX for text in example.values()]
    template = AdapterPromptTemplate.from_prompt(Prompt(user="{{ input }}", few_shot=FewShot(LATEX)))
    assert texts(template, {"input": "{x}"}) == [*pairs, "{x}"]
    line = PromptTemplate.from_template("{input} = {output}")
    theirs = FewShotPromptTemplate(examples=LATEX, example_prompt=line, suffix="{input}", example_separator="\n")
    lines = [f"{example['input']} = {example['output']}" for example in LATEX]
    assert from_langchain(theirs).format(input="{x}") == "\n".join([*lines, "{x}"])
    with pytest.raises(KeyError):
        theirs.format(input="{x}")


@pytest.mark.parametrize("values", [{"a": "{b}", "b": "SECRET"}, {"b": "SECRET", "a": "{b}"}], ids=["ab", "ba"])
@pytest.mark.parametrize("template_format", ["f-string", "jinja2", "mustache"])
def test_a_value_is_not_substituted_again(values: dict[str, str], template_format: str) -> None:
    """TPL-05: UKGovernmentBEIS/inspect_ai#3649. A value that holds another placeholder."""
    text = "A={a} B={b}" if template_format == "f-string" else "A={{a}} B={{b}}"
    assert texts(AdapterPromptTemplate.from_template(text, template_format), values) == ["A={b} B=SECRET"]


@pytest.mark.parametrize("template_format", ["jinja2", "mustache"])
def test_a_misspelt_variable_is_no_empty_hole(template_format: str) -> None:
    """TPL-07: comet-ml/opik#759. LangChain's jinja2 and mustache render nothing."""
    template = AdapterPromptTemplate.from_template("Summarise: {{text_summary}}", template_format)
    with pytest.raises(MissingVariableError, match=r"'text_summary'.*'text' was given but is used nowhere"):
        template.invoke({"text": "hello"})


def test_extra_values_are_ignored() -> None:
    """TPL-08: langchain-ai/langchain#3140, #11973. Unknown variables are ignored, as there."""
    assert texts(AdapterPromptTemplate.from_template("Hi {name}"), {"name": "Ada", "nmae": "x"}) == ["Hi Ada"]


@pytest.mark.parametrize("expression", ["''.__class__.__mro__", "x.__init__.__globals__", "x.secret"])
def test_jinja_reaches_nothing(expression: str) -> None:
    """TPL-17: langchain-ai/langchain#4394. A prompt with Jinja runs code."""
    template = AdapterPromptTemplate.from_template(f"{{{{ {expression} }}}}{{{{ x }}}}", "jinja2")
    with pytest.raises((UnsafeTemplateError, TemplateError)):
        template.invoke({"x": "v"})
    with pytest.raises(PromptAdapterError, match="template format 'python'"):
        AdapterPromptTemplate.from_template("x", "python")


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_the_end_of_the_text_stays(end: str) -> None:
    """TPL-18: pallets/jinja#848. Jinja takes one newline off the end of the prompt."""
    assert texts(AdapterPromptTemplate.from_template("Q: {{q}}" + end, "jinja2"), {"q": "x"}) == [f"Q: x{end}"]
    lost = ChatPromptTemplate([("human", "Q: {{q}}" + end)], template_format="jinja2")
    assert lost.invoke({"q": "x"}).to_messages() == [HumanMessage(f"Q: x{end[1:]}")]


def test_nothing_is_escaped_for_html() -> None:
    """TPL-19: topoteretes/cognee#4115. Quotes and angle brackets reach the model as entities."""
    value = "if a < b && c > \"d\" then 'e'"
    for template_format in ("mustache", "jinja2"):
        assert texts(AdapterPromptTemplate.from_template("{{t}}", template_format), {"t": value}) == [value]

"""Values as a client sends them who has only JSON: what is media, what stays text, and what is refused."""

import base64
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from prompt_adapters import Document, History, Image, Message, Prompt, Text, Variable
from prompt_adapters.errors import MediaError, TemplateError
from prompt_adapters.litellm.prompt_values import declared_kinds, read_values
from strategies import PNG

B64 = base64.b64encode(PNG).decode()
DATA = f"data:image/png;base64,{B64}"
PDF = base64.b64encode(b"%PDF-1.4\n%%EOF").decode()
FREE = Prompt(user="Look: {{ x }}")
BLOCK = Prompt(user=[{"type": "image", "variable": "x"}])
DECLARED = Prompt(user="Look: {{ x }}", variables=[Variable("x", type="image")])
TEXT = Prompt(user="Look: {{ x }}", variables=[Variable("x", type="text")])
LINK = Image.from_url("https://example.org/a?b=c")


def test_what_a_prompt_says_of_its_variables() -> None:
    prompt = Prompt(
        messages=[
            Message("system", "literal"),
            History("chat"),
            ("user", [{"type": "audio", "variable": "sound"}, {"type": "text", "content": "{{ word }} {{ page }}"}]),
        ],
        variables=[Variable("page", type="document"), Variable("sound", type="text")],
    )
    assert declared_kinds(prompt) == {"page": "document", "sound": "audio", "chat": "messages"}


@pytest.mark.parametrize("prompt", [FREE, BLOCK, DECLARED], ids=["free", "block", "declared"])
@pytest.mark.parametrize(
    ("value", "part"),
    [
        ({"type": "image", "url": DATA}, Image(PNG)),
        ({"type": "image", "url": "https://example.org/a?b=c"}, LINK),
        ({"type": "image", "base64": B64}, Image(PNG)),
        ({"type": "image", "base64": B64, "mime_type": "image/png", "detail": "low"}, Image(PNG, detail="low")),
        ({"type": "image", "file_id": "file-abc123"}, Image.from_uploaded("file-abc123")),
        ({"base64": B64, "mime_type": "image/png"}, Image(PNG)),
        ({"base64": B64, "mime": "image/png"}, Image(PNG)),
        ({"base64": B64}, Image(PNG)),
        ({"url": DATA}, Image(PNG)),
        ({"url": "https://example.org/a.png?b"}, Image.from_url("https://example.org/a.png?b")),
        ({"type": "image_url", "image_url": {"url": DATA, "detail": "high"}}, Image(PNG, detail="high")),
        (Image(PNG), Image(PNG)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_media(prompt: Prompt, value: Any, part: Any) -> None:
    assert read_values(prompt, {"x": value}) == {"x": part}
    assert read_values(prompt, {"x": [value, value]}) == {"x": [part, part]}


def test_a_type_that_only_the_prompt_tells() -> None:
    assert read_values(DECLARED, {"x": {"url": "https://example.org/a?b=c"}}) == {"x": LINK}
    assert read_values(BLOCK, {"x": DATA}) == {"x": Image(PNG)}
    assert read_values(DECLARED, {"x": [DATA, DATA]}) == {"x": [Image(PNG), Image(PNG)]}


def test_documents_keep_their_names() -> None:
    value = {"type": "document", "base64": PDF, "name": "a.pdf", "title": "A"}
    assert read_values(FREE, {"x": value}) == {"x": Document(base64.b64decode(PDF), name="a.pdf", title="A")}
    assert read_values(FREE, {"x": {"base64": PDF, "mime_type": "application/pdf"}}) == {
        "x": Document(base64.b64decode(PDF))
    }


@pytest.mark.parametrize(
    "value",
    [
        "",
        "/etc/hostname",
        "https://example.org/a.png",
        DATA,
        B64,
        '{"type": "image", "url": "https://example.org/a.png"}',
        {"title": "A page", "url": "https://example.org/a.png"},
        {"name": "Ada", "type": "person"},
        {"type": "image", "title": "without content"},
        {"type": ["image"], "url": "https://example.org/a.png"},
        {"type": "text", "text": "hi"},
        {},
        [],
        ["a", {"b": 1}],
        [[{"type": "image", "url": "https://example.org/a.png"}]],
        7,
        True,
        None,
    ],
    ids=lambda value: str(value)[:40],
)
def test_everything_else_stays_what_it_is(value: Any) -> None:
    assert read_values(FREE, {"x": value}) == {"x": value}


def test_a_variable_that_is_text_or_messages_is_left_as_it_is() -> None:
    medium = {"type": "image", "url": DATA}
    assert read_values(TEXT, {"x": medium}) == {"x": medium}
    chat = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": DATA}}]}]
    prompt = Prompt(messages=[History("chat"), ("user", "Go")])
    assert read_values(prompt, {"chat": chat}) == {"chat": chat}


def test_nobody_elses_objects_change() -> None:
    values = {"x": [{"type": "image", "url": DATA}], "y": {"z": [1]}}
    before = {"x": [{"type": "image", "url": DATA}], "y": {"z": [1]}}
    read_values(FREE, values)
    assert values == before


@pytest.mark.parametrize(
    ("prompt", "value", "reason"),
    [
        (BLOCK, "a harbour", "variable 'x' holds image content, and 'a harbour' is text; send a data URL"),
        (DECLARED, "https://example.org/a.png", "holds image content"),
        (DECLARED, ["/etc/hostname"], "variable 'x', element 0 holds image content"),
        (FREE, {"type": "image", "url": DATA, "base64": B64}, "both 'url' and 'base64'"),
        (FREE, {"type": "image", "url": DATA, "path": "/etc"}, "a medium has no 'path'"),
        (FREE, {"type": "image", "url": 7}, "7 is neither a URL nor a data URL"),
        (FREE, {"type": "image", "url": "/etc/hostname"}, "neither a URL nor a data URL"),
        (FREE, {"type": "image", "url": "file:///etc/hostname"}, "is not a link"),
        (FREE, {"type": "image", "url": "data:image/png;base64,AAAA"}, "variable 'x'"),
        (FREE, {"type": "image", "base64": 7}, "malformed medium of kind image"),
        (FREE, {"type": "image", "base64": "?"}, "base64"),
        (FREE, {"type": "image", "base64": B64, "mime_type": 7}, "a type is a text"),
        (FREE, {"type": "image", "base64": B64, "title": "A"}, "malformed medium of kind image"),
        (FREE, {"type": "image", "file_id": 7}, "malformed medium of kind image"),
        (FREE, {"url": "https://example.org/a?b=c"}, 'cannot be told what this is; add "type"'),
        (FREE, {"type": "image_url", "image_url": {"path": "/etc"}}, "malformed 'image_url' block"),
        (FREE, {"type": "image", "base64": PDF}, "image"),
        (BLOCK, {"type": "document", "base64": PDF}, "variable 'x' holds image content, not document"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_refused_by_name(prompt: Prompt, value: Any, reason: str) -> None:
    with pytest.raises((TemplateError, MediaError)) as caught:
        read_values(prompt, {"x": value})
    assert str(caught.value).count("variable 'x'") == 1
    assert reason in str(caught.value)


def test_no_path_is_read(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    Pillow.new("RGB", (2, 2)).save(picture)
    for value in (str(picture), {"type": "image", "title": str(picture)}):
        messages = FREE.render(read_values(FREE, {"x": value}))
        assert all(isinstance(part, Text) for part in messages[0].parts)
    for url in (str(picture), f"file://{picture}"):
        with pytest.raises(MediaError):
            read_values(FREE, {"x": {"type": "image", "url": url}})

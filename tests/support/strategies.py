"""Hypothesis strategies for prompts and what they are made of; import them as ``from strategies import prompts``.

Each strategy is made once, since making one costs more than drawing from it.
"""

import base64
import struct
from functools import cache

from hypothesis import strategies as st

from prompt_adapters import (
    Audio,
    Document,
    FewShot,
    History,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    ToolResult,
    Variable,
    Video,
)
from prompt_adapters.content.parts import Part
from prompt_adapters.errors import TemplateError
from prompt_adapters.few_shot import FEW_SHOT_FORMATS, Example
from prompt_adapters.templates import SYNTAXES, compile_template
from prompt_adapters.turns import Entry, Turn

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
GIF = base64.b64decode("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=")
WAV = b"RIFF" + struct.pack("<I", 44) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
WAV += b"data" + struct.pack("<I", 8) + bytes(8)
MP4 = struct.pack(">I", 24) + b"ftypisom" + struct.pack(">I", 0) + b"isommp41" + struct.pack(">I", 8) + b"mdat"
PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"

NAMES = ("x", "review", "photo", "name_2", "变量")
SLOTS = {
    "jinja": "{{{{ {} }}}}",
    "plain": "{{{{ {} }}}}",
    "mustache": "{{{{{}}}}}",
    "percent": "%{}%",
    "braces": "{{{}}}",
    "f-string": "{{{}}}",
    "none": "{}",
}
TRICKY = (
    "\n", "\r\n", "\r", " ", "\t", "\n\n", "\x00", "\ufeff", "\u2028", "\x85", "é", "🚀", "\\", '"', "---\n",
    "{", "}", "{{", "}}", "{%", "%}", "{#", "#}", "{ x }", "{{ x }}", "{{x}}", "%x%", "%%",
    "$user$\n", '{"k": {"x": 1}}',
    "**Examples**\n", "\n\n**Examples**\n", "\n\n**Examples**\n\n", "Example 1:\nInput: a\nOutput: b",
    "\n\n**Examples**\nExample 1:\nInput: a\nOutput: b", "\n\n**Examples**\n\nExample 1:\nInput: a\nOutput: b\n",
    "\nOutput: ", "\n\nExample 2:\nInput: ", "\n\nExample 2:",
    "\r\n\r\n**Examples**\r\nExample 1:\r\nInput: a\r\nOutput: b",
)  # fmt: skip


@cache
def texts(max_size: int = 5) -> st.SearchStrategy[str]:
    """Any text that a file can hold, rich in what files and templates could take for something else."""
    anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
    return st.lists(st.sampled_from(TRICKY) | anything, max_size=max_size).map("".join)


@cache
def templates(syntax: str) -> st.SearchStrategy[str]:
    """Templates of a syntax, with and without slots."""
    slots = st.sampled_from(NAMES).map(SLOTS[syntax].format)
    return st.lists(texts(2) | slots, max_size=4).map("".join).map(lambda text: _compiling(text, syntax))


def _compiling(text: str, syntax: str) -> str:
    try:
        compile_template(text, syntax)
    except TemplateError:
        text = text.replace("{", "(").replace("}", ")")
        compile_template(text, syntax)
    return text


@cache
def json_data() -> st.SearchStrategy[object]:
    """Plain JSON data."""
    leaves = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        leaves | texts(2),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts(1), inner, max_size=2),
        max_leaves=4,
    )


@cache
def objects() -> st.SearchStrategy[dict[str, object]]:
    """Plain JSON objects."""
    return st.dictionaries(texts(1), json_data(), max_size=2)


@cache
def media() -> st.SearchStrategy[Part]:
    """Media parts of all kinds and sources, with every field."""
    cache = st.booleans()
    images = st.builds(
        Image,
        st.sampled_from([PNG, GIF]),
        detail=st.sampled_from([None, "low", "high"]),
        mime=st.sampled_from([None, "image/png", "image/jpeg"]),
        cache=cache,
    )
    links = st.sampled_from(["https://example.org/a.png?b=c", "gs://bucket/a", "HTTP://example.org/é"])
    documents = st.builds(
        Document,
        st.just(PDF)
        | texts(2).filter(str.strip).filter(lambda text: "\x00" not in text).map(str.encode).filter(_is_document),
        name=st.none() | texts(1),
        title=st.none() | texts(1),
        cache=cache,
    )
    return st.one_of(
        images,
        st.builds(Image.from_url, links, mime=st.sampled_from([None, "image/webp"])),
        st.builds(Image.from_uploaded, st.just("file-abc123"), mime=st.sampled_from([None, "image/png"])),
        st.builds(Audio, st.just(WAV), cache=cache),
        st.builds(Video, st.just(MP4), start=st.sampled_from([None, 1.5]), fps=st.sampled_from([None, 2]), cache=cache),
        documents,
    )


def _is_document(data: bytes) -> bool:
    try:
        Document(data)
    except ValueError:
        return False
    return True


@cache
def parts() -> st.SearchStrategy[Part]:
    """Parts of all kinds."""
    ids = st.sampled_from(["call_1", "é 2"])
    simple = st.builds(Text, texts(2), cache=st.booleans()) | media()
    return st.one_of(
        simple,
        st.builds(ToolCall, ids, st.sampled_from(["search", "看"]), objects(), cache=st.booleans()),
        st.builds(
            ToolResult,
            ids,
            st.lists(simple, max_size=2),
            name=st.none() | texts(1),
            error=st.booleans(),
            cache=st.booleans(),
        ),
    )


@cache
def messages() -> st.SearchStrategy[Message]:
    """Literal messages."""
    roles = st.sampled_from(["system", "developer", "user", "assistant", "tool"])
    return st.builds(Message, roles, st.lists(parts(), max_size=3), name=st.none() | texts(1), cache=st.booleans())


@cache
def blocks(syntax: str) -> st.SearchStrategy[object]:
    """Blocks of a block list, in every form that people write."""
    kinds = st.sampled_from(["image", "audio", "video", "document"])
    text = st.fixed_dictionaries(
        {"type": st.just("text"), "content": templates(syntax)}, optional={"cache": st.booleans()}
    )
    slot = st.fixed_dictionaries(
        {"type": kinds, "variable": st.sampled_from(NAMES)},
        optional={"index": st.integers(0, 3), "cache": st.booleans()},
    )
    return st.one_of(templates(syntax), text, slot, parts())


@cache
def entries(syntax: str) -> st.SearchStrategy[Entry]:
    """Turns, literal messages and histories."""
    roles = st.sampled_from(["system", "developer", "user", "assistant"])
    content = templates(syntax) | st.lists(blocks(syntax), max_size=3)
    histories = st.builds(History, st.sampled_from(["chat", "历史"]), required=st.booleans())
    return st.one_of(st.builds(Turn, roles, content), messages(), histories)


@cache
def few_shots() -> st.SearchStrategy[FewShot | None]:
    """Few-shot examples in every format, of text and of parts; or none."""
    content = st.one_of(texts(), texts(), st.lists(parts(), max_size=2))
    examples = st.lists(st.builds(Example, content, content), max_size=3)
    return st.none() | st.builds(FewShot, examples, st.sampled_from(FEW_SHOT_FORMATS))


@st.composite
def variables(draw: st.DrawFn) -> list[Variable]:
    """Declared variables with every field."""
    names = draw(st.lists(st.sampled_from([*NAMES, "ghost", "b c"]), unique=True, max_size=3))
    found = []
    for name in names:
        default = draw(st.none() | json_data())
        required = draw(st.sampled_from([None, False] if default is not None else [None, False, True]))
        kind = draw(st.sampled_from([None, "text", "image", "messages"]))
        bare = draw(st.booleans())
        description = draw(st.none() | texts(1))
        full = Variable(name, required=required, default=default, type=kind, description=description)
        found.append(Variable(name) if bare else full)
    return found


@st.composite
def prompts(draw: st.DrawFn, syntaxes: tuple[str, ...] = SYNTAXES) -> Prompt:
    """Prompts of every kind; about half of them are just a system text, a user text and examples."""
    syntax = draw(st.sampled_from(syntaxes))
    template = templates(syntax)
    extras: dict[str, object] = {}
    if draw(st.booleans()):
        turns = [("user", draw(template))]
        turns[:0] = [("system", draw(template))] if draw(st.booleans()) else []
        content: list[object] = [*turns]
    else:
        content = [*draw(st.lists(entries(syntax), min_size=1, max_size=4))]
    if draw(st.booleans()):
        name = st.none() | texts(1)
        extras = {"model": draw(name), "name": draw(name), "version": draw(name)}
        extras |= {"parameters": draw(objects()), "metadata": draw(objects())}
    declared = draw(st.just([]) | variables())
    return Prompt(messages=content, few_shot=draw(few_shots()), variables=declared, syntax=syntax, **extras)  # type: ignore[arg-type]  # each extra has the type of its name

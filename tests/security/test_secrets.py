"""No key, header, token or byte of a medium in a log line, a repr, an error or a trace."""

from __future__ import annotations

import base64
import logging
import socket
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import (
    Audio,
    Document,
    FewShot,
    History,
    Image,
    Message,
    Prompt,
    PromptAssetStore,
    SimplePrompt,
    TextPromptAdapter,
    ToolResult,
    from_request,
    get_adapter,
    load_prompt,
    save_prompt,
)
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable
from prompt_adapters.litellm import LiteLLMBridge
from prompt_adapters.media import HttpFetcher
from prompt_adapters.templates import compile_template

KEY = "sk-KEYKEYKEYKEYKEYKEY"
TOKEN = "TOKENTOKENTOKEN"
SECRET_BYTES = b"BYTESBYTESBYTESBYTESBYTESBYTES"
PNG = b"\x89PNG\r\n\x1a\n" + SECRET_BYTES * 40
LINK = f"https://user:{TOKEN}@bucket.example.org/a.png?X-Amz-Signature={TOKEN}&token={TOKEN}"
DATA_URL = "data:image/png;base64," + base64.b64encode(PNG).decode()
BROKEN_URL = "data:image/png;base64,!" + base64.b64encode(PNG).decode() + "!"
# Base64 of the same bytes looks different at each of three places.
MARKS = (KEY, TOKEN, SECRET_BYTES.decode(), *(base64.b64encode(SECRET_BYTES[n:])[4:20].decode() for n in range(3)))

PROMPT = Prompt("S", "[{{ x }}]{{ photo }}")
LOGIC = Prompt(user="{% if x %}{{ photo | upper }}{% endif %}")
CHAT = Prompt(messages=[History("chat"), ("user", "{{ x }}")])


def bridge(**arguments: Any) -> dict[str, Any]:
    return LiteLLMBridge(model="gpt-4o").request(Prompt(user="{{ x }}"), {"x": "y"}, **arguments)


def langchain(**values: Any) -> Any:
    return AdapterPromptTemplate.from_prompt(PROMPT).invoke(values)


def langchain_block(**values: Any) -> Any:
    block = {"type": "image_url", "image_url": {"url": "{image}"}}
    return AdapterPromptTemplate.from_messages([("user", [block])], template_format="f-string").invoke(values)


STYLES = ["openai_style", "anthropic_style", "google_style", "bedrock_style", "mistral_style", "cohere_style"]

# What may fail, or is only shown: nothing that is sent, since what is sent has to hold these things.
SHOWN: dict[str, Callable[[Path], object]] = {
    "image": lambda _: Image(PNG),
    "image of a link": lambda _: Image(LINK),
    "image of a data URL": lambda _: Image(DATA_URL),
    "broken data URL": lambda _: Image(BROKEN_URL),
    "data URL of nothing known": lambda _: Image(
        "data:application/x;base64," + base64.b64encode(SECRET_BYTES).decode()
    ),
    "bytes of nothing known": lambda _: Image(SECRET_BYTES),
    "audio that is an image": lambda _: Audio(PNG),
    "document": lambda _: Document(SECRET_BYTES, name="a.txt"),
    "message": lambda _: Message("user", ["x", Image(PNG), Image(LINK)]),
    "result": lambda _: ToolResult("1", ["x", Image(PNG)]),
    "prompt": lambda _: Prompt(user=["x", {"type": "image", "content": Image(PNG)}]),
    "examples": lambda _: FewShot([([Image(PNG), "q"], "a")]),
    "rendered": lambda _: PROMPT.render(x="y", photo=Image(LINK)),
    "list of pictures": lambda _: Prompt(user="{{ x }}").render(x=[Image(PNG), None]),
    "picture as text": lambda _: LOGIC.render(x="y", photo=Image(PNG)),
    "picture in data": lambda _: Prompt(user="{{ x }}").render(x={"photo": Image(DATA_URL)}),
    "picture reached into": lambda _: Prompt(user="{{ x.data }}").render(x=Image(PNG)),
    "picture by %": lambda _: Prompt(user="{{ '%s %r' % (x, x) }}").render(x=Image(LINK)),
    "picture called": lambda _: Prompt(user="{{ x() }}").render(x=Image(PNG)),
    "bytes as a value": lambda _: Prompt(user="{{ x }}").render(x=PNG),
    "bytes in a dict": lambda _: Prompt(user="{{ x }}").render(x={"a": SECRET_BYTES}),
    "not a block": lambda _: PROMPT.replace(user=[{"type": "image", "content": SECRET_BYTES}]),
    "picture for audio": lambda _: Prompt(user=[{"type": "audio", "variable": "x"}]).render(x=Image(PNG)),
    "history": lambda _: CHAT.render(
        x="y", chat=[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": BROKEN_URL}}]}]
    ),
    "history with bytes": lambda _: CHAT.render(x="y", chat=[{"role": "user", "content": [SECRET_BYTES]}]),
    "template": lambda _: compile_template("{{ x }}"),
    "adapter": lambda _: get_adapter("openai_style", parameters={"max_tokens": 5}),
    "prepared": lambda _: get_adapter("anthropic_style").prepare(PROMPT, x="y", photo=Image(PNG)),
    "unknown parameter": lambda _: get_adapter("openai_style", parameters={"api_key": KEY}).build_request(
        Prompt(user="x")
    ),
    "unknown option": lambda _: get_adapter("openai_style", api_key=KEY),
    "request read": lambda _: from_request(
        "openai_style",
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": BROKEN_URL}}]}]},
    ),
    "request of nothing": lambda _: from_request(
        "anthropic_style",
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": BROKEN_URL}}
                    ],
                }
            ]
        },
    ),
    "LangChain": lambda _: langchain(x="y", photo=Image(PNG)),
    "LangChain, wrong": lambda _: langchain_block(image=BROKEN_URL),
    "LangChain, cut": lambda _: langchain_block(image={"base64": BROKEN_URL}),
    "LangChain, pretty": lambda _: langchain(x="y", photo=Image(PNG)).to_string(),
    "LangChain, runnable": lambda _: AdapterRunnable("openai_style", prompt=PROMPT),
    "LiteLLM bridge": lambda _: LiteLLMBridge(model="gpt-4o", api_base="https://example.org"),
    "LiteLLM, unknown argument": lambda _: (
        bridge(api_kye=KEY, api_key=KEY, extra_headers={"Authorization": KEY}) and None
    ),
    "LiteLLM, no model": lambda _: LiteLLMBridge(model="no-such-provider/x").request(Prompt(user="x"), api_key=KEY),
    "SimplePrompt": lambda _: SimplePrompt.from_string("$user$\n%x%").build_messages(x="y", images=LINK),
    "SimplePrompt, broken": lambda _: SimplePrompt.from_string("$user$\n%x%").build_messages(x="y", images=BROKEN_URL),
    "SimplePrompt, no image": lambda _: SimplePrompt.from_string("$user$\nx").build_messages(images=[SECRET_BYTES]),
    "download of a private host": lambda _: HttpFetcher().fetch(f"https://127.0.0.1/a?token={TOKEN}"),
    "download with a user": lambda _: HttpFetcher().fetch(f"https://u:{TOKEN}@127.0.0.1/a"),
    "download of nothing": lambda _: HttpFetcher(allow_private=True, allow_http=True, timeout=2).fetch(
        f"http://127.0.0.1:9/a?token={TOKEN}"
    ),
    "saved": lambda folder: save_prompt(
        Prompt(user=["x", {"type": "image", "content": Image(PNG)}]), folder / "a.prompt"
    ),
    "loaded": lambda folder: load_prompt(folder / "broken.json"),
    "asset": lambda folder: PromptAssetStore(folder).get("none"),
    "text adapter": lambda _: TextPromptAdapter().set_user_prompt("x").adapt(),
}


HEADERS = {"Authorization": f"Bearer {KEY}", "x-api-key": KEY}
CREDENTIALS = {"api_key": KEY, "extra_headers": HEADERS, "aws_secret_access_key": KEY, "vertex_credentials": KEY}
MODELS = ["gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash", "bedrock/us.amazon.nova-pro-v1:0"]
CUT_URL = DATA_URL[: len(DATA_URL) // 2]
BLOCKS_OF_MEDIA: dict[str, Any] = {
    "broken": {"type": "image_url", "image_url": {"url": BROKEN_URL}},
    "cut": {"type": "image_url", "image_url": {"url": CUT_URL}},
    "bytes": {"type": "image", "base64": SECRET_BYTES},
    "unknown": {"type": "image", "base64": base64.b64encode(SECRET_BYTES).decode(), "mime_type": "image/png"},
    "link": {"type": "image_url", "image_url": {"url": LINK, "detail": 3}},
    "audio": {"type": "input_audio", "input_audio": {"data": BROKEN_URL, "format": "wav"}},
    "file": {"type": "file", "file": {"file_data": BROKEN_URL, "filename": 3}},
    "nothing": {"type": "x", "data": DATA_URL, "token": TOKEN},
}
REDIRECTED = f"https://bucket.example.org/a?sig={TOKEN}"


def bridged(model: str, arguments: dict[str, Any]) -> None:
    bridge = LiteLLMBridge(model=model)
    assert KEY not in repr(bridge)
    bridge.request(Prompt(user="{{ missing }}"), {}, **arguments)


def history_of(block: Any, _: Path) -> object:
    return CHAT.render(x="y", chat=[{"role": "user", "content": [block]}])


def langchain_of(block: Any, _: Path) -> object:
    return AdapterPromptTemplate.from_messages([("user", [block])], template_format="f-string").invoke({})


def read_back(style: str, _: Path) -> object:
    """A request of which each text is broken in turn."""
    body = get_adapter(style, on_limit="send", parameters={"max_tokens": 9}).build_body(PROMPT, x=KEY, photo=Image(PNG))
    return from_request(style, {**body, "api_key": 1, "messages": [body], "contents": [body], "input": [body]})


def fetched_from(url: str, _: Path) -> object:
    return HttpFetcher(timeout=1).fetch(url)


SHOWN |= {f"history, {name}": partial(history_of, block) for name, block in BLOCKS_OF_MEDIA.items()}
SHOWN |= {f"LangChain, {name}": partial(langchain_of, block) for name, block in BLOCKS_OF_MEDIA.items()}
SHOWN |= {f"{style}, read back": partial(read_back, style) for style in STYLES}
SHOWN |= {f"bridge, {model}": lambda _, model=model: bridged(model, CREDENTIALS) for model in MODELS}  # type: ignore[misc]  # its default
SHOWN |= {
    f"download, {url[:20]}": partial(fetched_from, url)
    for url in (
        LINK,
        LINK.replace("https", "http"),
        LINK.replace("https", "ftp"),
        LINK.replace("bucket.example.org", "127.0.0.1:99999"),
        LINK.replace("bucket.example.org", "[::1"),
        f"https://127.0.0.1/?{TOKEN}",
        f"https://127.0.0.1/#{TOKEN}",
        f"//u:{TOKEN}@127.0.0.1/",
        DATA_URL,
        BROKEN_URL,
    )
}
SHOWN |= {
    "fetcher": lambda _: HttpFetcher(),
    "deep data with a key": lambda _: Prompt(user="x", metadata={"api_key": KEY, "a": _ring()}),
    "parameter of another type": lambda _: get_adapter("anthropic_style", parameters={"stop": {KEY: 1}}).build_request(
        Prompt(user="x")
    ),
    "header as a parameter": lambda _: get_adapter("openai_style").build_request(
        Prompt(user="x", parameters={"extra_headers": HEADERS})
    ),
    "data URL as a path": lambda _: Image(DATA_URL.replace("data:", "date:")),
    "data URL as a link": lambda _: Image.from_url(DATA_URL),
    "data URL as an upload": lambda _: Image.from_uploaded(DATA_URL + " "),
    "data URL as a role": lambda _: Message(DATA_URL, "x"),
    "link with a blank": lambda _: Image(LINK + " x"),
}


def _ring() -> list[Any]:
    ring: list[Any] = [KEY]
    ring.append(ring)
    return ring


def prepared(style: str, _: Path) -> object:
    return get_adapter(style).prepare(PROMPT, x="y", photo=Image(LINK))


def fetched(style: str, _: Path) -> None:
    adapter = get_adapter(style, fetcher=HttpFetcher(deny_hosts=["*.example.org"]))
    adapter.build_body(PROMPT, x="y", photo=Image(LINK))


def broken(style: str, _: Path) -> None:
    get_adapter(style).build_body(PROMPT, x="y", photo=Image(PNG))


def audio(style: str, _: Path) -> None:
    get_adapter(style).build_body(PROMPT, x="y", photo=Audio(b"RIFF\0\0\0\0WAVEfmt " + SECRET_BYTES))


for _style in STYLES:
    SHOWN |= {f"{_style}, {use.__name__}": partial(use, _style) for use in (prepared, fetched, broken, audio)}


def said(error: BaseException | None) -> list[str]:
    """Everything that an error, its causes and its notes say, as a log would have it."""
    if error is None:
        return []
    lines = [str(error), repr(error), *getattr(error, "__notes__", ())]
    lines += ["".join(traceback.format_exception_only(error))]
    lines += [repr(value) for value in vars(error).values()]
    return lines + said(error.__cause__) + said(None if error.__suppress_context__ else error.__context__)


@pytest.mark.parametrize("name", SHOWN)
def test_nothing_secret_is_shown(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", _addresses)
    (tmp_path / "broken.json").write_text('{"user_prompt_component": {"template": ["' + DATA_URL + '"]}}')
    caplog.set_level(logging.DEBUG)
    shown: list[str] = []
    try:
        value = SHOWN[name](tmp_path)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is looked through
        shown += said(error)
    else:
        shown += [repr(value), str(value), f"{value!r:>10}"] if value is not None else []
    shown += [record.getMessage() for record in caplog.records if record.name.startswith("prompt_adapters")]
    for mark in MARKS:
        assert not [line[:300] for line in shown if mark in line], mark


def _addresses(host: str, port: Any, *args: Any, **kwargs: Any) -> list[Any]:
    numeric = host if isinstance(host, str) and host.replace(".", "").isdigit() else "93.184.215.14"
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (numeric, port))]


def test_the_search_would_find_them() -> None:
    body = get_adapter("openai_style", on_limit="send").build_body(PROMPT, x=KEY, photo=Image(PNG))
    assert any(mark in repr(body) for mark in MARKS[3:])
    assert KEY in repr(body)


@pytest.mark.parametrize("tracer", ["inputs", "outputs", "serialized"])
def test_traces_show_no_media(tracer: str) -> None:
    from langchain_core.callbacks import BaseCallbackHandler

    seen: dict[str, list[str]] = {"inputs": [], "outputs": [], "serialized": []}

    class Tracer(BaseCallbackHandler):
        def on_chain_start(self, serialized: Any, inputs: Any, **_: Any) -> None:
            seen["serialized"].append(repr(serialized))
            seen["inputs"].append(repr(inputs))

        def on_chain_end(self, outputs: Any, **_: Any) -> None:
            seen["outputs"].append(repr(outputs))

    AdapterPromptTemplate.from_prompt(PROMPT).invoke({"x": "y", "photo": Image(PNG)}, {"callbacks": [Tracer()]})
    assert seen[tracer]
    for mark in MARKS:
        assert not [line[:300] for line in seen[tracer] if mark in line]

"""LiteLLM's proxy as the cookbook configures it, started for real and called by OpenAI's own client."""

import base64
import io
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
import yaml
from PIL import Image as Pillow

from prompt_adapters import Prompt, save_prompt

RECIPE = Path(__file__).parents[2] / "cookbook" / "litellm_proxy"
KEY = "sk-fake"
PATIENCE = 120.0
QUIET = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_TELEMETRY": "False",
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_DONT_SHOW_FEEDBACK_BOX": "True",
    "DISABLE_ADMIN_UI": "True",
    "NO_DOCS": "True",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1",
    "LITELLM_MASTER_KEY": KEY,
    "OPENAI_API_KEY": "fake",
    "ANTHROPIC_API_KEY": "fake",
    "GEMINI_API_KEY": "fake",
}
SECRETS = ("_API_KEY", "DATABASE_URL", "REDIS_URL", "_proxy", "_PROXY")


def photo() -> bytes:
    buffer = io.BytesIO()
    Pillow.new("RGB", (8, 4), "navy").save(buffer, "PNG")
    return buffer.getvalue()


B64 = base64.b64encode(photo()).decode()


class Proxy:
    """A running proxy.

    Attributes:
        prompts: Its folder of prompts.
        client: A client of it.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self.prompts = folder / "prompts"
        self.client = openai.OpenAI(base_url=f"http://127.0.0.1:{port}", api_key=KEY, max_retries=0, timeout=60)

    def ask(self, prompt_id: Any, values: Any = None, /, *, model: str = "gpt", **arguments: Any) -> Any:
        extra = {"prompt_id": prompt_id, "prompt_variables": values or {}, **arguments.pop("extra", {})}
        messages = arguments.pop("messages", [])
        return self.client.chat.completions.create(model=model, messages=messages, extra_body=extra, **arguments)


def configured(folder: Path, upstream: str) -> Path:
    """The cookbook's files, with a provider on this machine."""
    shutil.copytree(RECIPE, folder)
    config = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    for entry in config["model_list"]:
        entry["litellm_params"] |= {"api_base": upstream, "max_retries": 0}
    config["router_settings"]["num_retries"] = 0
    (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")[-3000:]
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
        else:
            return
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace")[-3000:])


@pytest.fixture(scope="module")
def proxy(_provider: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    root = tmp_path_factory.mktemp("proxy")
    folder, port, log = configured(root / "recipe", _provider.url), free_port(), root / "log"
    kept = {name: value for name, value in os.environ.items() if not name.endswith(SECRETS)}
    options = {"config": folder / "config.yaml", "host": "127.0.0.1", "port": port, "telemetry": False}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "litellm.proxy.proxy_cli", *words],
            cwd=root,
            env={**kept, **QUIET},
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        try:
            wait_for(process, port, log)
            yield Proxy(folder, port)
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(20)


@pytest.fixture
def upstream(_provider: Any) -> Any:
    """The provider behind the proxy, without memories."""
    _provider.reset()
    return _provider


IMAGE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{B64}"}}
LOOK = {"question": "What is this?"}


def test_the_prompt_goes_before_the_clients_messages(proxy: Proxy, upstream: Any) -> None:
    mine = [{"role": "user", "content": "I am Ada."}]
    answer = proxy.ask("greet", {"language": "French"}, messages=mine)
    assert answer.choices[0].message.content == "Hello"
    assert upstream.call.path == "/chat/completions"
    body = upstream.call.body
    assert body["messages"] == [
        {"role": "system", "content": "You greet people in French, in one sentence."},
        *mine,
    ]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("gpt-4o", 0.2, 60)
    assert not {"prompt_id", "prompt_variables", "prompt_adapters"} & body.keys()


def test_the_calls_own_parameters_win(proxy: Proxy, upstream: Any) -> None:
    mine = [{"role": "user", "content": "I am Ada."}]
    proxy.ask("greet", {"language": "French"}, messages=mine, temperature=0, max_completion_tokens=9)
    body = upstream.call.body
    assert (body["temperature"], body["max_completion_tokens"]) == (0, 9)
    assert "max_tokens" not in body


def test_streamed(proxy: Proxy, upstream: Any) -> None:
    upstream.hold = True
    mine = [{"role": "user", "content": "I am Ada."}]
    stream = proxy.ask("greet", {"language": "French"}, messages=mine, stream=True)
    pieces = (chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
    first = next(filter(None, pieces))
    upstream.release()
    assert (first, "".join(pieces)) == ("Hel", "lo")
    assert len(upstream.call.body["messages"]) == 2


@pytest.mark.parametrize(
    "sent",
    [
        {"type": "image", "base64": B64, "mime_type": "image/png"},
        {"base64": B64, "mime_type": "image/png"},
        {"type": "image", "url": f"data:image/png;base64,{B64}"},
        {"url": f"data:image/png;base64,{B64}"},
        IMAGE,
    ],
    ids=["object", "without a type", "data URL", "data URL alone", "OpenAI's block"],
)
def test_media_from_a_client_who_has_only_json(sent: Any, proxy: Proxy, upstream: Any) -> None:
    proxy.ask("look", {**LOOK, "photo": sent})
    assert upstream.call.body["messages"][1]["content"][0] == IMAGE


@pytest.mark.parametrize(
    ("model", "path", "shown"),
    [
        ("claude", "/v1/messages", {"type": "base64", "media_type": "image/png", "data": B64}),
        ("gemini", "/models/gemini-2.5-flash:generateContent", {"data": B64, "mime_type": "image/png"}),
    ],
)
def test_media_in_the_shape_of_each_provider(model: str, path: str, shown: Any, proxy: Proxy, upstream: Any) -> None:
    proxy.ask("look", {**LOOK, "photo": {"type": "image", "base64": B64}}, model=model)
    assert upstream.call.path == path
    assert str(shown)[1:-1] in str(upstream.call.body)
    assert "What is this?" in str(upstream.call.body)


def test_links_stay_links_and_strings_are_text(proxy: Proxy, upstream: Any) -> None:
    link = "https://example.org/a.png?b=c"
    proxy.ask("look", {**LOOK, "photo": {"type": "image", "url": link}})
    assert upstream.call.body["messages"][1]["content"][0] == {"type": "image_url", "image_url": {"url": link}}
    upstream.reset()
    proxy.ask("look", {**LOOK, "photo": str(RECIPE / "config.yaml")})
    assert upstream.call.body["messages"][1]["content"] == f"{RECIPE / 'config.yaml'}\n\nWhat is this?\n"


def test_a_model_with_a_prompt_of_its_own(proxy: Proxy, upstream: Any) -> None:
    mine: Any = [{"role": "user", "content": "I am Ada."}]
    proxy.client.chat.completions.create(model="greeter", messages=mine)
    assert upstream.call.body["messages"] == [
        {"role": "system", "content": "You greet people in English, in one sentence."},
        *mine,
    ]


def test_calls_without_a_prompt_are_left_alone(proxy: Proxy, upstream: Any) -> None:
    mine: Any = [{"role": "user", "content": "I am Ada."}]
    proxy.client.chat.completions.create(model="gpt", messages=mine)
    assert upstream.call.body["messages"] == mine


def test_a_changed_file_counts_from_the_next_call_on(proxy: Proxy, upstream: Any) -> None:
    for text in ("One", "Two", "Six"):
        (proxy.prompts / "note.prompt").write_text(f"$user$\n{text} %word%", encoding="utf-8")
        save_prompt(Prompt(user=f"{text} {{{{ word }}}}"), proxy.prompts / "kept")
        proxy.ask("note", {"word": "hi"})
        proxy.ask("kept", {"word": "hi"})
    said = [call.body["messages"][0]["content"] for call in upstream.calls]
    assert said == ["One hi", "One hi", "Two hi", "Two hi", "Six hi", "Six hi"]
    (proxy.prompts / "note.prompt").unlink()
    with pytest.raises(openai.BadRequestError, match="prompt 'note': there is no such prompt"):
        proxy.ask("note", {"word": "hi"})


def told(error: openai.APIStatusError) -> str:
    body: Any = error.body
    return str(body["message"])


def test_a_broken_file_is_a_400_that_names_it(proxy: Proxy, upstream: Any) -> None:
    (proxy.prompts / "bad.yaml").write_text("system_prompt: a\nuser_prompt:\n  - text: '{{ x'\n", encoding="utf-8")
    (proxy.prompts / "worse.prompt").write_text("---\ntemperature: [\n---\nHi", encoding="utf-8")
    for prompt_id, file in (("bad", "bad.yaml"), ("worse", "worse.prompt")):
        with pytest.raises(openai.BadRequestError) as caught:
            proxy.ask(prompt_id)
        assert told(caught.value).startswith(f"prompt {prompt_id!r}: {file}: ")
        assert "line " in told(caught.value)
        assert str(proxy.prompts) not in str(caught.value.body)
        assert caught.value.status_code == 400
    assert upstream.calls == []
    (proxy.prompts / "bad.yaml").write_text("user_prompt:\n  - text: 'Mended.'\n", encoding="utf-8")
    proxy.ask("bad")
    assert upstream.call.body["messages"] == [{"role": "user", "content": "Mended."}]


@pytest.mark.parametrize(
    ("prompt_id", "values", "extra", "reason"),
    [
        ("gret", {}, {}, "prompt 'gret': there is no such prompt; did you mean 'greet'?"),
        ("../../recipe/prompts/greet", {}, {}, "there is no such prompt"),
        ("/etc/hostname", {}, {}, "there is no such prompt"),
        (["greet"], {}, {}, "there is no such prompt"),
        ("look", {"question": "?"}, {}, "prompt 'look': missing variable 'photo'"),
        ("greet", ["French"], {}, "prompt_variables are a mapping of names to values, not list"),
        ("greet", {"language": "French"}, {"prompt_version": 7}, "prompt 'greet' has no version '7'"),
        ("greet", {"language": "French"}, {"prompt_label": "live"}, "prompt 'greet' has no label 'live'"),
        ("look", {**LOOK, "photo": {"type": "image", "base64": "?"}}, {}, "variable 'photo'"),
        ("look", {**LOOK, "photo": {"type": "image", "path": "a.png", "url": "b.png"}}, {}, "a medium has no 'path'"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_a_client_did_wrong_is_a_400(
    prompt_id: Any, values: Any, extra: Any, reason: str, proxy: Proxy, upstream: Any
) -> None:
    mine = [{"role": "user", "content": "I am Ada."}]
    with pytest.raises(openai.BadRequestError) as caught:
        proxy.ask(prompt_id, values, messages=mine, extra=extra)
    assert reason in told(caught.value)
    assert str(proxy.prompts) not in str(caught.value.body)
    assert upstream.calls == []


def test_what_a_model_cannot_take_is_a_400(proxy: Proxy, upstream: Any) -> None:
    save_prompt(Prompt(user="Hear: {{ sound }}"), proxy.prompts / "hear")
    wave = base64.b64encode(b"RIFF\x24\0\0\0WAVEfmt " + bytes(32)).decode()
    with pytest.raises(openai.BadRequestError) as caught:
        proxy.ask("hear", {"sound": {"type": "audio", "base64": wave}}, model="claude")
    assert "prompt 'hear': " in told(caught.value)
    assert "audio" in told(caught.value)
    assert upstream.calls == []
    proxy.ask("hear", {"sound": {"type": "audio", "base64": wave}}, model="gemini")
    assert "audio/wav" in str(upstream.call.body)


def test_the_native_routes_say_that_they_take_no_prompt(proxy: Proxy, upstream: Any) -> None:
    client = anthropic.Anthropic(base_url=str(proxy.client.base_url), api_key=KEY, max_retries=0, timeout=60)
    with pytest.raises(anthropic.BadRequestError, match="prompt 'greet': LiteLLM's anthropic_messages takes no prompt"):
        client.messages.create(
            model="claude",
            max_tokens=9,
            messages=[{"role": "user", "content": "I am Ada."}],
            extra_body={"prompt_id": "greet", "prompt_variables": {"language": "French"}},
        )
    assert upstream.calls == []


def test_responses_take_text(proxy: Proxy, upstream: Any) -> None:
    extra = {"prompt_id": "greet", "prompt_variables": {"language": "French"}}
    proxy.client.responses.create(model="gpt", input="I am Ada.", extra_body=extra)
    assert [item["content"] for item in upstream.call.body["input"]] == [
        "You greet people in French, in one sentence.",
        "I am Ada.",
    ]
    upstream.reset()
    look = {"prompt_id": "look", "prompt_variables": {**LOOK, "photo": {"type": "image", "base64": B64}}}
    with pytest.raises(openai.BadRequestError, match=r"prompt 'look': .*takes only text from a prompt manager"):
        proxy.client.responses.create(model="gpt", input="I am Ada.", extra_body=look)
    assert upstream.calls == []


def test_a_fallback_gets_the_prompt_once_in_its_own_shape(proxy: Proxy, upstream: Any) -> None:
    upstream.status = 500
    with pytest.raises(openai.APIStatusError):
        proxy.ask("look", {**LOOK, "photo": {"type": "image", "base64": B64}})
    paths = [call.path for call in upstream.calls]
    assert paths[0] == "/chat/completions"
    assert paths[-1] == "/v1/messages"
    last = upstream.calls[-1].body["messages"]
    assert [block["type"] for message in last for block in message["content"]] == ["image", "text"]

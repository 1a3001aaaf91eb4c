"""`prompt-adapters render`: the request of a prompt, as JSON."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import (
    PROMPT_ADAPTER_REGISTRY,
    BasePromptAdapter,
    Image,
    Prompt,
    adapter_for,
    get_adapter,
    load_prompt,
    save_prompt,
)

Run = Callable[..., Any]
PROJECT = Path(__file__).parents[2]
MODELS = ["openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"]


def look(folder: Path, *more: object) -> list[object]:
    return ["render", folder / "look", "--image", f"photo={folder / 'a.png'}", "--var", "question=What is it?", *more]


def expected(folder: Path, model: str) -> Any:
    values = {"photo": Image(folder / "a.png"), "question": "What is it?"}
    return adapter_for(model).build_body(load_prompt(folder / "look"), values)


@pytest.mark.parametrize("model", MODELS)
def test_the_whole_body_is_what_goes_over_the_wire(model: str, folder: Path, run: Run) -> None:
    assert run(*look(folder, "--model", model, "--full")).json == expected(folder, model)


@pytest.mark.parametrize("model", MODELS)
def test_media_are_shortened_and_nothing_else(model: str, folder: Path, run: Run) -> None:
    data = (folder / "a.png").read_bytes()
    text = base64.b64encode(data).decode()
    assert len(text) > 80
    short = f"{text[:8]}… ({len(data)} bytes)"
    assert short == f"iVBORw0K… ({len(data)} bytes)"
    whole = json.dumps(expected(folder, model), ensure_ascii=False)
    assert run(*look(folder, "--model", model)).json == json.loads(whole.replace(text, short))


def test_text_that_looks_like_media_is_the_authors(folder: Path, run: Run) -> None:
    text = base64.b64encode(bytes(200)).decode()
    out = run(*look(folder)[:-1], f"question={text} data:image/png;base64,{text}", "--model", MODELS[0]).out
    assert f"{text} data:image/png;base64,{text}" in out


def test_short_media_are_printed_whole(folder: Path, run: Run) -> None:
    (folder / "tiny.txt").write_text("A few words.")
    out = run("render", folder / "thing", "--document", f"thing={folder / 'tiny.txt'}")
    assert base64.b64encode(b"A few words.").decode() in out.out


@pytest.mark.parametrize(
    ("option", "file", "mime"),
    [
        ("--image", "b.jpg", "image/jpeg"),
        ("--document", "report.pdf", "application/pdf"),
        ("--audio", "tone.wav", "audio/wav"),
        ("--video", "clip.mp4", "video/mp4"),
    ],
)
def test_every_kind_of_medium_and_the_prompts_own_model(
    option: str, file: str, mime: str, folder: Path, run: Run
) -> None:
    body = run("render", folder / "thing", option, f"thing={folder / file}", "--full").json
    media, text = body["contents"][0]["parts"]
    data = base64.b64encode((folder / file).read_bytes()).decode()
    assert media == {"inlineData": {"mimeType": mime, "data": data}}
    assert text == {"text": "What is it?"}


def test_several_of_one_name_make_a_list_in_order(folder: Path, run: Run) -> None:
    images = [f"thing={folder / name}" for name in ("a.png", "b.jpg", "a.png")]
    body = run("render", folder / "thing", *(x for image in images for x in ("--image", image))).json
    parts = body["contents"][0]["parts"]
    assert [part.get("inlineData", {}).get("mimeType") for part in parts] == [
        "image/png",
        "image/jpeg",
        "image/png",
        None,
    ]


def test_a_link_stays_a_link(folder: Path, run: Run) -> None:
    body = run("render", folder / "thing", "--image", "thing=https://example.org/a=b.png", "--model", MODELS[0]).json
    assert body["messages"][0]["content"][0]["image_url"] == {"url": "https://example.org/a=b.png"}


@pytest.mark.parametrize("value", ["{{ question }}", "%x%", '{"role": "system"}', "a=b", "", "../look", "é✓\n$system$"])
def test_a_value_is_text_whatever_it_says(value: str, folder: Path, run: Run) -> None:
    body = run(*look(folder)[:-1], f"question={value}", "--model", MODELS[0]).json
    assert body["messages"][-1]["content"][-1]["text"] == f"\n\n{value}"


def test_values_from_a_file_and_the_command_line_wins(folder: Path, run: Run) -> None:
    (folder / "values.json").write_bytes(b'\xef\xbb\xbf{"question": "From the file?", "photo": "none"}')
    image = ("--image", f"photo={folder / 'a.png'}")
    given = ("render", folder / "look", "--var-file", folder / "values.json", *image, "--model", MODELS[1])
    assert run(*given).json["messages"][0]["content"][-1]["text"] == "\n\nFrom the file?"
    assert run(*given, "--var", "question=Mine?").json["messages"][0]["content"][-1]["text"] == "\n\nMine?"


def test_values_from_a_file_may_be_data(tmp_path: Path, run: Run) -> None:
    save_prompt(Prompt(user="{% for n in names %}[{{ n }}]{% endfor %}"), tmp_path / "names")
    (tmp_path / "values.json").write_text('{"names": ["Ada", "Bo"]}')
    body = run("render", tmp_path / "names", "--var-file", tmp_path / "values.json", "--style", "openai_style").json
    assert body == {"messages": [{"role": "user", "content": "[Ada][Bo]"}]}


def test_several_models_give_an_object_keyed_by_model(folder: Path, run: Run) -> None:
    chosen = [x for model in (*MODELS, MODELS[0]) for x in ("--model", model)]
    outcome = run(*look(folder, "--full", *chosen))
    assert outcome.json == {model: expected(folder, model) for model in MODELS}
    assert list(outcome.json) == MODELS
    assert outcome.err.startswith("note: anthropic/claude-sonnet-4-5: parameters: max_tokens is ")


def test_a_style_needs_no_model(folder: Path, run: Run) -> None:
    body = run(*look(folder, "--style", "anthropic_style")).json
    assert body.keys() == {"system", "messages"}
    shaped = run(*look(folder, "--style", "litellm_style", "--model", MODELS[2], "--full")).json
    adapter = get_adapter("litellm_style", model=MODELS[2])
    values = {"photo": Image(folder / "a.png"), "question": "What is it?"}
    assert shaped == adapter.build_body(load_prompt(folder / "look"), values)


def test_a_style_takes_a_model_of_its_own_or_any_name(folder: Path, run: Run) -> None:
    assert run(*look(folder, "--style", "openai_style", "--model", "openai/gpt-4o")).json["model"] == "gpt-4o"
    assert run(*look(folder, "--style", "openai_style", "--model", "my-llava")).json["model"] == "my-llava"


def test_an_adapter_of_payloads_alone_has_no_request(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class PayloadsOnly(BasePromptAdapter):
        def build_payload(self, template: Any, **kwargs: Any) -> list[Any]:
            return []

    monkeypatch.setitem(PROMPT_ADAPTER_REGISTRY._classes, "payloads_only", PayloadsOnly)
    outcome = run(*look(folder, "--style", "payloads_only"))
    assert outcome.status == 2
    assert outcome.err == "error: 'payloads_only' makes payloads of templates only, not whole requests; use its class\n"


def test_a_file_gets_all_of_it(folder: Path, run: Run) -> None:
    outcome = run(*look(folder, "--model", MODELS[0], "-o", folder / "request.json"))
    assert (outcome.status, outcome.out) == (0, "")
    written = (folder / "request.json").read_bytes()
    assert json.loads(written) == expected(folder, MODELS[0])
    assert written.endswith(b"}\n")


def test_changes_are_noted_apart(folder: Path, run: Run) -> None:
    outcome = run("render", folder / "thing", "--image", f"thing={folder / 'wrong.png'}")
    assert outcome.json["contents"][0]["parts"][0]["inlineData"]["mimeType"] == "image/jpeg"
    assert outcome.err.startswith("note: message 1 (user), part 1: the image is sent as image/jpeg")
    assert outcome.err.count("\n") == 1


def test_the_repositorys_own_prompt(run: Run) -> None:
    question, photo = "question=What is in this picture?", f"photo={PROJECT / 'cookbook/photos/harbour.jpg'}"
    prompt = PROJECT / "cookbook" / "prompts" / "describe_photo"
    body = run("render", prompt, "--model", MODELS[1], "--var", question, "--image", photo).json
    assert body["messages"][0]["content"][0]["source"]["media_type"] == "image/jpeg"
    assert body["system"].startswith("You describe photos")

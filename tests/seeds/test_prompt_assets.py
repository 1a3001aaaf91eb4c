"""The documented system of prompt adapters, row by row: its images, its assets, and the style that a backend means."""

from functools import partial
from pathlib import Path

import pytest

from prompt_adapters import (
    GoogleGenAIStylePromptAdapter,
    Image,
    ImageWrapper,
    OpenAIStylePromptAdapter,
    PromptAssetStore,
)
from prompt_adapters.errors import (
    MissingVariableError,
    PromptFormatError,
    PromptNotFoundError,
    TemplateError,
    UnsafeTemplateError,
)
from rows import Check, Rows
from strategies import PNG

ROWS = Rows()

PNG1 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
DU1 = "data:image/png;base64," + PNG1
PAIRWISE = "vlm/assessment/visual_consistency/pairwise"
# As the document has it.
CONFIG = """\
init_config:
  backend: google
  model_name: gemini-3-pro-native
  prompt_info:
    prompt_id: vlm/assessment/visual_consistency/pairwise
    version: v1
"""
ASSET = """\
prompt_id: vlm/assessment/visual_consistency/pairwise
version: v1
system_prompt: You judge pairs.
user_prompt:
  - text: "Which of the two shows {{ thing }}?"
  - image: {source: edited_images, index: 0}
  - image: {source: edited_images, index: 1}
metadata:
  output_schema_name: verdict
"""


def store(folder: Path, **assets: str) -> PromptAssetStore:
    """A store with the document's asset, and others by id."""
    for prompt_id, content in {PAIRWISE: ASSET, **assets}.items():
        path = folder / "assets" / prompt_id / "v1.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(content, encoding="utf-8")
    return PromptAssetStore(folder / "assets")


# Images


@ROWS.row("S0-37")
def _(folder: Path) -> None:
    assert ImageWrapper(PNG).as_data_url() == DU1


@ROWS.row("S0-38")
def _(folder: Path) -> None:
    assert ImageWrapper(DU1).as_bytes() == PNG
    assert len(PNG) == 70


@ROWS.row("S0-39")
def _(folder: Path) -> None:
    import PIL.Image

    (folder / "a.png").write_bytes(PNG)
    with (folder / "a.png").open("rb") as file:
        for given in (PNG, "a.png", folder / "a.png", DU1, file):
            assert ImageWrapper(given).as_bytes() == PNG
    with PIL.Image.open("a.png") as picture:
        assert ImageWrapper(picture).mime_type == "image/png"
    assert ImageWrapper is Image


# Which style, and the asset


def style(backend: str | None, expected: str, folder: Path) -> None:
    config = {"init_config": {"backend": backend, "prompt_info": {"prompt_id": PAIRWISE, "version": "v1"}}}
    assert store(folder).resolve(config).style == expected


STYLES = {
    "S0-40": ("google", "google_style"),
    "S0-41, api": ("api", "openai_style"),
    "S0-41, vllm": ("vllm", "openai_style"),
    "S0-41, openai": ("openai", "openai_style"),
    "S0-41, none": (None, "openai_style"),
}
ROWS |= {name: partial(style, *row) for name, row in STYLES.items()}


@ROWS.row("S0-42")
def _(folder: Path) -> None:
    (folder / "pipeline.yaml").write_text(CONFIG, encoding="utf-8")
    assert store(folder).resolve("pipeline.yaml").style == "google_style"


@ROWS.row("S0-43")
def _(folder: Path) -> None:
    (folder / "pipeline.yaml").write_text(CONFIG, encoding="utf-8")
    resolved = store(folder).resolve("pipeline.yaml")
    assert (resolved.backend, resolved.model, resolved.client) == ("google", "gemini-3-pro-native", {})
    assert (resolved.prompt.name, resolved.prompt.version) == (PAIRWISE, "v1")


@ROWS.row("S0-44")
def _(folder: Path) -> None:
    prompt = store(folder).get_prompt(PAIRWISE, "v1")
    assert (prompt.name, prompt.version) == (PAIRWISE, "v1")
    assert prompt.system_prompt == "You judge pairs."
    assert prompt.metadata == {"output_schema_name": "verdict"}


@ROWS.row("S0-45")
def _(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no prompt 'vlm/nope'"):
        store(folder).get("vlm/nope", "v1")
    with pytest.raises(
        PromptNotFoundError, match=f"prompt '{PAIRWISE}' has no version 'v2'; please ensure that it exists"
    ):
        store(folder / "again").get(PAIRWISE, "v2")


@ROWS.row("S0-46")
def _(folder: Path) -> None:
    for prompt_id in ("../../etc/x", "/etc/x", "a\\..\\b", "a\0b", "C:/x"):
        with pytest.raises(PromptFormatError, match="could lead out of the store's root"):
            PromptAssetStore(folder).get(prompt_id, "v1")


@ROWS.row("S0-47")
def _(folder: Path) -> None:
    assets = store(folder, **{"a/b": "user_prompt: [{text: slash}]", "a_b": "user_prompt: [{text: line}]"})
    assert [assets.get(name).render()[0].text for name in ("a/b", "a_b")] == ["slash", "line"]


@ROWS.row("S0-48")
def _(folder: Path) -> None:
    for backend, expected in (("google", GoogleGenAIStylePromptAdapter), ("vllm", OpenAIStylePromptAdapter)):
        config = {"backend": backend, "model_name": "m", "base_url": "http://h", "prompt_info": {"prompt_id": PAIRWISE}}
        resolved = store(folder / backend).resolve(config)
        assert (resolved.backend, resolved.client) == (backend, {"base_url": "http://h"})
        assert resolved.adapter() == expected(model="m")


@ROWS.row("S0-49")
def _(folder: Path) -> None:
    prompt = store(folder, hi='user_prompt: [{text: "Hi {{ name }}"}]').get("hi")
    assert prompt.render_blocks(name="Bo") == [{"type": "text", "content": "Hi Bo"}]


@ROWS.row("S0-50")
def _(folder: Path) -> None:
    pictures = [Image(PNG), Image(PNG, detail="low")]
    blocks = store(folder).get(PAIRWISE).render_blocks(thing="a boat", edited_images=pictures)
    assert blocks == [
        {"type": "text", "content": "Which of the two shows a boat?"},
        {"type": "image", "content": pictures[0]},
        {"type": "image", "content": pictures[1]},
    ]


@ROWS.row("S0-51")
def _(folder: Path) -> None:
    prompt = store(folder).get(PAIRWISE)
    with pytest.raises(MissingVariableError, match="edited_images"):
        prompt.render_blocks(thing="a boat")
    with pytest.raises(TemplateError, match=r"'edited_images'.*index 1"):
        prompt.render_blocks(thing="a boat", edited_images=[Image(PNG)])
    assert issubclass(MissingVariableError, ValueError)
    assert issubclass(TemplateError, ValueError)


@ROWS.row("S0-52")
def _(folder: Path) -> None:
    prompt = store(folder, evil="""user_prompt: [{text: "{{ ''.__class__.__mro__ }}"}]""").get("evil")
    with pytest.raises(UnsafeTemplateError):
        prompt.render_blocks()


@ROWS.row("S0-58")
def _(folder: Path) -> None:
    values = {"thing": "a boat", "edited_images": [Image(PNG), Image(PNG)]}
    before = OpenAIStylePromptAdapter().build_payload(store(folder).get(PAIRWISE), **values)
    path = folder / "assets" / PAIRWISE / "v1.yaml"
    path.write_text(ASSET.replace("Which of the two shows", "Where is"), encoding="utf-8")
    after = OpenAIStylePromptAdapter().build_payload(PromptAssetStore(folder / "assets").get(PAIRWISE), **values)
    assert before[1]["content"][0] == {"type": "text", "text": "Which of the two shows a boat?"}
    assert after[1]["content"][0] == {"type": "text", "text": "Where is a boat?"}
    assert after[1]["content"][1:] == before[1]["content"][1:]


# The document's own example


@ROWS.row("S0, minimal integration example")
def _(folder: Path) -> None:
    (folder / "pipeline.yaml").write_text(CONFIG, encoding="utf-8")
    resolved = store(folder).resolve("pipeline.yaml")
    values = {"thing": "a boat", "edited_images": [Image(PNG), Image(PNG)]}
    payload = resolved.adapter().build_payload(resolved.prompt, **values)
    assert [part if isinstance(part, str) else part.inline_data.data for part in payload] == [
        "You judge pairs.\n\nWhich of the two shows a boat?", "\n", PNG, "\n\n", PNG,
    ]  # fmt: skip
    request = resolved.adapter().build_request(resolved.prompt, values)
    assert request["model"] == "gemini-3-pro-native"
    assert request["config"] == {"system_instruction": "You judge pairs."}


@ROWS.parametrize()
def test_row(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(tmp_path)

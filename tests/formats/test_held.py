"""What each format keeps of a prompt: the laws that hold for all of them."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompt_adapters import Audio, Document, FewShot, Image, Message, Prompt, Text, Video, load_prompt, save_prompt
from prompt_adapters.content.parts import Part
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.formats import FORMATS, held_by
from prompt_adapters.formats.holding import read_back
from prompt_adapters.turns import History, Turn
from strategies import MP4, PDF, PNG, WAV, prompts

# Each with four, since blocks ask for the elements of a list.
MEDIA = {
    "image": [Image(PNG)] * 4,
    "audio": [Audio(WAV)] * 4,
    "video": [Video(MP4)] * 4,
    "document": [Document(PDF)] * 4,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prompts")


def values_for(prompt: Prompt) -> dict[str, object]:
    """Values that most templates, blocks and histories can do with."""
    values: dict[str, object] = {variable.name: "v" for variable in prompt.variables if not variable.has_default}
    for entry in prompt.messages:
        if isinstance(entry, History):
            values[entry.name] = [("user", "q"), ("assistant", "a")]
        elif isinstance(entry, Turn):
            for block in entry.blocks:
                if block.variable is not None:
                    values[block.variable] = MEDIA[block.type]
    return values


def said(messages: Iterable[Message]) -> list[tuple[object, ...]]:
    """What messages say: their texts joined, and everything else as it is."""
    return [(message.role, message.name, message.cache, *_joined(message.parts)) for message in messages]


def _joined(parts: Iterable[Part]) -> list[object]:
    found: list[object] = []
    open_text = False
    for part in parts:
        if isinstance(part, Text) and open_text:
            found[-1] = f"{found[-1]}{part.text}"
        elif not isinstance(part, Text) or part.text:
            found.append(part.text if isinstance(part, Text) else part)
        open_text = isinstance(part, Text) and not part.cache and (open_text or bool(part.text))
        if isinstance(part, Text) and part.cache:
            found.append("a mark")
    return found


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=60)
@given(prompt=prompts())
def test_the_nearest_prompt_is_held_whole_and_what_is_lost_is_refused(name: str, prompt: Prompt, folder: Path) -> None:
    path = folder / f"{name}{FORMATS[name].suffixes[0] if FORMATS[name].suffixes else '.json'}"
    try:
        kept, losses = held_by(prompt, name)
    except PromptFormatError:
        with pytest.raises(PromptFormatError):
            save_prompt(prompt, path, format=name)
        return
    assert held_by(kept, name) == (kept, ())
    save_prompt(kept, path, format=name)
    assert load_prompt(path, format=name) == kept
    if losses:
        with pytest.raises(PromptFormatError) as caught:
            save_prompt(prompt, path, format=name)
        assert [loss for loss in losses if loss not in caught.value.reason] == []
        assert load_prompt(path, format=name) == kept
    else:
        save_prompt(prompt, path, format=name)
        assert load_prompt(path, format=name) == kept
        _check_renders_alike(prompt, kept)


def _check_renders_alike(prompt: Prompt, kept: Prompt) -> None:
    values = values_for(prompt)
    try:
        before = prompt.render(values)
    except PromptAdapterError:  # the values do not fit, as where one variable is an image and a sound
        return
    assert said(kept.render(values)) == said(before)


class Chooser:
    """Chooses no examples."""

    def select_examples(self, values: dict[str, str]) -> list[dict[str, str]]:
        return []


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("form", ["converse", "append_to_user_prompt", "append_to_system_prompt"])
def test_chosen_examples_are_lost_by_name(name: str, form: str) -> None:
    prompt = Prompt("s", "u", few_shot=FewShot(Chooser(), form))
    kept, losses = held_by(prompt, name)
    assert kept.few_shot is None
    assert any("examples" in loss for loss in losses)


@given(data=st.data())
def test_what_is_said_tells_marks_and_media_apart(data: st.DataObject) -> None:
    parts = data.draw(st.lists(st.sampled_from([Text("a"), Text(""), Text("b", cache=True), Image(PNG)]), max_size=4))
    assert said([Message("user", parts)]) == said([Message("user", [*parts, Text("")])])
    assert said([Message("user", [*parts, Image(PNG)])]) != said([Message("user", parts)])


def test_what_is_not_read_back_equal_is_not_written() -> None:
    prompt = Prompt(user="Hi")
    assert read_back("text", Prompt(user="Hi"), prompt, "a letter", "a.txt") == "text"
    with pytest.raises(
        PromptFormatError, match=r"^a\.txt: a letter cannot hold this prompt: it would not be read back"
    ):
        read_back("text", Prompt(user="Ho"), prompt, "a letter", "a.txt")

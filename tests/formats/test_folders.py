"""All prompts below a folder: which are found, in which order, and that links lead nowhere else."""

import tracemalloc
from pathlib import Path

import pytest

from prompt_adapters import FewShot, Prompt, PromptAssetStore, save_prompt
from prompt_adapters.errors import PromptAdapterError, PromptDiskError, PromptFormatError, PromptNotFoundError
from prompt_adapters.formats.folders import iter_prompts

A = Prompt("Be brief.", "Hi {{ x }}", few_shot=FewShot([("a", "b")]), syntax="plain")
B = Prompt(user="Hi")


def found(root: Path) -> list[tuple[str, Prompt | type[PromptAdapterError]]]:
    return [
        (path.relative_to(root).as_posix(), result if isinstance(result, Prompt) else type(result))
        for path, result in iter_prompts(root)
    ]


def test_every_kind_in_order(tmp_path: Path) -> None:
    save_prompt(A, tmp_path / "b" / "judge")
    save_prompt(B, tmp_path / "b" / "judge" / "z.yaml")
    (tmp_path / "b" / "judge" / "notes.json").write_text("[1]", encoding="utf-8")
    save_prompt(B, tmp_path / "b.json")
    save_prompt(B, tmp_path / "é 变.prompt")
    PromptAssetStore(tmp_path / "store").add(B, "greet", "v1")
    for name, text in {
        "README.md": "user_prompt: [{text: a}]",
        "package.json": '{"name": "a"}',
        "config.yaml": "a: 1",
        "list.yaml": "- a\n- b: 1",
        "text.yml": "just a text",
        "broken.YAML": "a: [1",
        "broken.json": "{",
        "odd.prompt": "---\nunclosed",
        ".hidden.json": "{",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    save_prompt(B, tmp_path / ".git" / "p.json")
    assert found(tmp_path) == [
        ("b.json", B),
        ("broken.YAML", PromptFormatError),
        ("broken.json", PromptFormatError),
        ("odd.prompt", PromptFormatError),
        ("é 变.prompt", B.replace(syntax="percent")),
        ("b/judge", A),
        ("b/judge/z.yaml", B),
        ("store/greet/v1.yaml", B.replace(name="greet", version="v1")),
    ]


def test_each_prompt_of_a_configuration(tmp_path: Path) -> None:
    text = "prompts: ['{{ a }}', 'exec:./a.sh', {raw: b, label: judge}]\nproviders: []\n"
    (tmp_path / "promptfooconfig.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "one.yaml").write_text("prompts: c\ntests: []\n", encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("prompts: [{raw: a, label: 1}]\ntests: []\n", encoding="utf-8")
    listed = [
        ("promptfooconfig.yaml#1", Prompt(user="{{ a }}")),
        ("promptfooconfig.yaml#2", PromptFormatError),
        ("promptfooconfig.yaml#3", Prompt(user="b", name="judge")),
    ]
    assert found(tmp_path) == [("broken.yaml", PromptFormatError), ("one.yaml", Prompt(user="c")), *listed]
    assert [path.name for path, _ in iter_prompts(tmp_path / "promptfooconfig.yaml")] == [name for name, _ in listed]


def test_one_path_alone(tmp_path: Path) -> None:
    save_prompt(A, tmp_path / "judge")
    save_prompt(B, tmp_path / "b.json")
    (tmp_path / "notes.json").write_text("{}", encoding="utf-8")
    assert list(iter_prompts(tmp_path / "judge")) == [(tmp_path / "judge", A)]
    assert list(iter_prompts(str(tmp_path / "b.json"))) == [(tmp_path / "b.json", B)]
    ((_, error),) = iter_prompts(tmp_path / "notes.json")
    assert "of no known format" in str(error)
    with pytest.raises(PromptNotFoundError, match="nope"):
        iter_prompts(tmp_path / "nope")
    (tmp_path / "empty").mkdir()
    assert list(iter_prompts(tmp_path / "empty")) == []


def test_links(tmp_path: Path) -> None:
    root = tmp_path / "root"
    save_prompt(A, root / "real" / "judge")
    save_prompt(B, root / "b.json")
    save_prompt(B, tmp_path / "outside" / "secret.json")
    for name, target in {
        "again.json": "b.json",
        "dangling.json": "nope.json",
        "folder": "real",
        "loop": ".",
        "out": "../outside",
        "out.json": "../outside/secret.json",
        "out.md": "../outside/secret.json",
        "self.json": "self.json",
    }.items():
        (root / name).symlink_to(target)
    (tmp_path / "root.link").symlink_to("root")
    for place in (root, tmp_path / "root.link"):
        assert found(place) == [
            ("again.json", B),
            ("b.json", B),
            ("dangling.json", PromptNotFoundError),
            ("out", PromptFormatError),
            ("out.json", PromptFormatError),
            ("self.json", PromptDiskError),
            ("real/judge", A),
        ]
    errors = {path.name: str(error) for path, error in iter_prompts(root)}
    assert f"leads out of {root}, to {tmp_path / 'outside'}" in errors["out"]


def test_each_is_loaded_when_its_turn_comes(tmp_path: Path) -> None:
    for number in range(3):
        save_prompt(B, tmp_path / f"{number}.json")
    prompts = iter_prompts(tmp_path)
    assert next(prompts)[1] == B
    (tmp_path / "1.json").write_text("{", encoding="utf-8")
    (tmp_path / "2.json").unlink()
    assert [type(result) for _, result in prompts] == [PromptFormatError, PromptNotFoundError]


def test_none_is_kept(tmp_path: Path) -> None:
    """What is held while many are read is what one takes, and the names of the rest."""
    text = "x" * 100_000
    for number in range(60):
        save_prompt(Prompt(user=text, metadata={"n": number}), tmp_path / f"{number}.json")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    sum(1 for _ in iter_prompts(tmp_path))  # imports what is needed
    tracemalloc.start()
    assert sum(1 for _ in iter_prompts(tmp_path)) == 61
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * len(text)

import copy
import pickle
from pathlib import Path

import pytest

from prompt_adapters import errors
from prompt_adapters.errors import (
    MediaNotFoundError,
    MediaReadError,
    MissingDependencyError,
    MissingVariableError,
    PromptAdapterError,
    PromptFormatError,
    PromptNotFoundError,
    TemplateError,
    UnknownAdapterError,
    UnknownModelError,
    UnknownVariableError,
    UnsafeTemplateError,
    UnsupportedContentError,
)

ALL = [
    TemplateError("bad", line=3),
    MissingVariableError(["name"], unused=["nmae"], hint="double the sign"),
    UnknownVariableError(["nmae"], known=["name"], suggestions=["name"]),
    UnsafeTemplateError("no"),
    errors.TemplateLimitError("steps", 11, 10, "rendering takes more than 10 steps", line=2),
    errors.UnknownMediaTypeError("what"),
    errors.MediaTooLargeError(
        "s", "image (image/png)", "message 1 (user), part 1", "it has 9 bytes", "make it smaller"
    ),
    MediaReadError("broken"),
    MediaNotFoundError("gone"),
    errors.ForeignImageError("block 2 (image): it fails"),
    errors.FetchRefusedError("no"),
    UnsupportedContentError("anthropic_style", "audio (audio/wav)", "message 2 (user), part 1", "no audio", "drop it"),
    UnknownAdapterError("opnai_style", ["openai_style"], known=["openai_style"]),
    UnknownModelError("gtp-4o", ["gpt-4o"]),
    errors.NoChatModelError("voyage/voyage-3", "embeddings"),
    PromptFormatError(Path("p.prompt"), 4, "broken"),
    PromptNotFoundError("p.prompt", None, "there is no such file"),
    errors.PromptTypeError(None, None, "block 2 (text) must hold a str, not int"),
    errors.PromptDiskError("p.prompt", None, "this cannot be written: No space left on device"),
    MissingDependencyError("google-genai", "google", "SDK parts"),
]


def by_name(error: PromptAdapterError) -> str:
    return type(error).__name__


@pytest.mark.parametrize("error", ALL, ids=by_name)
def test_survives_pickling_and_copying_with_its_fields(error: PromptAdapterError) -> None:
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is type(error)
        assert str(twin) == str(error)
        assert twin.args == error.args
        assert vars(twin) == vars(error)


@pytest.mark.parametrize("error", ALL, ids=by_name)
def test_reads_as_one_line_without_the_quotes_of_a_key_error(error: PromptAdapterError) -> None:
    assert "\n" not in str(error)
    assert str(error)
    assert str(error)[0] not in "'\""


def test_every_error_of_the_module_has_the_one_base_and_is_covered_here() -> None:
    classes = {value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)}
    assert all(issubclass(cls, PromptAdapterError) for cls in classes)
    abstract = {PromptAdapterError, errors.MediaError}
    assert classes - abstract == {type(error) for error in ALL}


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    assert errors.__doc__ is not None
    drawn = {line.strip("│├└─ ").split(" ")[0] for line in errors.__doc__.splitlines() if "Error" in line}
    classes = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, PromptAdapterError)
    }
    assert drawn == classes


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (TemplateError("x"), ValueError),
        (MissingVariableError(["x"]), KeyError),
        (UnknownVariableError(["x"], known=()), KeyError),
        (MediaReadError("x"), ValueError),
        (MediaNotFoundError("x"), FileNotFoundError),
        (errors.ForeignImageError("x"), RuntimeError),
        (UnsupportedContentError("a", "b", "c", "d", "e"), ValueError),
        (UnknownAdapterError("x"), KeyError),
        (PromptFormatError(None, None, "x"), ValueError),
        (PromptNotFoundError("x", None, "y"), FileNotFoundError),
        (errors.PromptTypeError(None, None, "x"), TypeError),
        (MissingDependencyError("x", "y", "z"), ImportError),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else type(value).__name__,
)
def test_is_also_the_builtin_that_a_python_user_expects(error: Exception, builtin: type[Exception]) -> None:
    with pytest.raises(builtin):
        raise error


def test_line_breaks_become_blanks_and_other_blanks_stay() -> None:
    assert str(MediaReadError("'two  spaces.pdf':\n   a\r\nb\u2028c")) == "'two  spaces.pdf': a b c"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (TemplateError("bad", line=3), "line 3: bad"),
        (MissingVariableError(["a", "b"]), "missing variables 'a', 'b'"),
        (
            MissingVariableError(["name"], unused=["nmae"]),
            "missing variable 'name'; 'nmae' was given but is used nowhere: was it meant?",
        ),
        (UnknownVariableError(["x"], known=()), "unknown variable 'x': the prompt has no variables"),
        (
            UnknownVariableError(["nmae"], known=["name"], suggestions=["name"]),
            "unknown variable 'nmae': the prompt has 'name'; did you mean 'name'?",
        ),
        (
            UnsupportedContentError("cohere_style", "audio", "message 1 (user), part 2", "no audio", "give text"),
            "cohere_style cannot take audio at message 1 (user), part 2: no audio; give text",
        ),
        (
            UnknownAdapterError("x_style", ["a_style"], known=["a_style", "b_style"]),
            "no adapter is called 'x_style'; did you mean 'a_style'?; there are 'a_style', 'b_style'",
        ),
        (PromptFormatError("p.txt", 2, "open quote"), "p.txt: line 2: open quote"),
        (PromptFormatError(None, None, "open quote"), "open quote"),
        (MissingDependencyError("boto3", "bedrock", "X"), "X needs boto3: pip install 'prompt-adapters[bedrock]'"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_says_what_and_what_to_do(error: PromptAdapterError, sentence: str) -> None:
    assert str(error) == sentence


def test_a_model_error_names_the_suggestion_and_the_way_out() -> None:
    text = str(UnknownModelError("gtp-4o", ["gpt-4o"]))
    assert "'gtp-4o'" in text
    assert "did you mean 'gpt-4o'?" in text
    assert "openai/NAME" in text


def test_a_template_error_names_its_place() -> None:
    error = TemplateError("odd", line=2)
    assert (error.place, error.reason, str(error)) == (None, "odd", "line 2: odd")
    inner = error.at("block 1")
    outer = inner.at("message 2 (user)")
    assert str(inner) == "block 1, line 2: odd"
    assert str(outer) == "message 2 (user), block 1, line 2: odd"
    assert (outer.place, outer.line, outer.reason) == ("message 2 (user), block 1", 2, "odd")
    assert str(error) == "line 2: odd"
    assert str(pickle.loads(pickle.dumps(outer))) == str(outer)
    assert str(TemplateError("odd").at("message 1 (user)")) == "message 1 (user): odd"
    missing = MissingVariableError(["x"], hint="give it").at("message 1 (user)")
    assert (missing.names, type(missing)) == (("x",), MissingVariableError)
    assert str(missing) == "message 1 (user): missing variable 'x'; give it"

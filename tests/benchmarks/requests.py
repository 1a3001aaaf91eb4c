"""From variables to the provider's request: every case, shape and library, in one run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pybase64
from tests.benchmarks.cases import FORMATS, Case, all_cases, image_case, jpeg, png, text_case
from tests.benchmarks.peers import STYLES, converters, langchain_run, litellm_runs, renderers, requests
from tests.benchmarks.timing import Run, medians, peak, report

from prompt_adapters import Image, Prompt, get_adapter
from prompt_adapters.adapters import MessageAdapter

_TARGETS = {
    "text, 3 variables": "f-string bare x 5, invoke x 20, jinja2 x 60; LiteLLM Anthropic x 15, Bedrock x 50",
    "20 few-shot examples": "f-string x 20",
    "Jinja loop, 50 items": "jinja2 x 4",
}


def rendering() -> None:
    """Rendering alone: bare Jinja, this package, and libraries that render."""
    import jinja2

    case = text_case()
    environment = jinja2.Environment(autoescape=False)
    templates = [environment.from_string(text) for text in ("You are {{ who }}.", "Compare {{ a }} with {{ b }}.")]
    literal = Prompt(system="You are kind.", user="Compare this with that.")
    pictured = image_case("", png(100_000), "image/png")
    runs: dict[str, Run] = {
        "prompt_adapters": lambda: case.prompt.render(case.values),
        "prompt_adapters, no variables": literal.render,
        "prompt_adapters, with an image": lambda: pictured.prompt.render(pictured.values),
        "jinja2, two compiled templates": lambda: [template.render(case.values) for template in templates],
        **{f"langchain {form}": partial(case.theirs[form].format_messages, **case.values) for form in FORMATS},
        **renderers(),
    }
    report("Rendering, 3 variables", medians(runs))


def to_requests(*, litellm: bool) -> None:
    """From values to requests."""
    convert, whole = converters(), requests()
    for case in all_cases():
        theirs = litellm_runs(case) if litellm else {}
        for style in STYLES:
            if not _is_taken(case, style):
                continue
            adapter = get_adapter(style)
            runs: dict[str, Run] = {
                "prompt_adapters, request": partial(adapter.build_request, case.prompt, case.values),
                "prompt_adapters, body": partial(adapter.build_body, case.prompt, case.values),
            }
            for form in case.theirs:
                runs[f"langchain {form}, converter"] = langchain_run(case, form, convert[style], invoke=False)
                runs[f"langchain {form}, whole request"] = langchain_run(case, form, whole[style], invoke=False)
                runs[f"langchain {form}, invoke + converter"] = langchain_run(case, form, convert[style], invoke=True)
            runs |= {"litellm, conversion alone": theirs[style]} if theirs else {}
            report(f"{case.name} -> {style}", medians(runs), target=_TARGETS.get(case.name, ""))


_FORMS = {"openai_style": "data:image/jpeg;base64,", "anthropic_style": "", "bedrock_style": None}


def media() -> None:
    """A 5 MB JPEG: from the file, again, and for another provider."""
    text = text_case()
    with TemporaryDirectory() as folder:
        prompt = Prompt(system="You are {{ who }}.", user="Compare {{ a }} with this: {{ photo }}")
        for style, prefix in _FORMS.items():
            adapter = get_adapter(style)
            path = Path(folder) / f"{style}.jpg"
            path.write_bytes(jpeg(3_500_000 if style == "bedrock_style" else 5_000_000))
            kept = {"who": "a critic", "a": "that", "photo": Image(path)}

            def first(adapter: MessageAdapter = adapter, path: Path = path) -> object:
                return adapter.build_request(prompt, who="a critic", a="that", photo=Image(path))

            report(
                f"a JPEG of {len(path.read_bytes()) / 1e6:.1f} MB -> {style}, first time",
                medians({"read, encode, join": partial(_bare, path, prefix), "prompt_adapters": first}),
                target="x 1.3",
            )
            again = {
                "text alone": partial(adapter.build_request, text.prompt, text.values),
                "the same image again": partial(adapter.build_request, prompt, kept),
            }
            report(
                f"a JPEG of {len(path.read_bytes()) / 1e6:.1f} MB -> {style}, next time", medians(again), target="x 2"
            )


def _bare(path: Path, prefix: str | None) -> object:
    data = path.read_bytes()
    if prefix is None:
        return data
    text = pybase64.b64encode(data).decode("ascii")
    return prefix + text if prefix else text


def memory() -> None:
    """The most that a request holds beyond its source, in sizes of the source."""
    print("\nPeak memory (tracemalloc)   [target: 1.4 of the source's bytes per form]")
    small = image_case("a small picture", png(1000), "image/png")
    for style in STYLES:  # so that what the first picture of a process imports is not counted
        get_adapter(style).build_request(small.prompt, small.values)
    for case in all_cases():
        for style in (style for style in STYLES if _is_taken(case, style)):
            adapter = get_adapter(style)
            for kind, build in (("request", adapter.build_request), ("body", adapter.build_body)):
                fresh = _fresh(case)
                for time in ("first", "next"):
                    most = peak(partial(build, fresh.prompt, fresh.values))
                    per = f"{most / len(case.media):6.2f} of the source" if case.media else ""
                    print(f"  {case.name:24} {style:18} {kind:8} {time:6} {most:12,} bytes {per}")


def _is_taken(case: Case, style: str) -> bool:
    """Whether the shape takes the case: images of Bedrock have 3.75 MB at most."""
    return not (style == "bedrock_style" and case.media is not None and len(case.media) > 3_750_000)


def _fresh(case: Case) -> Case:
    """The case with a medium that nothing has been made of yet."""
    return case if case.media is None else case._replace(values={**case.values, "photo": Image(bytes(case.media))})

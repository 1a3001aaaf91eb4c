"""Ratios of speed, each measured side by side in one run: ``python -m tests.benchmarks`` (or ``nox -s benchmarks``).

Absolute times depend on the machine; the ratios are what to look at.
"""

import subprocess
import sys
import timeit
from collections.abc import Callable
from typing import Any

from prompt_adapters import FewShot, Image, Prompt, get_adapter

ROUNDS = 15


def microseconds(**candidates: Callable[[], object]) -> dict[str, float]:
    """The best time of each, in turns, so that a slow moment hits all alike."""
    loops = {name: max(1, int(0.02 / max(timeit.timeit(run, number=3) / 3, 1e-7))) for name, run in candidates.items()}
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(ROUNDS):
        for name, run in candidates.items():
            best[name] = min(best[name], timeit.timeit(run, number=loops[name]) / loops[name] * 1e6)
    return best


def report(title: str, times: dict[str, float], unit: str = "us") -> None:
    base = next(iter(times.values()))
    print(f"\n{title}")
    for name, value in times.items():
        print(f"  {name:34} {value:10.1f} {unit}   x {value / base:.2f}")


def rendering() -> None:
    import jinja2

    texts = "You are {{ who }}.", "Compare {{ a }} with {{ b }}."
    values = {"who": "a critic", "a": "this", "b": "that"}
    environment = jinja2.Environment(autoescape=False)
    templates = [environment.from_string(text) for text in texts]
    prompt = Prompt(system=texts[0], user=texts[1])
    image = Image(b"\x89PNG\r\n\x1a\n" + bytes(100_000))
    pictured = Prompt(system=texts[0], user="Compare {{ a }} with {{ b }}. {{ photo }}")
    report(
        "Rendering, 3 variables",
        microseconds(
            jinja2=lambda: [template.render(values) for template in templates],
            prompt=lambda: prompt.render(values),
            prompt_with_image=lambda: pictured.render({**values, "photo": image}),
        ),
    )
    adapters = {style: get_adapter(style) for style in ("openai_style", "anthropic_style", "google_style")}
    runs: dict[str, Callable[[], object]] = {"render": lambda: prompt.render(values)}
    runs |= {f"{style} text": lambda a=a: a.build_body(prompt, values) for style, a in adapters.items()}  # type: ignore[misc]  # a bound default
    report("From values to a request body", microseconds(**runs))


def langchain() -> None:
    from langchain_core.prompts import ChatPromptTemplate, FewShotChatMessagePromptTemplate
    from langchain_core.runnables import RunnableLambda

    from prompt_adapters.langchain import AdapterPromptTemplate

    values = {"who": "a critic", "q": "Why?"}
    examples = [{"input": f"in {number}", "output": f"out {number}"} for number in range(20)]
    identity: RunnableLambda[Any, Any] = RunnableLambda(lambda x: x)
    ours = AdapterPromptTemplate.from_prompt(Prompt(system="You are {{ who }}.", user="{{ q }}"))
    theirs = ChatPromptTemplate([("system", "You are {who}."), ("human", "{q}")])
    jinja = ChatPromptTemplate([("system", "You are {{ who }}."), ("human", "{{ q }}")], template_format="jinja2")
    report(
        "LangChain invoke, a text prompt",
        microseconds(
            identity=lambda: identity.invoke(values),
            AdapterPromptTemplate=lambda: ours.invoke(values),
            ChatPromptTemplate=lambda: theirs.invoke(values),
            ChatPromptTemplate_jinja2=lambda: jinja.invoke(values),
        ),
    )
    pair = ChatPromptTemplate([("human", "{input}"), ("ai", "{output}")])
    shots = FewShotChatMessagePromptTemplate(examples=examples, example_prompt=pair)
    theirs_shot = ChatPromptTemplate([("system", "You are {who}."), shots, ("human", "{q}")])
    ours_shot = AdapterPromptTemplate.from_prompt(
        Prompt(system="You are {{ who }}.", user="{{ q }}", few_shot=FewShot(examples))
    )
    report(
        "LangChain invoke, 20 examples",
        microseconds(
            AdapterPromptTemplate=lambda: ours_shot.invoke(values),
            ChatPromptTemplate=lambda: theirs_shot.invoke(values),
        ),
    )


def imports() -> None:
    def seconds(statement: str) -> float:
        timed = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
        run = [subprocess.run([sys.executable, "-c", timed], capture_output=True, check=True) for _ in range(5)]
        return min(float(result.stdout) for result in run)

    statements = {
        "import pydantic": "import pydantic; pydantic.BaseModel",
        "import prompt_adapters": "import prompt_adapters",
        "prompt_adapters.Prompt, get_adapter": "from prompt_adapters import Prompt, get_adapter",
    }
    report("Imports", {name: seconds(statement) * 1000 for name, statement in statements.items()}, "ms")


if __name__ == "__main__":
    rendering()
    langchain()
    imports()

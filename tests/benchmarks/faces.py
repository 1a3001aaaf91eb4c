"""The LangChain face: what `invoke` costs beyond LangChain's own runnables."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.benchmarks.cases import few_shot_case, text_case
from tests.benchmarks.timing import Run, medians, report


def langchain_face() -> None:
    """`AdapterPromptTemplate.invoke`, an identity, and LangChain's chat prompts."""
    from langchain_core.runnables import RunnableLambda

    from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable

    identity: RunnableLambda[Any, Any] = RunnableLambda(lambda x: x)
    targets = {"text, 3 variables": "identity x 1.15", "20 few-shot examples": "f-string x 4, jinja2 x 8"}
    for case in (text_case(), few_shot_case()):
        ours = AdapterPromptTemplate.from_prompt(case.prompt)
        runs: dict[str, Run] = {
            "AdapterPromptTemplate.invoke": partial(ours.invoke, case.values),
            "RunnableLambda(lambda x: x).invoke": partial(identity.invoke, case.values),
        }
        for form, template in case.theirs.items():
            runs[f"ChatPromptTemplate.invoke {form}"] = partial(template.invoke, case.their_values)
        report(f"LangChain invoke, {case.name}", medians(runs), target=targets[case.name])
    case = text_case()
    link, values = AdapterRunnable("openai_style", prompt=case.prompt), [case.values] * 20
    batches: dict[str, Run] = {
        "AdapterRunnable.batch of 20": partial(link.batch, values),
        "RunnableLambda(lambda x: x).batch of 20": partial(identity.batch, values),
    }
    report("LangChain batch", medians(batches))

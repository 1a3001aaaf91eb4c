"""The checks, each by its name: ``nox -s lint types tests-3.11 contract fuzz concurrency cookbook bench build``."""

import nox

nox.options.default_venv_backend = "venv"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["lint", "types", "tests"]

PYTHONS = ["3.11", "3.12", "3.13"]


@nox.session
def lint(session: nox.Session) -> None:
    """Style and formatting."""
    session.install(".[lint]")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session
def types(session: nox.Session) -> None:
    """Types of the package, the tests and the recipes."""
    session.install("--editable", ".[lint,test]")
    session.run("mypy")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """All tests, against the installed package."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session
def contract(session: nox.Session) -> None:
    """Requests against the official clients' types, and through the clients to a server on this machine."""
    session.install(".[test]")
    session.run("pytest", "tests/contract", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """At least 200,000 made-up inputs for everything that reads, a few minutes of each target."""
    session.install(".[test]")
    session.run("python", "-m", "tests.security.fuzz", "--least", "200000", *session.posargs)


@nox.session
def concurrency(session: nox.Session) -> None:
    """Threads and tasks that render, save and load the same prompts, for half a minute."""
    session.install(".[test]")
    session.run("pytest", "tests/security/test_concurrency.py", *session.posargs, env={"CONCURRENCY_SECONDS": "30"})


@nox.session
def cookbook(session: nox.Session) -> None:
    """Every recipe, to its last assertion."""
    session.install(".[test]")
    session.run("pytest", "tests/test_cookbook.py", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Ratios of speed, measured in one run; never part of the tests."""
    session.install(".[test]", "pytest-benchmark", "dotpromptz")
    session.run("python", "-m", "tests.benchmarks", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """The wheel and the source archive, and that the wheel installs and runs."""
    session.install("build")
    session.run("python", "-m", "build", "--outdir", session.create_tmp())
    session.install(".")
    session.run("prompt-adapters", "adapters")

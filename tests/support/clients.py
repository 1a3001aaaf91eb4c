"""The official clients, sent to a server on this machine, and what each of them adds to a request or takes from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import anthropic
import boto3  # type: ignore[import-untyped]  # it has no types
import botocore.exceptions  # type: ignore[import-untyped]  # it has no types
import cohere
import mistralai.client
import ollama
import openai
import pytest
from botocore.config import Config  # type: ignore[import-untyped]  # it has no types
from google import genai
from google.genai.types import HttpOptions, HttpRetryOptions
from pydantic.alias_generators import to_camel

# Names below which the keys are the author's or the schema's.
OWN = {
    "additionalModelRequestFields",
    "args",
    "arguments",
    "input",
    "json_schema",
    "labels",
    "metadata",
    "properties",
    "response",
    "responseJsonSchema",
    "schema",
}


def send_openai(url: str, request: dict[str, Any]) -> None:
    with (
        openai.OpenAI(base_url=f"{url}/v1", api_key="sk-test", max_retries=0) as client,
        pytest.raises(openai.BadRequestError),
    ):
        client.chat.completions.create(**request)


def send_openai_responses(url: str, request: dict[str, Any]) -> None:
    with (
        openai.OpenAI(base_url=f"{url}/v1", api_key="sk-test", max_retries=0) as client,
        pytest.raises(openai.BadRequestError),
    ):
        client.responses.create(**request)


def send_anthropic(url: str, request: dict[str, Any]) -> None:
    with (
        anthropic.Anthropic(base_url=url, api_key="test", max_retries=0) as client,
        pytest.raises(anthropic.BadRequestError),
    ):
        client.messages.create(**request)


def send_google(url: str, request: dict[str, Any]) -> None:
    options = HttpOptions(base_url=url, retry_options=HttpRetryOptions(attempts=1))
    with genai.Client(api_key="test", http_options=options) as client, pytest.raises(genai.errors.ClientError):
        client.models.generate_content(**request)


def send_bedrock(url: str, request: dict[str, Any]) -> None:
    with pytest.raises(botocore.exceptions.ClientError):
        bedrock_client(url).converse(**request)


def send_mistral(url: str, request: dict[str, Any]) -> None:
    with (
        mistralai.client.Mistral(api_key="test", server_url=url) as client,
        pytest.raises(mistralai.client.errors.SDKError, match="Status 400"),
    ):
        client.chat.complete(**request)


def send_cohere(url: str, request: dict[str, Any]) -> None:
    with cohere.ClientV2(api_key="test", base_url=url) as client, pytest.raises(cohere.BadRequestError):
        client.chat(**request)


def send_ollama(url: str, request: dict[str, Any]) -> None:
    with ollama.Client(host=url) as client, pytest.raises(ollama.ResponseError):
        client.chat(**request)


@lru_cache(maxsize=1)
def bedrock_client(url: str) -> Any:
    once = Config(retries={"total_max_attempts": 1})
    keys = {"aws_access_key_id": "AKIATEST", "aws_secret_access_key": "secret"}
    return boto3.client("bedrock-runtime", endpoint_url=url, region_name="us-east-1", config=once, **keys)


def as_arrived(body: dict[str, Any]) -> dict[str, Any]:
    return body


def without_google_s_habits(value: Any, name: str = "") -> Any:
    """Google's client leaves nested names in its own spelling, and writes base64 in the URL-safe alphabet."""
    if isinstance(value, list):
        return [without_google_s_habits(item, name) for item in value]
    if isinstance(value, dict) and name in OWN:
        return value
    if isinstance(value, dict):
        return {to_camel(key): without_google_s_habits(item, to_camel(key)) for key, item in value.items()}
    if name == "data":
        return value.replace("-", "+").replace("_", "/")
    return value


def google_arrived(body: dict[str, Any]) -> dict[str, Any]:
    """The body without the client's habits.

    A system instruction that is a text gets a role, and a config without parameters an empty object; neither means
    anything.
    """
    plain: dict[str, Any] = without_google_s_habits(body)
    plain.get("systemInstruction", {}).pop("role", None)
    return {key: value for key, value in plain.items() if value != {}}


def mistral_arrived(body: dict[str, Any]) -> dict[str, Any]:
    """The body without what the client states although it is the default."""
    messages = []
    for message in body["messages"]:
        message = {key: value for key, value in message.items() if (key, value) != ("prefix", False)}
        if "tool_calls" in message:
            message["tool_calls"] = [{k: v for k, v in call.items() if k != "index"} for call in message["tool_calls"]]
        messages.append(message)
    return {key: value for key, value in body.items() if key != "stream"} | {"messages": messages}


def cohere_arrived(body: dict[str, Any]) -> dict[str, Any]:
    """The body without `stream`, which is the name of the client's method."""
    return {key: value for key, value in body.items() if key != "stream"}


def ollama_arrived(body: dict[str, Any]) -> dict[str, Any]:
    """The body with the empty contents that the client takes out, and without its empty list of tools."""
    messages = [{"content": "", **message} for message in body["messages"]]
    return {key: value for key, value in body.items() if (key, value) != ("tools", [])} | {"messages": messages}


CLIENTS: dict[str, tuple[Callable[[str, dict[str, Any]], None], Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "openai_style": (send_openai, as_arrived, "/v1/chat/completions"),
    "openai_responses_style": (send_openai_responses, as_arrived, "/v1/responses"),
    "anthropic_style": (send_anthropic, as_arrived, "/v1/messages"),
    "google_style": (send_google, google_arrived, "/v1/models/{model}:generateContent"),
    "bedrock_style": (send_bedrock, as_arrived, "/model/{model}/converse"),
    "mistral_style": (send_mistral, mistral_arrived, "/v1/chat/completions"),
    "cohere_style": (send_cohere, cohere_arrived, "/v2/chat"),
    "ollama_style": (send_ollama, ollama_arrived, "/api/chat"),
}

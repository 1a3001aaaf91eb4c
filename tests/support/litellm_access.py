"""The arguments by which ``litellm.completion`` calls a server on this machine in a provider's place."""

from __future__ import annotations

from typing import Any


def access(model: str, url: str) -> dict[str, Any]:
    """Address and fake keys, and no second try.

    Args:
        model: The model string, prefix included.
        url: The server's address.
    """
    common: dict[str, Any] = {"num_retries": 0, "max_retries": 0}
    match model.partition("/")[0]:
        case "vertex_ai":
            return common | {"api_base": url, "vertex_project": "p", "vertex_location": "us-east5"}
        case "bedrock":
            keys = {"aws_access_key_id": "fake", "aws_secret_access_key": "fake", "aws_region_name": "us-east-1"}
            return common | {"aws_bedrock_runtime_endpoint": url} | keys
        case "watsonx":
            return common | {"api_base": url, "token": "fake", "project_id": "p"}
        case "cohere_chat" | "cohere":
            return common | {"api_base": f"{url}/v2/chat", "api_key": "fake"}
        case "azure":
            return common | {"api_base": url, "api_key": "fake", "api_version": "2024-10-21"}
    return common | {"api_base": url, "api_key": "fake"}

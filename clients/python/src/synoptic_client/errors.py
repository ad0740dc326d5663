"""What the server refuses or fails at, by what a caller can do about it."""

from __future__ import annotations

from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


class SynopticError(Exception):
    """An answer that is no success."""

    status: int
    kind: str
    """For programs, such as `embeddings-missing`; empty where the answer is no problem of Synoptic, as one of a proxy."""
    errors: list[dict[str, str]]
    """What is wrong with the request, as `path` and `message`; empty where it is not at fault."""
    request_id: str | None
    """Finds the request in the log of the server."""
    retry_after: float | None
    """Seconds after which another try may succeed, as the server says."""

    def __init__(self, response: httpx.Response) -> None:
        body = _members_of(response)
        error = body.get("error")
        nested = error.get("message") if isinstance(error, dict) else error
        candidates = (body.get("detail"), nested, body.get("message"))
        texts = [text for text in candidates if isinstance(text, str) and text]
        super().__init__(texts[0] if texts else f"status {response.status_code}")
        self.status = response.status_code
        self.kind = str(body.get("type") or "").rpartition(":")[2]
        errors = body.get("errors")
        self.errors = errors if isinstance(errors, list) else []
        self.request_id = response.headers.get("x-request-id")
        self.retry_after = retry_after_of(response)


class InvalidRequestError(SynopticError):
    """The request is at fault: 400 and other 4xx; `errors` says where."""


class AccessError(SynopticError):
    """The key is missing or unknown (401), or does not open this route (403)."""


class NotFoundError(SynopticError):
    """No such entry, model or path: 404."""


class RateLimitedError(SynopticError):
    """Too many requests: 429. `retry_after` says how long to wait."""


class UnavailableError(SynopticError):
    """The server is overloaded, or what the request needs is out of service: 503."""


class ServerError(SynopticError):
    """The server failed: 500 and other 5xx."""


_CLASSES: dict[int, type[SynopticError]] = {
    401: AccessError,
    403: AccessError,
    404: NotFoundError,
    429: RateLimitedError,
    503: UnavailableError,
}


def error_of(response: httpx.Response) -> SynopticError:
    other = InvalidRequestError if response.status_code < 500 else ServerError
    return _CLASSES.get(response.status_code, other)(response)


def retry_after_of(response: httpx.Response) -> float | None:
    """Seconds or a date, as RFC 9110 has it."""
    text = response.headers.get("retry-after", "").strip()
    if text.isdigit():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())


def _members_of(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}

"""What each method sends and reads; the clients send it, at once or awaited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel
from tenacity import RetryCallState, retry_if_result, stop_after_attempt

from . import models
from .errors import error_of, retry_after_of
from .operations import OPERATIONS

Dataset = Literal["anime", "manga"]
Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True)
class Call(Generic[Answer]):
    operation: str
    answer: type[Answer]
    members: Mapping[str, Any] = field(default_factory=dict)
    """Of the body and the query; the operation decides which is which."""
    path: Mapping[str, object] = field(default_factory=dict)
    body: Any = None
    """In the place of one made of members."""

    def request(self, client: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        method, template, names = OPERATIONS[self.operation]
        path = template.format(
            **{name: quote(str(value), safe="") for name, value in self.path.items()}
        )
        given = {name: value for name, value in self.members.items() if value is not None}
        query = {name: value for name, value in given.items() if name in names}
        body = {name: value for name, value in given.items() if name not in names}
        if self.body is not None:
            return client.build_request(method, path, params=query, json=self.body)
        if method == "POST":
            return client.build_request(method, path, params=query, json=body)
        if body:
            raise TypeError(f"unknown: {', '.join(body)}")
        return client.build_request(method, path, params=query)

    def read(self, response: httpx.Response) -> Answer:
        if not response.is_success:
            raise error_of(response)
        return self.answer.model_validate_json(response.content)


def retry_policy(retries: int, max_retry_seconds: float) -> dict[str, Any]:
    """Retries after 429 and 503 if the server says when, and that is soon enough."""

    def is_worth_waiting(response: httpx.Response) -> bool:
        seconds = retry_after_of(response)
        return (
            response.status_code in (429, 503)
            and seconds is not None
            and seconds <= max_retry_seconds
        )

    def result_of(state: RetryCallState) -> Any:
        return state.outcome.result() if state.outcome else None

    return {
        "retry": retry_if_result(is_worth_waiting),
        "stop": stop_after_attempt(retries + 1),
        "wait": lambda state: retry_after_of(result_of(state)) or 0.0,
        "retry_error_callback": result_of,
    }


def settings_of(
    base_url: str, api_key: str | None, headers: Mapping[str, str] | None, timeout: float | None
) -> dict[str, Any]:
    key = {} if api_key is None else {"authorization": f"Bearer {api_key}"}
    return {"base_url": base_url, "headers": {**(headers or {}), **key}, "timeout": timeout}


def search(dataset: Dataset, query: str, options: Mapping[str, Any]) -> Call[models.SearchAnswer]:
    return Call(f"search{_named(dataset)}", models.SearchAnswer, {**options, "query": query})


def search_each(
    dataset: Dataset, queries: Sequence[str], options: Mapping[str, Any]
) -> Call[models.SearchAnswers]:
    members = {**options, "queries": list(queries)}
    return Call(f"search{_named(dataset)}", models.SearchAnswers, members)


def search_model(
    dataset: Dataset, description: str, options: Mapping[str, Any]
) -> Call[models.SearchModelAnswer]:
    members = {**options, "description": description}
    return Call(f"searchModel{_named(dataset)}", models.SearchModelAnswer, members)


def search_model_each(
    dataset: Dataset, descriptions: Sequence[str], options: Mapping[str, Any]
) -> Call[models.SearchModelAnswers]:
    members = {**options, "descriptions": list(descriptions)}
    return Call(f"searchModel{_named(dataset)}", models.SearchModelAnswers, members)


def similar(dataset: Dataset, id: int, options: Mapping[str, Any]) -> Call[models.SimilarAnswer]:
    return Call(f"similar{_named(dataset)}", models.SimilarAnswer, options, {"id": id})


def titles(dataset: Dataset, prefix: str, options: Mapping[str, Any]) -> Call[models.Titles]:
    members = {**options, "prefix": prefix}
    return Call(f"complete{_named(dataset)}Titles", models.Titles, members)


def entry(dataset: Dataset, id: int) -> Call[models.Entry]:
    return Call(f"get{_named(dataset)}Entry", models.Entry, path={"id": id})


def facets(dataset: Dataset) -> Call[models.Facets]:
    return Call(f"count{_named(dataset)}Facets", models.Facets)


def confirm(dataset: Dataset, query: str, work: int, rank: int) -> Call[models.FeedbackAnswer]:
    members = {"query": query, "work": work, "rank": rank}
    return Call(f"confirm{_named(dataset)}", models.FeedbackAnswer, members)


def put_entries(dataset: Dataset, entries: Sequence[Mapping[str, Any]]) -> Call[models.Task]:
    return Call(f"put{_named(dataset)}Entries", models.Task, body=list(entries))


def patch_entry(dataset: Dataset, id: int, changes: Mapping[str, Any]) -> Call[models.Task]:
    return Call(f"patch{_named(dataset)}Entry", models.Task, path={"id": id}, body=dict(changes))


def delete_entry(dataset: Dataset, id: int) -> Call[models.Task]:
    return Call(f"delete{_named(dataset)}Entry", models.Task, path={"id": id})


def delete_entries(dataset: Dataset, deletion: Mapping[str, Any]) -> Call[models.Task]:
    return Call(f"delete{_named(dataset)}Entries", models.Task, body=dict(deletion))


def tasks(status: str | None, limit: int | None) -> Call[models.Tasks]:
    return Call("listTasks", models.Tasks, {"status": status, "limit": limit})


def task(id: int) -> Call[models.Task]:
    return Call("getTask", models.Task, path={"id": id})


def list_models() -> Call[models.Models]:
    return Call("listModels", models.Models)


def get_model(name: str) -> Call[models.Model]:
    return Call("getModel", models.Model, path={"name": name})


def health() -> Call[models.Health]:
    return Call("getHealth", models.Health)


def is_last(page: int, pagination: models.Pagination | None) -> bool:
    return pagination is None or page >= pagination.totalPages


def _named(dataset: Dataset) -> str:
    if dataset not in ("anime", "manga"):
        raise ValueError(f"expected anime or manga, received {dataset!r}")
    return dataset.capitalize()

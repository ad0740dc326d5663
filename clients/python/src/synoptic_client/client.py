"""The client whose methods answer at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx
from tenacity import Retrying
from typing_extensions import Self, Unpack

from . import calls
from . import models as m
from .calls import Answer, Call, Dataset
from .options import SearchModelOptions, SearchOptions, SimilarOptions, TitlesOptions


class Synoptic:
    """A Synoptic server; use it in `with`, or close it.

    Methods raise a SynopticError for an answer that is no success, and errors of httpx where none comes.
    `retries` is how often a request is sent again after 429 or 503 with Retry-After, where that is at most
    `max_retry_seconds`; `timeout` is how long one try may take. Further keywords go to httpx, such as
    `transport` or `verify`.
    """

    http: httpx.Client
    """Any other route, by hand: with the address and the key, without retries."""

    def __init__(
        self,
        base_url: str = "http://localhost:8000",
        *,
        api_key: str | None = None,
        retries: int = 2,
        max_retry_seconds: float = 30,
        timeout: float | None = 60,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        settings = calls.settings_of(base_url, api_key, headers, timeout)
        self.http = httpx.Client(**settings, **more)
        self._policy = calls.retry_policy(retries, max_retry_seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.http.close()

    def _send(self, call: Call[Answer]) -> Answer:
        request = call.request(self.http)
        response: httpx.Response = Retrying(**self._policy)(self.http.send, request)
        return call.read(response)

    def search(
        self, dataset: Dataset, query: str, **options: Unpack[SearchOptions]
    ) -> m.SearchAnswer:
        """Works that fit a query, by a ranker that reads query and synopsis together."""
        return self._send(calls.search(dataset, query, options))

    def search_each(
        self, dataset: Dataset, queries: Sequence[str], **options: Unpack[SearchOptions]
    ) -> list[m.SearchAnswer | m.FailedText]:
        """The same for up to 64 queries; answers come in their order."""
        return (self._send(calls.search_each(dataset, queries, options))).answers

    def search_all(
        self, dataset: Dataset, query: str, **options: Unpack[SearchOptions]
    ) -> Iterator[m.RankedEntry]:
        """The results of `search` over all pages, each page read when it is needed."""
        page = options.get("page", 1)
        while True:
            options["page"] = page
            answer = self.search(dataset, query, **options)
            for result in answer.results:
                yield result
            if calls.is_last(page, answer.pagination):
                return
            page += 1

    def search_model(
        self, dataset: Dataset, description: str, **options: Unpack[SearchModelOptions]
    ) -> m.SearchModelAnswer:
        """Works whose texts are near a description, by a named model."""
        return self._send(calls.search_model(dataset, description, options))

    def search_model_each(
        self, dataset: Dataset, descriptions: Sequence[str], **options: Unpack[SearchModelOptions]
    ) -> list[m.SearchModelAnswer | m.FailedText]:
        """The same for up to 64 descriptions; answers come in their order."""
        return (self._send(calls.search_model_each(dataset, descriptions, options))).answers

    def search_model_all(
        self, dataset: Dataset, description: str, **options: Unpack[SearchModelOptions]
    ) -> Iterator[m.SimilarEntry]:
        """The results of `search_model` over all pages, each page read when it is needed."""
        page = options.get("page", 1)
        while True:
            options["page"] = page
            answer = self.search_model(dataset, description, **options)
            for result in answer.results:
                yield result
            if calls.is_last(page, answer.pagination):
                return
            page += 1

    def similar(
        self, dataset: Dataset, id: int, **options: Unpack[SimilarOptions]
    ) -> m.SimilarAnswer:
        """The works most like a work."""
        return self._send(calls.similar(dataset, id, options))

    def similar_all(
        self, dataset: Dataset, id: int, **options: Unpack[SimilarOptions]
    ) -> Iterator[m.SimilarEntry]:
        """The results of `similar` over all pages, each page read when it is needed."""
        page = options.get("page", 1)
        while True:
            options["page"] = page
            answer = self.similar(dataset, id, **options)
            for result in answer.results:
                yield result
            if calls.is_last(page, answer.pagination):
                return
            page += 1

    def titles(
        self, dataset: Dataset, prefix: str, **options: Unpack[TitlesOptions]
    ) -> list[m.CompletedTitle]:
        """Titles while somebody types."""
        return (self._send(calls.titles(dataset, prefix, options))).titles

    def entry(self, dataset: Dataset, id: int) -> m.Entry:
        """All that is known of a work."""
        return self._send(calls.entry(dataset, id))

    def facets(self, dataset: Dataset) -> m.Facets:
        """What works can be filtered by, with counts."""
        return self._send(calls.facets(dataset))

    def confirm(self, dataset: Dataset, query: str, work: int, rank: int) -> None:
        """Reports to the server which result was the right one; it needs `--feedback`."""
        self._send(calls.confirm(dataset, query, work, rank))

    def put_entries(self, dataset: Dataset, entries: Sequence[Mapping[str, Any]]) -> m.Task:
        """Adds entries, and replaces those with the same ids; at most 10,000.

        It needs a key with the scope `write`, as do the next.
        """
        return self._send(calls.put_entries(dataset, entries))

    def patch_entry(self, dataset: Dataset, id: int, changes: Mapping[str, Any]) -> m.Task:
        """Changes members of an entry."""
        return self._send(calls.patch_entry(dataset, id, changes))

    def delete_entry(self, dataset: Dataset, id: int) -> m.Task:
        """Deletes an entry."""
        return self._send(calls.delete_entry(dataset, id))

    def delete_entries(self, dataset: Dataset, deletion: Mapping[str, Any]) -> m.Task:
        """Deletes entries by ids, or by the conditions of a search."""
        return self._send(calls.delete_entries(dataset, deletion))

    def tasks(self, status: str | None = None, limit: int | None = None) -> list[m.Task]:
        """The latest writes, the newest first."""
        return (self._send(calls.tasks(status, limit))).tasks

    def task(self, id: int) -> m.Task:
        """What became of a write: searches find it once it is `done`."""
        return self._send(calls.task(id))

    def models(self) -> m.Models:
        """The models that may be named."""
        return self._send(calls.list_models())

    def model(self, name: str) -> m.Model:
        """What is known of one of them."""
        return self._send(calls.get_model(name))

    def health(self) -> m.Health:
        """The state of the server."""
        return self._send(calls.health())

"""The client whose methods are awaited."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import httpx
from tenacity import AsyncRetrying
from typing_extensions import Self, Unpack

from . import calls
from . import models as m
from .calls import Answer, Call, Dataset
from .options import SearchModelOptions, SearchOptions, SimilarOptions, TitlesOptions


class AsyncSynoptic:
    """A Synoptic server; use it in `async with`, or close it.

    Methods raise a SynopticError for an answer that is no success, and errors of httpx where none comes.
    `retries` is how often a request is sent again after 429 or 503 with Retry-After, where that is at most
    `max_retry_seconds`; `timeout` is how long one try may take. Further keywords go to httpx, such as
    `transport` or `verify`.
    """

    http: httpx.AsyncClient
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
        self.http = httpx.AsyncClient(**settings, **more)
        self._policy = calls.retry_policy(retries, max_retry_seconds)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self.http.aclose()

    async def _send(self, call: Call[Answer]) -> Answer:
        request = call.request(self.http)
        response: httpx.Response = await AsyncRetrying(**self._policy)(self.http.send, request)
        return call.read(response)

    async def search(
        self, dataset: Dataset, query: str, **options: Unpack[SearchOptions]
    ) -> m.SearchAnswer:
        """Works that fit a query, by a ranker that reads query and synopsis together."""
        return await self._send(calls.search(dataset, query, options))

    async def search_each(
        self, dataset: Dataset, queries: Sequence[str], **options: Unpack[SearchOptions]
    ) -> list[m.SearchAnswer | m.FailedText]:
        """The same for up to 64 queries; answers come in their order."""
        return (await self._send(calls.search_each(dataset, queries, options))).answers

    async def search_all(
        self, dataset: Dataset, query: str, **options: Unpack[SearchOptions]
    ) -> AsyncIterator[m.RankedEntry]:
        """The results of `search` over all pages, each page read when it is needed."""
        page = options.get("page", 1)
        while True:
            options["page"] = page
            answer = await self.search(dataset, query, **options)
            for result in answer.results:
                yield result
            if calls.is_last(page, answer.pagination):
                return
            page += 1

    async def search_model(
        self, dataset: Dataset, description: str, **options: Unpack[SearchModelOptions]
    ) -> m.SearchModelAnswer:
        """Works whose texts are near a description, by a named model."""
        return await self._send(calls.search_model(dataset, description, options))

    async def search_model_each(
        self, dataset: Dataset, descriptions: Sequence[str], **options: Unpack[SearchModelOptions]
    ) -> list[m.SearchModelAnswer | m.FailedText]:
        """The same for up to 64 descriptions; answers come in their order."""
        return (await self._send(calls.search_model_each(dataset, descriptions, options))).answers

    async def search_model_all(
        self, dataset: Dataset, description: str, **options: Unpack[SearchModelOptions]
    ) -> AsyncIterator[m.SimilarEntry]:
        """The results of `search_model` over all pages, each page read when it is needed."""
        page = options.get("page", 1)
        while True:
            options["page"] = page
            answer = await self.search_model(dataset, description, **options)
            for result in answer.results:
                yield result
            if calls.is_last(page, answer.pagination):
                return
            page += 1

    async def similar(
        self, dataset: Dataset, id: int, **options: Unpack[SimilarOptions]
    ) -> m.SimilarAnswer:
        """The works most like a work."""
        return await self._send(calls.similar(dataset, id, options))

    async def similar_all(
        self, dataset: Dataset, id: int, **options: Unpack[SimilarOptions]
    ) -> AsyncIterator[m.SimilarEntry]:
        """The results of `similar` over all pages, each page read when it is needed."""
        page = options.get("page", 1)
        while True:
            options["page"] = page
            answer = await self.similar(dataset, id, **options)
            for result in answer.results:
                yield result
            if calls.is_last(page, answer.pagination):
                return
            page += 1

    async def titles(
        self, dataset: Dataset, prefix: str, **options: Unpack[TitlesOptions]
    ) -> list[m.CompletedTitle]:
        """Titles while somebody types."""
        return (await self._send(calls.titles(dataset, prefix, options))).titles

    async def entry(self, dataset: Dataset, id: int) -> m.Entry:
        """All that is known of a work."""
        return await self._send(calls.entry(dataset, id))

    async def facets(self, dataset: Dataset) -> m.Facets:
        """What works can be filtered by, with counts."""
        return await self._send(calls.facets(dataset))

    async def confirm(self, dataset: Dataset, query: str, work: int, rank: int) -> None:
        """Reports to the server which result was the right one; it needs `--feedback`."""
        await self._send(calls.confirm(dataset, query, work, rank))

    async def put_entries(self, dataset: Dataset, entries: Sequence[Mapping[str, Any]]) -> m.Task:
        """Adds entries, and replaces those with the same ids; at most 10,000.

        It needs a key with the scope `write`, as do the next.
        """
        return await self._send(calls.put_entries(dataset, entries))

    async def patch_entry(self, dataset: Dataset, id: int, changes: Mapping[str, Any]) -> m.Task:
        """Changes members of an entry."""
        return await self._send(calls.patch_entry(dataset, id, changes))

    async def delete_entry(self, dataset: Dataset, id: int) -> m.Task:
        """Deletes an entry."""
        return await self._send(calls.delete_entry(dataset, id))

    async def delete_entries(self, dataset: Dataset, deletion: Mapping[str, Any]) -> m.Task:
        """Deletes entries by ids, or by the conditions of a search."""
        return await self._send(calls.delete_entries(dataset, deletion))

    async def tasks(self, status: str | None = None, limit: int | None = None) -> list[m.Task]:
        """The latest writes, the newest first."""
        return (await self._send(calls.tasks(status, limit))).tasks

    async def task(self, id: int) -> m.Task:
        """What became of a write: searches find it once it is `done`."""
        return await self._send(calls.task(id))

    async def models(self) -> m.Models:
        """The models that may be named."""
        return await self._send(calls.list_models())

    async def model(self, name: str) -> m.Model:
        """What is known of one of them."""
        return await self._send(calls.get_model(name))

    async def health(self) -> m.Health:
        """The state of the server."""
        return await self._send(calls.health())

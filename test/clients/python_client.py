"""Calls servers by clients/python, at once and awaited, and prints what it was answered."""

import asyncio
import inspect
import json
import sys
from itertools import count

import httpx
from synoptic_client import AsyncSynoptic, FailedText, Synoptic, SynopticError

base_url, limited, slow, guarded, crowded, api_key = sys.argv[1:]
description = "a boy who gains a notebook that kills"
model = "static-en"


async def of(value):
    """What a call answers, or all that it lists."""
    if inspect.isawaitable(value):
        return await value
    if hasattr(value, "__aiter__"):
        return [one async for one in value]
    if inspect.isgenerator(value):
        return list(value)
    return value


async def error_of(call):
    try:
        await of(call())
    except SynopticError as error:
        bounded = None if error.retry_after is None else error.retry_after > 30
        paths = [one["path"] for one in error.errors]
        return [type(error).__name__, error.status, error.kind, paths, bounded]
    raise AssertionError("expected an error")


class Counting:
    """Counts statuses of a client."""

    def __init__(self, is_async):
        self.statuses = []
        self.hooks = {"response": [self.awaited if is_async else self.count]}

    def count(self, response):
        self.statuses.append(response.status_code)

    async def awaited(self, response):
        self.count(response)


async def answers_of(kind, client):
    results = {}
    answer = await of(client.search("manga", description, num_results=3, candidates="all"))
    results["search"] = [len(answer.results), answer.candidates_scored == answer.entries_total]
    good, bad = await of(client.search_each("anime", [description, " "], num_results=1))
    results["each"] = [good.results[0].title, isinstance(bad, FailedText) and bad.error.path]
    wrong, right = await of(client.search_model_each("anime", [" ", description], model=model))
    results["model_each"] = [wrong.error.path, len(right.results), right.meta.model]
    words = await of(client.search_model("anime", "robot", mode="lexical"))
    results["lexical"] = [words.meta.mode, words.meta.model]
    (title,) = await of(client.titles("anime", "death n", limit=1))
    entry = await of(client.entry("anime", title.id))
    results["entry"] = [entry.title, entry.id == title.id]
    near = await of(client.similar("anime", title.id, resultsPerPage=2, type=["tv", "movie"]))
    results["similar"] = len(near.results)
    results["facets"] = len((await of(client.facets("manga"))).types) > 0
    results["models"] = "Similarity models" in (await of(client.models())).models
    results["model"] = (await of(client.model("builtin/static-en"))).installed
    results["health"] = (await of(client.health())).status
    await of(client.confirm("anime", description, title.id, 1))

    paged = {"model": model, "resultsPerPage": 40}
    first = await of(client.search_model("anime", description, **paged))
    ranks = [one.rank for one in await of(client.search_model_all("anime", description, **paged))]
    results["pages"] = ranks == list(range(1, first.pagination.totalResults + 1))
    ranked = await of(client.search_all("anime", description, num_results=30))
    results["ranked_pages"] = len({one.id for one in ranked})
    results["similar_pages"] = len(await of(client.similar_all("anime", title.id, resultsPerPage=50))) > 50

    results["invalid"] = await error_of(lambda: client.search("anime", "a", num_results=0))
    results["missing"] = await error_of(lambda: client.entry("anime", 999_999_999))
    results["failed"] = await error_of(
        lambda: client.search_model("anime", description, model="all-MiniLM-L6-v2")
    )
    results["keyless"] = await error_of(lambda: kind(guarded).search("anime", description))
    with_key = await of(kind(guarded, api_key=api_key).search("anime", description))
    results["key"] = len(with_key.results)
    writer = kind(guarded, api_key=api_key)
    written = [
        await of(writer.put_entries("manga", [{"id": 990001, "title": "Written"}])),
        await of(writer.patch_entry("manga", 990001, {"year": 1999})),
        await of(writer.delete_entry("manga", 990001)),
        await of(writer.delete_entries("manga", {"ids": [990001]})),
    ]
    results["written"] = [task.kind for task in written]
    results["tasks"] = (await of(writer.tasks(limit=1)))[0].id == written[-1].id
    results["task"] = (await of(writer.task(written[0].id))).entries
    try:
        await of(kind("http://127.0.0.1:1").health())
    except httpx.ConnectError:
        results["unreachable"] = True
    return results


async def waiting_of(kind):
    results = {}
    counting = Counting(kind is AsyncSynoptic)
    patient = kind(limited, retries=50, event_hooks=counting.hooks)
    for _ in count():
        answer = await of(patient.search_model("anime", description, model=model))
        assert len(answer.results) == 10
        if 429 in counting.statuses:
            break
    results["patient"] = counting.statuses[-2:]
    batch = await of(patient.search_model_each("anime", [description] * 2, model=model))
    results["batch"] = [len(answer.results) for answer in batch]
    counting = Counting(kind is AsyncSynoptic)
    hasty = kind(slow, event_hooks=counting.hooks)
    results["hasty"] = await error_of(lambda: hasty.search_model("anime", description, model=model))
    results["tries"] = counting.statuses
    return results


async def crowd():
    """Several at once at a server that takes one: those that are refused with 503 ask again."""
    counting = Counting(True)
    async with AsyncSynoptic(crowded, retries=50, event_hooks=counting.hooks) as client:
        while 503 not in counting.statuses:
            answers = await asyncio.gather(
                *(client.search("manga", description, candidates="all") for _ in range(3))
            )
    return [len(answers), counting.statuses[-1]]


async def main():
    results = {}
    with Synoptic(base_url) as client:
        results["sync"] = {**await answers_of(Synoptic, client), **await waiting_of(Synoptic)}
    async with AsyncSynoptic(base_url) as client:
        results["async"] = {**await answers_of(AsyncSynoptic, client), **await waiting_of(AsyncSynoptic)}
        both = await asyncio.gather(client.health(), client.search("anime", description))
        results["together"] = len(both)
    results["crowd"] = await crowd()
    try:
        await asyncio.wait_for(
            AsyncSynoptic(slow, max_retry_seconds=1e6).search_model("anime", "a", model=model), 0.5
        )
    except asyncio.TimeoutError:
        results["left"] = True
    print(json.dumps(results))


asyncio.run(main())

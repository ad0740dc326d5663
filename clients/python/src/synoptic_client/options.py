# Made by tools/clients/generate.js from /openapi.json; do not edit.

from __future__ import annotations

from typing import Literal, TypedDict

from typing_extensions import NotRequired


class Genres(TypedDict):
    """
    Genres that an entry must or must not have, in upper or lower case.
    """

    any: NotRequired[list[str]]
    """
    At least one of these.
    """

    all: NotRequired[list[str]]
    """
    All of these.
    """

    none: NotRequired[list[str]]
    """
    None of these.
    """


class Tags(TypedDict):
    """
    Tags of the vocabulary that an entry must or must not have, such as `time-loop`, by key, name or synonym.
    """

    any: NotRequired[list[str]]
    """
    At least one of these.
    """

    all: NotRequired[list[str]]
    """
    All of these.
    """

    none: NotRequired[list[str]]
    """
    None of these.
    """


Where = TypedDict(
    "Where",
    {
        "any": NotRequired[list[str | float | bool]],
        "all": NotRequired[list[str | float | bool]],
        "none": NotRequired[list[str | float | bool]],
        "from": NotRequired[str | float],
        "to": NotRequired[str | float],
    },
)


class SearchModelOptions(TypedDict):
    model: NotRequired[str]
    """
    Name of the model, as GET /models lists it, or its last part where no other model has it.
    """

    page: NotRequired[int]
    """
    Page, from 1. Default: `1`.
    """

    resultsPerPage: NotRequired[int]
    """
    Results on a page. Default: `10`.
    """

    mode: NotRequired[Literal["semantic", "lexical", "hybrid"]]
    """
    `semantic`: by the similarity of vectors. `lexical`: by words (bm25); needs no model. `hybrid`: both orders, the first 10000 of each, fused by reciprocal rank. Default: `semantic`.
    """

    type: NotRequired[str | list[str]]
    """
    One type or several, such as `tv`, `movie` or `light_novel`; an entry has to have one of them.
    """

    genres: NotRequired[Genres]
    """
    Genres that an entry must or must not have, in upper or lower case.
    """

    tags: NotRequired[Tags]
    """
    Tags of the vocabulary that an entry must or must not have, such as `time-loop`, by key, name or synonym.
    """

    audience: NotRequired[str | list[str]]
    """
    One audience or several, such as `seinen`; an entry has to have one of them.
    """

    studio: NotRequired[str | list[str]]
    """
    One studio or several, in upper or lower case; one of them has made it.
    """

    where: NotRequired[dict[str, str | float | bool | list[str | float | bool] | Where]]
    """
    Values of metadata that the mapping declares filterable, by name: one value, a list with one of its values, or any, all, none, from and to.
    """

    yearFrom: NotRequired[int]
    """
    The first year in which it may have begun.
    """

    yearTo: NotRequired[int]
    """
    The last year in which it may have begun.
    """

    minScore: NotRequired[float]
    """
    The lowest average rating that it may have.
    """

    adult: NotRequired[bool]
    """
    `true` searches works for adults too, `false` leaves them out; by default the server's `--adult`.
    """

    excludeListed: NotRequired[bool]
    """
    Whether what is on one of the user's lists at AniList is left out. Default: `false`.
    """


class Sort(TypedDict):
    """
    Default: `fit`.
    """

    by: str
    """
    The same names.
    """

    order: NotRequired[Literal["ascending", "descending"]]
    """
    Default: `descending`.
    """


class SearchOptions(TypedDict):
    num_results: NotRequired[int]
    """
    Number of results. Default: `5`.
    """

    batch_size: NotRequired[int]
    """
    Pairs of query and synopsis scored at once. Default: `32`.
    """

    interpret: NotRequired[bool]
    """
    Whether titles, works that the query names, facts and exclusions are read from it. All of them weigh; none hides a result. Default: `true`.
    """

    ignore: NotRequired[list[list[int]]]
    """
    Parts of the query, as [begin, end] in UTF-16 units, that are read as text alone. A part that is the whole query is not a title.
    """

    group: NotRequired[Literal["franchise"]]
    """
    `franchise`: only the best entry of each franchise, with the others in `franchiseEntries`.
    """

    explain: NotRequired[bool]
    """
    Whether each result says why it matches. Default: `false`.
    """

    spoilers: NotRequired[bool]
    """
    Whether results show texts that give an ending away. They are searched in any case. Default: `false`.
    """

    fields: NotRequired[
        list[
            Literal[
                "type",
                "year",
                "episodes",
                "minutes",
                "volumes",
                "studios",
                "authors",
                "magazines",
                "source",
                "audience",
                "genres",
                "tags",
                "titleRomaji",
                "titleEnglish",
                "titleJapanese",
                "alternativeTitles",
                "franchise",
                "relation",
                "place",
                "popularityRank",
                "score10",
                "cover",
                "links",
                "column",
            ]
        ]
        | Literal["all"]
    ]
    """
    Further members of each result; `all` for all of them.
    """

    sort: NotRequired[str | Sort]
    """
    Default: `fit`.
    """

    facets: NotRequired[
        bool
        | list[
            Literal[
                "types",
                "years",
                "scores",
                "audiences",
                "genres",
                "tags",
                "studios",
                "where",
            ]
        ]
    ]
    """
    Default: `false`.
    """

    page: NotRequired[int]
    """
    Page of `num_results` results, from 1. Pages cover the entries that the ranker scores, see `candidates`; with it the response has `pagination`.
    """

    exclude: NotRequired[list[int]]
    """
    Ids of entries that are not searched, at most 20000.
    """

    type: NotRequired[str | list[str]]
    """
    One type or several, such as `tv`, `movie` or `light_novel`; an entry has to have one of them.
    """

    genres: NotRequired[Genres]
    """
    Genres that an entry must or must not have, in upper or lower case.
    """

    tags: NotRequired[Tags]
    """
    Tags of the vocabulary that an entry must or must not have, such as `time-loop`, by key, name or synonym.
    """

    audience: NotRequired[str | list[str]]
    """
    One audience or several, such as `seinen`; an entry has to have one of them.
    """

    studio: NotRequired[str | list[str]]
    """
    One studio or several, in upper or lower case; one of them has made it.
    """

    where: NotRequired[dict[str, str | float | bool | list[str | float | bool] | Where]]
    """
    Values of metadata that the mapping declares filterable, by name: one value, a list with one of its values, or any, all, none, from and to.
    """

    yearFrom: NotRequired[int]
    """
    The first year in which it may have begun.
    """

    yearTo: NotRequired[int]
    """
    The last year in which it may have begun.
    """

    minScore: NotRequired[float]
    """
    The lowest average rating that it may have.
    """

    adult: NotRequired[bool]
    """
    `true` searches works for adults too, `false` leaves them out; by default the server's `--adult`.
    """

    model_name: NotRequired[str]
    """
    A cross-encoder that GET /models lists, its label, or the label or path of a fine-tuned model; by default the server's `--cross-encoder`.
    """

    device: NotRequired[str]
    """
    `cpu`, `cuda` or `cuda:N`; by default the best available. If it is not available, the CPU answers, and `device_used` and `warnings` say so.
    """

    include_light_novels: NotRequired[bool]
    """
    Whether light novels are searched too; only manga has any. A `type` that names them has them searched, and a query that is the title of a light novel finds it in any case. Default: `false`.
    """

    candidates: NotRequired[int | Literal["all"]]
    """
    Entries that the ranker scores, picked by similarity and by words; `all` scores every entry. Default: `100`.
    """

    excludeListed: NotRequired[bool]
    """
    Whether what is on one of the user's lists at AniList is left out. Default: `false`.
    """

    titles: NotRequired[Literal["romaji", "english", "native"]]
    """
    Which title of a work is its `title`: `romaji` (the title of the catalogue, mostly romaji), `english` or `native`. A work without one has the title of the catalogue. Default: `romaji`.
    """


class SimilarOptions(TypedDict):
    model: NotRequired[str]
    """
    Name of the model, as GET /models lists it, or its last part where no other model has it. Default: `builtin/static-en`.
    """

    page: NotRequired[int]
    """
    Page, from 1. Default: `1`.
    """

    resultsPerPage: NotRequired[int]
    """
    Results on a page. Default: `10`.
    """

    sameFranchise: NotRequired[bool]
    """
    Whether entries of its own franchise may be results. Default: `false`.
    """

    type: NotRequired[list[str]]
    """
    One of these types; repeat it for several.
    """

    genres: NotRequired[list[str]]
    """
    All of these genres; repeat it for several.
    """

    yearFrom: NotRequired[int]
    """
    The first year in which it may have begun.
    """

    yearTo: NotRequired[int]
    """
    The last year in which it may have begun.
    """

    minScore: NotRequired[float]
    """
    The lowest average rating that it may have.
    """

    adult: NotRequired[bool]
    """
    Whether works for adults are among the results; by default the server's `--adult`.
    """

    excludeListed: NotRequired[bool]
    """
    Whether what is on one of the user's lists at AniList is left out. Default: `false`.
    """

    titles: NotRequired[Literal["romaji", "english", "native"]]
    """
    Which title of a work is its `title`: `romaji` (the title of the catalogue, mostly romaji), `english` or `native`. A work without one has the title of the catalogue. Default: `romaji`.
    """


class TitlesOptions(TypedDict):
    limit: NotRequired[int]
    """
    The most entries wanted. Default: `10`.
    """

    adult: NotRequired[bool]
    """
    Whether works for adults are among them. Default: `false`.
    """

    titles: NotRequired[Literal["romaji", "english", "native"]]
    """
    Which title of a work is its `title`: `romaji` (the title of the catalogue, mostly romaji), `english` or `native`. A work without one has the title of the catalogue. Default: `romaji`.
    """

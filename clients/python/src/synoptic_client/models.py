# Made by tools/clients/generate.js from /openapi.json; do not edit.

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel


class Semantic(BaseModel):
    """
    By similarity; null if it is not among the first.
    """

    rank: int
    """
    Rank in the list, from 1.
    """

    score: float
    """
    Cosine or bm25.
    """


class Lexical(BaseModel):
    """
    By words; null if it contains none of them.
    """

    rank: int
    """
    Rank in the list, from 1.
    """

    score: float
    """
    Cosine or bm25.
    """


class Explain(BaseModel):
    """
    What the rank is made of; absent in the semantic mode.
    """

    semantic: Semantic | None
    """
    By similarity; null if it is not among the first.
    """

    lexical: Lexical | None
    """
    By words; null if it contains none of them.
    """

    fused: float | None
    """
    The sum of 1 / (60 + rank) over both; null where there is one list only.
    """


class SimilarEntry(BaseModel):
    """
    An entry, with what else the catalogue knows of it under names of its own.
    """

    model_config = ConfigDict(
        extra="allow",
    )
    rank: int
    """
    Rank in the whole order, from 1 over all pages.
    """

    similarity: float | None
    """
    Cosine of the description and the best synopsis, -1 to 1; null if only words found it.
    """

    explain: Explain | None = None
    """
    What the rank is made of; absent in the semantic mode.
    """

    column: str
    """
    The source of that synopsis.
    """

    synopsis: str | None
    """
    That synopsis.
    """

    id: int
    """
    The entry; stable.
    """

    title: str
    """
    Its title.
    """

    type: str | None
    """
    Such as `tv`, `movie`, `manga` or `light_novel`.
    """

    genres: list[str]
    """
    Its genres.
    """

    year: int | None
    """
    When it began.
    """

    score: float | None
    """
    Average rating by users of its site, 0 to 10.
    """

    alternativeTitles: list[str] | None = None
    """
    Its other titles.
    """

    studios: list[str] | None = None
    """
    Studios that made it.
    """

    authors: list[str] | None = None
    """
    Its authors.
    """

    magazines: list[str] | None = None
    """
    Magazines or sites in which it ran.
    """

    franchise: str | None = None
    """
    A key that all works of its franchise share.
    """

    tags: dict[str, Literal[1, 2, 3]] | None = None
    """
    Keys of the vocabulary with weights: 3, the work is about it; 2, clearly there; 1, a touch.
    """

    listStatus: str | None = None
    """
    The user's list at AniList that it is on, such as `COMPLETED`, or null for none; absent where the server has no access token.
    """


class Pagination(BaseModel):
    page: int
    """
    The page.
    """

    resultsPerPage: int
    """
    Results on a page.
    """

    totalResults: int
    """
    Entries that can be found, by this model and mode, with this filter.
    """

    totalPages: int
    """
    Pages that can be requested: those within the first 10000 results.
    """

    reachableResults: int
    """
    Results on these pages; fewer than totalResults where that is larger.
    """


class Timings(BaseModel):
    """
    Milliseconds of each phase.
    """

    queueMs: float
    """
    Waiting for the model.
    """

    tokenizeMs: float
    """
    Text to tokens.
    """

    inferMs: float
    """
    Tokens to a vector.
    """

    scanMs: float
    """
    The vector against every synopsis.
    """

    hydrateMs: float
    """
    Reading the entries.
    """

    totalMs: float
    """
    All of it.
    """


class Error(BaseModel):
    path: str
    """
    The text in the request, such as `descriptions.3`.
    """

    message: str
    """
    What was expected and received.
    """


class FailedText(BaseModel):
    """
    A text of a batch that cannot be answered; the others are.
    """

    error: Error


class Years(BaseModel):
    """
    The first and the last year in which a work began.
    """

    from_: Annotated[int | None, Field(alias="from")]
    """
    The year in which it began; null if that is not known.
    """

    to: int | None
    """
    The year in which it began; null if that is not known.
    """


class Scores(BaseModel):
    """
    The lowest and the highest average rating; null where none is known.
    """

    from_: Annotated[float | None, Field(alias="from")]
    to: float | None


class NothingFits(BaseModel):
    """
    Present if nothing fits well; the results come nearest.
    """

    remember: list[Literal["year", "type", "object"]]
    """
    What would help and the query does not say: when it began, where it was shown, one object.
    """


class Language(BaseModel):
    """
    Present if the query is certainly in another language than English.
    """

    code: Annotated[str, Field(examples=["es"])]
    """
    ISO 639-1.
    """

    name: Annotated[str, Field(examples=["Spanish"])]
    """
    In English.
    """

    encoder: str | None
    """
    The model that compares the query; null where the server has none for it: English works best then.
    """

    remedy: str | None = None
    """
    The command that adds such a model.
    """


class Link(BaseModel):
    site: str
    """
    The name of the site.
    """

    url: str
    """
    The page of the entry there.
    """


class MatchedText(BaseModel):
    """
    The text that matches best, where that is not the synopsis.
    """

    column: Annotated[str, Field(examples=["scenes"])]
    """
    The column of that text, such as `scenes`.
    """

    text: str | None
    """
    Its line that matches best; null for a spoiler unless `spoilers` is true.
    """

    spoiler: bool
    """
    Whether it gives the ending or a twist away.
    """

    words: list[list[int]] | None = None
    """
    With `explain`: its words that match words of the query, like `words` there.
    """


class Tag(BaseModel):
    tag: str
    """
    Its key in the vocabulary.
    """

    name: str
    """
    Its name, for people.
    """

    family: str | None
    """
    theme, setting, cast, relationship, tone, form or look; null if unknown.
    """

    weight: int
    """
    3: what the work is about, 2: clearly there, 1: a touch.
    """


class FranchiseEntry(BaseModel):
    id: int
    """
    The entry; stable.
    """

    title: str
    """
    Its title.
    """

    type: str | None
    """
    Such as `tv`, `movie` or `light_novel`.
    """

    year: int | None
    """
    The year in which it began.
    """

    relation: str | None
    """
    Its relation to the franchise, such as `main` or `sequel`.
    """

    place: Annotated[str | None, Field(deprecated=True)]
    """
    The same as `relation`.
    """


class RankedExplanation(BaseModel):
    """
    Why it matches.
    """

    text: float
    """
    The score that its texts alone give.
    """

    title: float
    """
    How nearly the whole query is one of its titles.
    """

    fulfilled: float
    """
    How far it has the facts that the query requests.
    """

    similar: float
    """
    How alike it is to the works that the query names.
    """

    broken: float
    """
    How far it has what the query excludes.
    """

    words: list[list[int]]
    """
    Words of `synopsis` that match words of the query, as [begin, end] in UTF-16 units.
    """

    facts: list[str]
    """
    Requested facts that it has, as the interpretation labels them.
    """

    missing: list[str]
    """
    Requested facts that it lacks.
    """


class Reading1(BaseModel):
    kind: Literal["title"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """


class Reading2(BaseModel):
    kind: Literal["like"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """


class Reading3(BaseModel):
    kind: Literal["makers"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    role: Literal["studio", "author", "creator", "director"] | None = None


class Reading4(BaseModel):
    kind: Literal["words"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    words: str


class Reading5(BaseModel):
    kind: Literal["type"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    values: list[str]


class Reading6(BaseModel):
    kind: Literal["years"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    from_: Annotated[float | None, Field(alias="from")] = None
    to: float | None = None


class OfFilms(BaseModel):
    min: float | None = None
    max: float | None = None


class Reading7(BaseModel):
    kind: Literal["length"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    unit: Literal["episodes", "volumes", "chapters", "minutes", "episodeMinutes"]
    min: float | None = None
    max: float | None = None
    ofFilms: OfFilms | None = None
    isOfSeries: bool | None = None
    isWhole: bool | None = None


class Reading8(BaseModel):
    kind: Literal["audience"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    value: str


class Reading9(BaseModel):
    kind: Literal["source"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    value: str


class Reading10(BaseModel):
    kind: Literal["status"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    value: str


class Reading11(BaseModel):
    kind: Literal["studio"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    value: str


class Reading12(BaseModel):
    kind: Literal["person"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    value: str


class Reading13(BaseModel):
    kind: Literal["magazine"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    value: str
    alternatives: list[str] | None = None


class Reading14(BaseModel):
    kind: Literal["fame"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    value: Literal["popular", "obscure", "acclaimed"]


class Reading15(BaseModel):
    kind: Literal["topic"]
    begin: int
    """
    Where its words begin in the query, in UTF-16 units.
    """

    end: int
    """
    Where they end.
    """

    label: Annotated[str, Field(examples=["harem"])]
    """
    The value, for people.
    """

    excluded: bool
    """
    Whether the query excludes it.
    """

    confidence: float
    """
    How likely the reading is.
    """

    genres: list[str]
    tags: list[str]
    together: bool | None = None


class Facet(BaseModel):
    value: Annotated[str, Field(examples=["time-loop"])]
    """
    What a filter takes.
    """

    name: Annotated[str | None, Field(examples=["time loop"])] = None
    """
    For people, where that differs.
    """

    family: Annotated[str | None, Field(examples=["theme"])] = None
    """
    What kind of tag it is.
    """

    count: int
    """
    Works that have it.
    """


class Where(BaseModel):
    values: list[Facet] | None = None
    """
    Of texts.
    """

    from_: Annotated[float | None, Field(alias="from")] = None
    to: float | None = None


class SomeFacets2(BaseModel):
    """
    With `facets`: values that results on all pages have, with their number.
    """

    types: list[Facet] | None = None
    """
    Types.
    """

    years: Years | None = None
    """
    The first and the last year in which a work began.
    """

    scores: Scores | None = None
    """
    The lowest and the highest average rating; null where none is known.
    """

    audiences: list[Facet] | None = None
    """
    Audiences, such as `seinen`.
    """

    genres: list[Facet] | None = None
    """
    Genres.
    """

    tags: list[Facet] | None = None
    """
    Tags.
    """

    studios: list[Facet] | None = None
    """
    Studios.
    """

    where: dict[str, Where] | None = None
    """
    Of metadata that the mapping declares filterable, by name: values of texts, or the lowest and the highest number (of dates 20051004).
    """


class JoinedEntry(BaseModel):
    dataset: Annotated[str, Field(examples=["anime"])]
    """
    The dataset.
    """

    id: int
    """
    The entry; stable.
    """

    title: str
    """
    Its title.
    """

    score: float
    """
    How well it matches the query.
    """

    synopsis: str
    """
    Its synopsis; of several the one that matches best, if no other text matches better. After 500 characters cut, with … at the end; empty for an entry that has none.
    """

    matched: MatchedText | None = None
    listStatus: str | None = None
    """
    The user's list at AniList that it is on, such as `COMPLETED`, or null for none; absent where the server has no access token.
    """

    type: str | None = None
    """
    Such as `tv`, `movie` or `light_novel`.
    """

    year: int | None = None
    """
    The year in which it began.
    """

    episodes: int | None = None
    """
    Episodes; null if unknown.
    """

    minutes: int | None = None
    """
    Minutes of an episode, or of a film; null if unknown.
    """

    volumes: int | None = None
    """
    Volumes; null if unknown.
    """

    studios: list[str] | None = None
    """
    Studios that made it.
    """

    authors: list[str] | None = None
    """
    Its authors.
    """

    magazines: list[str] | None = None
    """
    Magazines or sites in which it ran, the one that people know it by first.
    """

    source: str | None = None
    """
    What it was made from, such as `manga`.
    """

    audience: str | None = None
    """
    Whom it was made for, such as `shounen`.
    """

    genres: list[str] | None = None
    """
    Genres.
    """

    tags: list[Tag] | None = None
    """
    Tags, the weightiest first.
    """

    titleRomaji: str | None = None
    """
    The title of the catalogue, mostly romaji.
    """

    titleEnglish: str | None = None
    """
    Its English title.
    """

    titleJapanese: str | None = None
    """
    Its title in the language of its makers.
    """

    alternativeTitles: list[str] | None = None
    """
    Other titles and abbreviations.
    """

    franchise: str | None = None
    """
    A key that all works of its franchise share.
    """

    relation: str | None = None
    """
    Its relation to the franchise, such as `main` or `sequel`.
    """

    place: Annotated[str | None, Field(deprecated=True)] = None
    """
    The same as `relation`.
    """

    popularityRank: int | None = None
    """
    1 for the best known of the dataset; null if unknown.
    """

    score10: float | None = None
    """
    What the users of its site give it on average, 0 to 10.
    """

    cover: str | None = None
    """
    Address of a picture of it, as the catalogue names it; null if it names none.
    """

    links: list[Link] | None = None
    """
    Pages of sites whose ids of the entry are known.
    """

    column: str | None = None
    """
    The column of that synopsis; null if it has none.
    """

    franchiseEntries: list[FranchiseEntry] | None = None
    """
    The other entries of its franchise, oldest first.
    """

    explain: RankedExplanation | None = None


class Meta1(BaseModel):
    model: Annotated[str, Field(examples=["builtin/static-en"])]
    """
    The model whose vectors were compared.
    """

    dataset: Annotated[str, Field(examples=["anime"])]
    """
    The dataset.
    """

    id: int
    """
    The entry that the others are compared with.
    """

    notes: list[str] | None = None
    """
    Values of the filter that no entry has, and lists that could not be read.
    """


class SimilarAnswer(BaseModel):
    results: list[SimilarEntry]
    """
    The most alike first; empty past the last page.
    """

    pagination: Pagination
    meta: Meta1


class WeightedWork(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    id: int
    """
    The entry.
    """

    weight: float | None = None
    """
    How much it counts, 0 to 10. Default: `1`.
    """


class SomeFacets3(BaseModel):
    """
    With `facets`: values that results on all pages have, with their number.
    """

    types: list[Facet] | None = None
    """
    Types.
    """

    years: Years | None = None
    """
    The first and the last year in which a work began.
    """

    scores: Scores | None = None
    """
    The lowest and the highest average rating; null where none is known.
    """

    audiences: list[Facet] | None = None
    """
    Audiences, such as `seinen`.
    """

    genres: list[Facet] | None = None
    """
    Genres.
    """

    tags: list[Facet] | None = None
    """
    Tags.
    """

    studios: list[Facet] | None = None
    """
    Studios.
    """

    where: dict[str, Where] | None = None
    """
    Of metadata that the mapping declares filterable, by name: values of texts, or the lowest and the highest number (of dates 20051004).
    """


class LikedWork(BaseModel):
    id: int
    """
    A liked entry.
    """

    title: str
    """
    Its title.
    """


class CompletedTitle(BaseModel):
    id: int
    """
    The entry; stable.
    """

    title: Annotated[str, Field(examples=["Death Note"])]
    """
    Its main title.
    """

    matched: Annotated[str, Field(examples=["デスノート"])]
    """
    The title of it that was found.
    """

    kind: Literal["main", "english", "native", "other"]
    """
    What kind of title that is.
    """

    type: str | None
    """
    Its type, such as `tv`; null if that is not known.
    """

    year: int | None
    """
    The year in which it began; null if that is not known.
    """


class TagWithMeaning(BaseModel):
    tag: str
    """
    Its key in the vocabulary.
    """

    name: str
    """
    Its name, for people.
    """

    family: str | None
    """
    theme, setting, cast, relationship, tone, form or look; null if unknown.
    """

    weight: int
    """
    3: what the work is about, 2: clearly there, 1: a touch.
    """

    meaning: str | None
    """
    What it says of a work.
    """


class OtherForm(BaseModel):
    dataset: Literal["anime", "manga"]
    id: int
    """
    The entry; stable.
    """

    title: str
    """
    Its title.
    """

    type: str | None
    """
    Such as `tv`, `movie` or `light_novel`.
    """

    year: int | None
    """
    The year in which it began.
    """

    relation: str | None
    """
    Its relation to the franchise, such as `main` or `sequel`.
    """

    place: Annotated[str | None, Field(deprecated=True)]
    """
    The same as `relation`.
    """


class Facets(BaseModel):
    """
    Each list by the number of works, at most 1000 values long.
    """

    types: list[Facet]
    """
    Types.
    """

    years: Years
    """
    The first and the last year in which a work began.
    """

    scores: Scores
    """
    The lowest and the highest average rating; null where none is known.
    """

    audiences: list[Facet]
    """
    Audiences, such as `seinen`.
    """

    genres: list[Facet]
    """
    Genres.
    """

    tags: list[Facet]
    """
    Tags.
    """

    studios: list[Facet]
    """
    Studios.
    """

    where: dict[str, Where]
    """
    Of metadata that the mapping declares filterable, by name: values of texts, or the lowest and the highest number (of dates 20051004).
    """


class SiteIds(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    site: Literal["mal", "anilist"]
    """
    Whose ids these are: `mal` is MyAnimeList.
    """

    ids: list[int]
    """
    Ids of the site, at most 5000.
    """


class SiteEntry(BaseModel):
    siteId: int
    """
    The id of the site.
    """

    id: int
    """
    The entry.
    """


class ListedEntry(BaseModel):
    id: int
    """
    The entry; stable.
    """

    title: str
    """
    Its title.
    """

    synopsis: str
    """
    Its synopsis, cut after 500 characters; empty for an entry that has none.
    """

    type: str | None = None
    """
    Such as `tv`, `movie` or `light_novel`.
    """

    year: int | None = None
    """
    The year in which it began.
    """

    episodes: int | None = None
    """
    Episodes; null if unknown.
    """

    minutes: int | None = None
    """
    Minutes of an episode, or of a film; null if unknown.
    """

    volumes: int | None = None
    """
    Volumes; null if unknown.
    """

    studios: list[str] | None = None
    """
    Studios that made it.
    """

    authors: list[str] | None = None
    """
    Its authors.
    """

    magazines: list[str] | None = None
    """
    Magazines or sites in which it ran, the one that people know it by first.
    """

    source: str | None = None
    """
    What it was made from, such as `manga`.
    """

    audience: str | None = None
    """
    Whom it was made for, such as `shounen`.
    """

    genres: list[str] | None = None
    """
    Genres.
    """

    tags: list[Tag] | None = None
    """
    Tags, the weightiest first.
    """

    titleRomaji: str | None = None
    """
    The title of the catalogue, mostly romaji.
    """

    titleEnglish: str | None = None
    """
    Its English title.
    """

    titleJapanese: str | None = None
    """
    Its title in the language of its makers.
    """

    alternativeTitles: list[str] | None = None
    """
    Other titles and abbreviations.
    """

    franchise: str | None = None
    """
    A key that all works of its franchise share.
    """

    relation: str | None = None
    """
    Its relation to the franchise, such as `main` or `sequel`.
    """

    place: Annotated[str | None, Field(deprecated=True)] = None
    """
    The same as `relation`.
    """

    popularityRank: int | None = None
    """
    1 for the best known of the dataset; null if unknown.
    """

    score10: float | None = None
    """
    What the users of its site give it on average, 0 to 10.
    """

    cover: str | None = None
    """
    Address of a picture of it, as the catalogue names it; null if it names none.
    """

    links: list[Link] | None = None
    """
    Pages of sites whose ids of the entry are known.
    """

    column: str | None = None
    """
    The column of that synopsis; null if it has none.
    """


class Failure(BaseModel):
    id: int | str
    """
    Of the entry.
    """

    reason: str
    """
    Why it is as it was.
    """


class Task(BaseModel):
    id: int
    """
    Counts the writes of a data folder.
    """

    status: Literal["enqueued", "running", "done", "failed"]
    """
    `done`: every search finds the change.
    """

    kind: Literal["put", "patch", "delete", "delete-matching"]
    """
    The request.
    """

    dataset: Annotated[str, Field(examples=["anime"])]
    """
    The dataset.
    """

    entries: int | None
    """
    Entries that the request names; null where a filter finds them.
    """

    enqueuedAt: Annotated[str, Field(examples=["2026-11-29T12:00:00.000Z"])]
    """
    ISO 8601, as is `finishedAt`.
    """

    finishedAt: str | None
    """
    Null until it is done.
    """

    added: int
    """
    Entries that are new.
    """

    updated: int
    """
    Entries that were there, and are replaced or changed.
    """

    deleted: int
    """
    Entries that are gone.
    """

    missing: int
    """
    Ids to delete that no entry had.
    """

    failures: list[Failure]
    """
    Entries that could not be changed.
    """

    problem: str | None
    """
    Why it is not done yet, where something is wrong; the server tries again.
    """


class Tasks(BaseModel):
    tasks: list[Task]
    """
    The newest first.
    """

    total: int
    """
    Tasks of this status that the server knows of.
    """


class Works(BaseModel):
    """
    One list a column, all equally long; the best-known work first.
    """

    id: list[int | str]
    """
    The entry; stable.
    """

    title: list[str]
    """
    Its main title, mostly romaji.
    """

    english: list[str]
    """
    Its English title; empty where it is the main one, or not known.
    """

    native: list[str]
    """
    Its native title; empty where it is the main one, or not known.
    """

    year: list[int]
    """
    The year in which it began; 0 if that is not known.
    """

    family: list[int]
    """
    The family of tags that distinguishes it from others.
    """

    x: list[int]
    """
    Where it lies.
    """

    y: list[int]
    """
    Where it lies.
    """


class MapRegion(BaseModel):
    level: int
    """
    0 is seen from afar; higher levels when one comes nearer.
    """

    x: int
    """
    Its middle.
    """

    y: int
    """
    Its middle.
    """

    words: list[str]
    """
    Tags and genres that its works share and others lack, the weightiest first.
    """

    works: int
    """
    How many works lie in it.
    """


class FeedbackAnswer(BaseModel):
    kept: bool
    """
    That it is kept.
    """


class McpResponse(BaseModel):
    """
    `result`, or `error` with `code` and `message`.
    """

    model_config = ConfigDict(
        extra="allow",
    )
    jsonrpc: Literal["2.0"]


class Models(BaseModel):
    models: dict[str, dict[str, str]]
    """
    Short descriptions by the name of the model, by category.
    """

    fine_tuned: dict[str, str]
    """
    Paths, to be used as `model_name`, by label.
    """

    endpoints: dict[str, list[str]]
    """
    Routes that take the models of a category; those of `fine_tuned` too.
    """


class Model(BaseModel):
    name: str
    """
    What requests name it by.
    """

    category: str
    """
    The category under which GET /models lists it, or `fine_tuned`.
    """

    description: str
    """
    What it is good for.
    """

    endpoints: list[str]
    """
    Routes that take it.
    """

    installed: bool
    """
    Whether its files are here.
    """

    dimension: int | None
    """
    Length of its vectors; null where that is not known, and of cross-encoders.
    """

    maximum_tokens: int | None
    """
    Longest input; what is longer is cut.
    """

    size_bytes: int | None
    """
    What its files take on disk; null where they are not here.
    """

    memory_bytes: int | None
    """
    What it counts with against --model-memory-limit while it is loaded: by its files, or by its parameters in float32 where they are not here. Null where neither is known.
    """


class CudaSearches(BaseModel):
    """
    Whether large searches run on a CUDA device.
    """

    available: bool
    reason: str | None
    """
    Why not; null when it is.
    """


class CudaModels(BaseModel):
    """
    Whether models run on a CUDA device.
    """

    available: bool
    reason: str | None
    """
    Why not; null when it is.
    """


class LastReload(BaseModel):
    """
    The last reload of this process; null since its start.
    """

    at: Annotated[str, Field(examples=["2026-05-01T12:00:00.000Z"])]
    """
    When it ended.
    """

    result: Literal["done", "failed"]
    """
    `failed`: what was served before still is, and the log says why.
    """


class Source(BaseModel):
    name: Annotated[str, Field(examples=["anime-offline-database"])]
    """
    Of the data set.
    """

    url: str
    """
    Where it comes from.
    """

    licence: Annotated[str, Field(examples=["ODbL 1.0"])]
    """
    On which terms.
    """

    licence_url: str
    """
    The text of the licence.
    """

    attribution: str
    """
    What has to be said with what is made of it.
    """


class Probe(BaseModel):
    status: Literal["ok", "degraded", "unavailable", "damaged", "stopping"]
    """
    `ok`: every dataset of the catalogue can be searched; `degraded`: some; `unavailable`: none; `damaged`: a file is, and what needs it is out of service; `stopping`: no more.
    """


class Readiness(BaseModel):
    status: Literal["ok", "degraded", "unavailable", "damaged", "stopping"]
    """
    `ok`: every dataset of the catalogue can be searched; `degraded`: some; `unavailable`: none; `damaged`: a file is, and what needs it is out of service; `stopping`: no more.
    """

    reasons: list[str]
    """
    What cannot be searched and why, with the command that ends it, such as `manga: not imported`.
    """


class TopQuery(BaseModel):
    dataset: Annotated[str, Field(examples=["anime"])]
    """
    The dataset; `all` for a search of all of them.
    """

    query: Annotated[str, Field(examples=["cooking"])]
    """
    In small letters, without superfluous spaces, at most 200 characters.
    """

    count: int
    """
    How often it was searched.
    """


class UnmatchedQuery(BaseModel):
    dataset: Annotated[str, Field(examples=["anime"])]
    """
    The dataset; `all` for a search of all of them.
    """

    query: Annotated[str, Field(examples=["cooking"])]
    """
    In small letters, without superfluous spaces, at most 200 characters.
    """

    count: int
    """
    How often it was searched.
    """


class LatencyItem(BaseModel):
    kind: Annotated[str, Field(examples=["description"])]
    """
    What the queries consist of.
    """

    count: int
    """
    Searches of this kind.
    """

    medianMs: float
    """
    Half of the last 1000 took no longer.
    """

    p95Ms: float
    """
    95 % of the last 1000 took no longer.
    """


class SearchSummary(BaseModel):
    since: Annotated[str, Field(examples=["2026-11-29T08:00:00.000Z"])]
    """
    When counting began.
    """

    searches: int
    """
    Searches that were answered. Later pages of results do not count.
    """

    unmatched: int
    """
    Searches for which nothing fits well.
    """

    topQueries: list[TopQuery]
    """
    The most frequent queries, at most 20.
    """

    unmatchedQueries: list[UnmatchedQuery]
    """
    The most frequent queries for which nothing fits well, at most 20.
    """

    latency: list[LatencyItem]
    """
    How long searches took, by kind of query.
    """


class Error1(BaseModel):
    message: str
    """
    What was expected and what was received.
    """

    type: str
    """
    The class of error: `invalid_request_error`, `rate_limit_error` or `server_error`.
    """

    param: str | None
    """
    The member of the request that is wrong.
    """

    code: str
    """
    What kind of problem it is, for programs.
    """


class OpenAiError(BaseModel):
    """
    An error as OpenAI's clients read it.
    """

    error: Error1


class Datum(BaseModel):
    object: Literal["embedding"]
    index: int
    """
    Position of the text in the request.
    """

    embedding: list[float] | str
    """
    Numbers, or their bytes in base64.
    """


class Usage(BaseModel):
    prompt_tokens: int
    """
    Tokens that the model read, its special ones included.
    """

    total_tokens: int
    """
    The same.
    """


class Embeddings(BaseModel):
    object: Literal["list"]
    data: list[Datum]
    model: str
    """
    The whole name of the model.
    """

    usage: Usage


class V1Model(BaseModel):
    id: Annotated[str, Field(examples=["builtin/static-en"])]
    """
    What requests name it by.
    """

    object: Literal["model"]
    created: int
    """
    When its files were written, in seconds since 1970.
    """

    owned_by: Annotated[str, Field(examples=["builtin"])]
    """
    The part of its name before the slash.
    """

    capabilities: list[Literal["embed", "rerank"]]
    """
    What the model can be used for; an addition of Infinity.
    """


class CohereError(BaseModel):
    """
    An error as Cohere's clients read it.
    """

    id: str
    """
    Finds the request in the log.
    """

    message: str
    """
    What was expected and what was received.
    """


class Embeddings1(BaseModel):
    """
    A vector for each text, by type; a plain list for /v1 without types.
    """

    float_: Annotated[list[list[float]] | None, Field(alias="float")] = None
    base64: list[str] | None = None


class ApiVersion(BaseModel):
    version: str
    """
    1 or 2.
    """


class BilledUnits(BaseModel):
    input_tokens: int
    """
    Tokens that the model read.
    """


class Meta2(BaseModel):
    api_version: ApiVersion
    billed_units: BilledUnits


class CohereEmbeddings(BaseModel):
    id: str
    """
    Finds the request in the log.
    """

    embeddings: list[list[float]] | Embeddings1
    """
    A vector for each text, by type; a plain list for /v1 without types.
    """

    texts: list[str]
    meta: Meta2
    response_type: Literal["embeddings_floats", "embeddings_by_type"]


class Result(BaseModel):
    index: int
    """
    Position of the document in the request.
    """

    relevance_score: float
    """
    How well the document fits the query, 0 to 1.
    """

    document: dict[str, Any] | None = None
    """
    The document.
    """


class Usage1(BaseModel):
    total_tokens: int
    """
    Tokens that the model read.
    """


class BilledUnits1(BaseModel):
    search_units: int
    """
    1 for each request.
    """


class Meta3(BaseModel):
    api_version: ApiVersion
    billed_units: BilledUnits1


class Reranked(BaseModel):
    id: str
    """
    Finds the request in the log.
    """

    model: str
    """
    The whole name of the model.
    """

    results: list[Result]
    """
    The best first; of equal ones the first in the request.
    """

    usage: Usage1
    meta: Meta3


class TeiError(BaseModel):
    """
    An error as clients of text-embeddings-inference read it.
    """

    error: str
    """
    What was expected and what was received.
    """

    error_type: str
    """
    `Validation`, `Overloaded` or `Backend`.
    """


class TeiVectors(RootModel[list[list[float]]]):
    """
    A vector for each text.
    """

    root: Annotated[list[list[float]], Field(title="TeiVectors")]
    """
    A vector for each text.
    """


class TeiToken(BaseModel):
    id: int
    """
    The number by which the model knows it.
    """

    text: str
    """
    The part of the text; of a special token its name.
    """

    special: bool
    """
    Whether the model adds it to a text.
    """

    start: float | None
    """
    Where the part begins, in code points.
    """

    stop: float | None
    """
    Where it ends.
    """


class TeiTokens(RootModel[list[list[TeiToken]]]):
    """
    The tokens of each text, uncut.
    """

    root: Annotated[list[list[TeiToken]], Field(title="TeiTokens")]
    """
    The tokens of each text, uncut.
    """


class TeiRank(BaseModel):
    index: int
    """
    Position of the text in the request.
    """

    score: float
    """
    How well the text fits the query: 0 to 1, or a logit.
    """

    text: str | None = None
    """
    The text.
    """


class JinaReranked(BaseModel):
    model: str
    """
    The whole name of the model.
    """

    results: list[Result]
    """
    The best first; of equal ones the first in the request.
    """

    usage: Usage1


class TeiSimilarities(RootModel[list[float]]):
    """
    The cosine of each sentence, -1 to 1.
    """

    root: Annotated[list[float], Field(title="TeiSimilarities")]
    """
    The cosine of each sentence, -1 to 1.
    """


class Embedding(BaseModel):
    pooling: str
    """
    How tokens become a vector.
    """


class ModelType(BaseModel):
    embedding: Embedding


class TeiInfo(BaseModel):
    model_id: Annotated[str, Field(examples=["builtin/static-en"])]
    """
    The model of /embed and /similarity.
    """

    model_sha: str | None
    """
    The revision of its files.
    """

    model_dtype: Annotated[str, Field(examples=["float32"])]
    """
    Type of its numbers.
    """

    model_type: ModelType
    max_concurrent_requests: int
    """
    `--limit-concurrency`.
    """

    max_input_length: int
    """
    Tokens of a text that the model reads.
    """

    max_batch_tokens: int
    """
    Tokens of one request: `--v1-max-inputs` texts of that length.
    """

    max_client_batch_size: int
    """
    `--v1-max-inputs`.
    """

    auto_truncate: bool
    """
    Longer texts are cut.
    """

    version: str
    """
    Of Synoptic.
    """


class OpenApi(BaseModel):
    """
    An OpenAPI 3.1 document.
    """

    model_config = ConfigDict(
        extra="allow",
    )
    openapi: str
    paths: dict[str, Any]


class Error2(BaseModel):
    path: str
    """
    Member or parameter, dotted where nested; empty for the message as a whole.
    """

    message: str
    """
    What was expected and what was received.
    """


class Problem(BaseModel):
    """
    Every error has this body, as RFC 9457 says.
    """

    type: str
    """
    What kind of problem it is, for programs: `urn:synoptic:problem:` and its name.
    """

    title: str
    """
    The same for people.
    """

    status: int
    """
    The HTTP status.
    """

    detail: str
    """
    What was expected and what was received.
    """

    error: str
    """
    The same as `detail`.
    """

    errors: list[Error2]
    """
    What is wrong with the request; empty where it is not at fault.
    """

    requestId: str
    """
    Finds the request in the log.
    """


class Meta(BaseModel):
    model: str | None
    """
    The model that compared; null for the lexical mode without a model.
    """

    mode: Literal["semantic", "lexical", "hybrid"]
    dataset: Annotated[str, Field(examples=["anime"])]
    """
    The dataset.
    """

    device: Annotated[str, Field(examples=["cpu"])]
    """
    What the model ran on.
    """

    timings: Timings
    notes: list[str] | None = None
    """
    What differs from the request; absent if nothing does.
    """


class SearchModelAnswer(BaseModel):
    results: list[SimilarEntry]
    """
    In the order of the mode; empty past the last page.
    """

    pagination: Pagination
    meta: Meta


class SearchModelAnswers(BaseModel):
    answers: list[SearchModelAnswer | FailedText]
    """
    One for each text of a batch, in their order.
    """


class SomeFacets(BaseModel):
    """
    With `facets`: values that results on all pages have, with their number.
    """

    types: list[Facet] | None = None
    """
    Types.
    """

    years: Years | None = None
    """
    The first and the last year in which a work began.
    """

    scores: Scores | None = None
    """
    The lowest and the highest average rating; null where none is known.
    """

    audiences: list[Facet] | None = None
    """
    Audiences, such as `seinen`.
    """

    genres: list[Facet] | None = None
    """
    Genres.
    """

    tags: list[Facet] | None = None
    """
    Tags.
    """

    studios: list[Facet] | None = None
    """
    Studios.
    """

    where: dict[str, Where] | None = None
    """
    Of metadata that the mapping declares filterable, by name: values of texts, or the lowest and the highest number (of dates 20051004).
    """


class RankedEntry(BaseModel):
    id: int
    """
    The entry; stable.
    """

    title: str
    """
    Its title.
    """

    score: float
    """
    How well it matches the query.
    """

    synopsis: str
    """
    Its synopsis; of several the one that matches best, if no other text matches better. After 500 characters cut, with … at the end; empty for an entry that has none.
    """

    matched: MatchedText | None = None
    listStatus: str | None = None
    """
    The user's list at AniList that it is on, such as `COMPLETED`, or null for none; absent where the server has no access token.
    """

    type: str | None = None
    """
    Such as `tv`, `movie` or `light_novel`.
    """

    year: int | None = None
    """
    The year in which it began.
    """

    episodes: int | None = None
    """
    Episodes; null if unknown.
    """

    minutes: int | None = None
    """
    Minutes of an episode, or of a film; null if unknown.
    """

    volumes: int | None = None
    """
    Volumes; null if unknown.
    """

    studios: list[str] | None = None
    """
    Studios that made it.
    """

    authors: list[str] | None = None
    """
    Its authors.
    """

    magazines: list[str] | None = None
    """
    Magazines or sites in which it ran, the one that people know it by first.
    """

    source: str | None = None
    """
    What it was made from, such as `manga`.
    """

    audience: str | None = None
    """
    Whom it was made for, such as `shounen`.
    """

    genres: list[str] | None = None
    """
    Genres.
    """

    tags: list[Tag] | None = None
    """
    Tags, the weightiest first.
    """

    titleRomaji: str | None = None
    """
    The title of the catalogue, mostly romaji.
    """

    titleEnglish: str | None = None
    """
    Its English title.
    """

    titleJapanese: str | None = None
    """
    Its title in the language of its makers.
    """

    alternativeTitles: list[str] | None = None
    """
    Other titles and abbreviations.
    """

    franchise: str | None = None
    """
    A key that all works of its franchise share.
    """

    relation: str | None = None
    """
    Its relation to the franchise, such as `main` or `sequel`.
    """

    place: Annotated[str | None, Field(deprecated=True)] = None
    """
    The same as `relation`.
    """

    popularityRank: int | None = None
    """
    1 for the best known of the dataset; null if unknown.
    """

    score10: float | None = None
    """
    What the users of its site give it on average, 0 to 10.
    """

    cover: str | None = None
    """
    Address of a picture of it, as the catalogue names it; null if it names none.
    """

    links: list[Link] | None = None
    """
    Pages of sites whose ids of the entry are known.
    """

    column: str | None = None
    """
    The column of that synopsis; null if it has none.
    """

    franchiseEntries: list[FranchiseEntry] | None = None
    """
    The other entries of its franchise, oldest first.
    """

    explain: RankedExplanation | None = None


class Interpretation(BaseModel):
    """
    What was read from the query; absent if nothing was.
    """

    readings: list[
        Reading1
        | Reading2
        | Reading3
        | Reading4
        | Reading5
        | Reading6
        | Reading7
        | Reading8
        | Reading9
        | Reading10
        | Reading11
        | Reading12
        | Reading13
        | Reading14
        | Reading15
    ]
    """
    In the order of the query.
    """

    text: Annotated[str, Field(examples=["school comedy"])]
    """
    What is left to compare with synopses.
    """

    explained: float
    """
    Share of the query's telling words that were read.
    """

    unknownNames: list[str] | None = None
    """
    Names in the query that no title, character or maker of the catalogue has.
    """


class SomeFacets1(BaseModel):
    """
    Of all entries that pass the filter.
    """

    types: list[Facet] | None = None
    """
    Types.
    """

    years: Years | None = None
    """
    The first and the last year in which a work began.
    """

    scores: Scores | None = None
    """
    The lowest and the highest average rating; null where none is known.
    """

    audiences: list[Facet] | None = None
    """
    Audiences, such as `seinen`.
    """

    genres: list[Facet] | None = None
    """
    Genres.
    """

    tags: list[Facet] | None = None
    """
    Tags.
    """

    studios: list[Facet] | None = None
    """
    Studios.
    """

    where: dict[str, Where] | None = None
    """
    Of metadata that the mapping declares filterable, by name: values of texts, or the lowest and the highest number (of dates 20051004).
    """


class JoinedSearchAnswer(BaseModel):
    results: list[JoinedEntry]
    """
    Of all datasets in one order.
    """

    execution_time_ms: float
    """
    Milliseconds that the search took.
    """

    device_used: Annotated[str, Field(examples=["cpu"])]
    """
    What the ranker ran on.
    """

    candidates_scored: int
    """
    Entries that the ranker scored.
    """

    entries_total: int
    """
    Entries that were searched.
    """

    interpretation: Interpretation | None = None
    pagination: Pagination | None = None
    facets: Annotated[SomeFacets2 | None, Field(title="SomeFacets")] = None
    """
    With `facets`: values that results on all pages have, with their number.
    """

    warnings: list[str] | None = None
    """
    What differs from the request; absent if nothing does.
    """

    nothingFits: NothingFits | None = None
    """
    Present if nothing fits well; the results come nearest.
    """

    language: Language | None = None
    """
    Present if the query is certainly in another language than English.
    """


class RecommendedEntry(BaseModel):
    id: int
    """
    The entry; stable.
    """

    title: str
    """
    Its title.
    """

    score: float
    """
    How well it matches the query.
    """

    synopsis: str
    """
    Its synopsis; of several the one that matches best, if no other text matches better. After 500 characters cut, with … at the end; empty for an entry that has none.
    """

    matched: MatchedText | None = None
    listStatus: str | None = None
    """
    The user's list at AniList that it is on, such as `COMPLETED`, or null for none; absent where the server has no access token.
    """

    type: str | None = None
    """
    Such as `tv`, `movie` or `light_novel`.
    """

    year: int | None = None
    """
    The year in which it began.
    """

    episodes: int | None = None
    """
    Episodes; null if unknown.
    """

    minutes: int | None = None
    """
    Minutes of an episode, or of a film; null if unknown.
    """

    volumes: int | None = None
    """
    Volumes; null if unknown.
    """

    studios: list[str] | None = None
    """
    Studios that made it.
    """

    authors: list[str] | None = None
    """
    Its authors.
    """

    magazines: list[str] | None = None
    """
    Magazines or sites in which it ran, the one that people know it by first.
    """

    source: str | None = None
    """
    What it was made from, such as `manga`.
    """

    audience: str | None = None
    """
    Whom it was made for, such as `shounen`.
    """

    genres: list[str] | None = None
    """
    Genres.
    """

    tags: list[Tag] | None = None
    """
    Tags, the weightiest first.
    """

    titleRomaji: str | None = None
    """
    The title of the catalogue, mostly romaji.
    """

    titleEnglish: str | None = None
    """
    Its English title.
    """

    titleJapanese: str | None = None
    """
    Its title in the language of its makers.
    """

    alternativeTitles: list[str] | None = None
    """
    Other titles and abbreviations.
    """

    franchise: str | None = None
    """
    A key that all works of its franchise share.
    """

    relation: str | None = None
    """
    Its relation to the franchise, such as `main` or `sequel`.
    """

    place: Annotated[str | None, Field(deprecated=True)] = None
    """
    The same as `relation`.
    """

    popularityRank: int | None = None
    """
    1 for the best known of the dataset; null if unknown.
    """

    score10: float | None = None
    """
    What the users of its site give it on average, 0 to 10.
    """

    cover: str | None = None
    """
    Address of a picture of it, as the catalogue names it; null if it names none.
    """

    links: list[Link] | None = None
    """
    Pages of sites whose ids of the entry are known.
    """

    column: str | None = None
    """
    The column of that synopsis; null if it has none.
    """

    franchiseEntries: list[FranchiseEntry] | None = None
    """
    The other entries of its franchise, oldest first.
    """

    explain: RankedExplanation | None = None
    because: list[LikedWork]
    """
    Liked entries that it is most like, at most three.
    """


class Titles(BaseModel):
    titles: list[CompletedTitle]
    """
    One title of each entry: those that begin so, those with a word that does, those with a typo.
    """


class Entry(BaseModel):
    model_config = ConfigDict(
        extra="allow",
    )
    id: int
    """
    The entry; stable.
    """

    title: Annotated[str, Field(examples=["Death Note"])]
    """
    Its title.
    """

    score: float | None
    """
    The average rating of its site, 0 to 10; null if that is not known.
    """

    type: str | None
    """
    Such as `tv`, `movie` or `light_novel`.
    """

    year: int | None
    """
    The year in which it began.
    """

    episodes: int | None
    """
    Episodes; null if unknown.
    """

    minutes: int | None
    """
    Minutes of an episode, or of a film; null if unknown.
    """

    volumes: int | None
    """
    Volumes; null if unknown.
    """

    studios: list[str]
    """
    Studios that made it.
    """

    authors: list[str]
    """
    Its authors.
    """

    magazines: list[str]
    """
    Magazines or sites in which it ran, the one that people know it by first.
    """

    source: str | None
    """
    What it was made from, such as `manga`.
    """

    audience: str | None
    """
    Whom it was made for, such as `shounen`.
    """

    genres: list[str]
    """
    Genres.
    """

    tags: list[TagWithMeaning]
    """
    Tags, the weightiest first.
    """

    titleRomaji: str
    """
    The title of the catalogue, mostly romaji.
    """

    titleEnglish: str | None
    """
    Its English title.
    """

    titleJapanese: str | None
    """
    Its title in the language of its makers.
    """

    alternativeTitles: list[str]
    """
    Other titles and abbreviations.
    """

    franchise: list[FranchiseEntry]
    """
    The works of its franchise by year, itself among them.
    """

    relation: str | None
    """
    Its relation to the franchise, such as `main` or `sequel`.
    """

    place: Annotated[str | None, Field(deprecated=True)]
    """
    The same as `relation`.
    """

    popularityRank: int | None
    """
    1 for the best known of the dataset; null if unknown.
    """

    score10: float | None
    """
    What the users of its site give it on average, 0 to 10.
    """

    cover: str | None
    """
    Address of a picture of it, as the catalogue names it; null if it names none.
    """

    links: list[Link]
    """
    Pages of sites whose ids of the entry are known.
    """

    texts: dict[str, str]
    """
    Its texts by column.
    """

    otherForms: list[OtherForm]
    """
    Works of its franchise in the other dataset: what it was made from, or what was made from it.
    """


class EntriesOfSite(BaseModel):
    works: list[SiteEntry]
    """
    Those that the dataset has, in the order of the request.
    """


class Listing(BaseModel):
    results: list[ListedEntry]
    """
    In the requested order; ties by id.
    """

    pagination: Pagination
    facets: SomeFacets1 | None = None
    warnings: list[str] | None = None
    """
    What differs from the request; absent if nothing does.
    """


class Map(BaseModel):
    dataset: Annotated[str, Field(examples=["anime"])]
    """
    The dataset.
    """

    model: Annotated[str, Field(examples=["builtin/static-en"])]
    """
    The model whose embeddings placed the works.
    """

    extent: int
    """
    Coordinates lie from 0 to this; y grows downwards.
    """

    unplaced: int
    """
    Works without a point: neither texts nor tags of them are known.
    """

    families: list[str]
    """
    Families of tags, by the numbers of `works.family`.
    """

    works: Works
    """
    One list a column, all equally long; the best-known work first.
    """

    regions: list[MapRegion]


class DatasetHealth(BaseModel):
    version: str
    """
    Of its works and texts; embeddings and maps belong to one version.
    """

    entries: int
    """
    Works in the dataset.
    """

    sources: list[Source]
    """
    Whose data it is made of; none where the import did not tell.
    """

    columns: list[str]
    """
    Its sources of synopses.
    """

    models: list[str]
    """
    Models whose embeddings are there and match.
    """

    models_loaded: list[str]
    """
    Those of them whose embeddings are open now.
    """


class V1Models(BaseModel):
    object: Literal["list"]
    data: list[V1Model]
    """
    Encoders for /v1/embeddings, then rankers for /v1/rerank.
    """


class TeiReranked(RootModel[JinaReranked | list[TeiRank]]):
    root: Annotated[JinaReranked | list[TeiRank], Field(title="TeiReranked")]
    """
    A list for `texts`, an object for `documents`.
    """


class SearchModelResponse(RootModel[SearchModelAnswer | SearchModelAnswers]):
    root: Annotated[
        SearchModelAnswer | SearchModelAnswers, Field(title="SearchModelResponse")
    ]


class SearchAnswer(BaseModel):
    results: list[RankedEntry]
    """
    By score, highest first.
    """

    execution_time_ms: float
    """
    Milliseconds that the search took.
    """

    device_used: Annotated[str, Field(examples=["cpu"])]
    """
    What the ranker ran on.
    """

    candidates_scored: int
    """
    Entries that the ranker scored.
    """

    entries_total: int
    """
    Entries that were searched.
    """

    interpretation: Interpretation | None = None
    pagination: Pagination | None = None
    facets: Annotated[SomeFacets | None, Field(title="SomeFacets")] = None
    """
    With `facets`: values that results on all pages have, with their number.
    """

    warnings: list[str] | None = None
    """
    What differs from the request; absent if nothing does.
    """

    nothingFits: NothingFits | None = None
    """
    Present if nothing fits well; the results come nearest.
    """

    language: Language | None = None
    """
    Present if the query is certainly in another language than English.
    """


class SearchAnswers(BaseModel):
    answers: list[SearchAnswer | FailedText]
    """
    One for each text of a batch, in their order.
    """


class RecommendAnswer(BaseModel):
    execution_time_ms: float
    """
    Milliseconds that the search took.
    """

    device_used: Annotated[str, Field(examples=["cpu"])]
    """
    What the ranker ran on.
    """

    candidates_scored: int
    """
    Entries that the ranker scored.
    """

    entries_total: int
    """
    Entries that were searched.
    """

    interpretation: Interpretation | None = None
    pagination: Pagination | None = None
    facets: Annotated[SomeFacets3 | None, Field(title="SomeFacets")] = None
    """
    With `facets`: values that results on all pages have, with their number.
    """

    warnings: list[str] | None = None
    """
    What differs from the request; absent if nothing does.
    """

    results: list[RecommendedEntry]
    """
    The best first. None is liked, disliked or seen, or of the franchise of one.
    """


class Health(BaseModel):
    status: Literal["ok", "degraded", "unavailable", "damaged", "stopping"]
    """
    `ok`: every dataset of the catalogue can be searched; `degraded`: some; `unavailable`: none; `damaged`: a file is, and what needs it is out of service; `stopping`: no more.
    """

    reasons: list[str]
    """
    What cannot be searched and why, with the command that ends it, such as `manga: not imported`.
    """

    damaged: list[str]
    """
    What is out of service because a file is damaged: `catalogue`, or a dataset and a model.
    """

    version: Annotated[str, Field(examples=["0.1.0"])]
    """
    The version of the server.
    """

    cuda_available: bool
    """
    Whether a CUDA device is used, for searches or for models.
    """

    cuda_reason: str | None
    """
    Why not; null when it is.
    """

    cuda_searches: CudaSearches
    """
    Whether large searches run on a CUDA device.
    """

    cuda_models: CudaModels
    """
    Whether models run on a CUDA device.
    """

    devices: list[str]
    """
    What models run on, as `device` of /search names it.
    """

    kernel: Annotated[str, Field(examples=["avx2"])]
    """
    The similarity kernel that this processor runs.
    """

    models_loaded: list[str]
    """
    Models of all kinds in memory, or on their way there; the one used longest ago first.
    """

    last_reload: LastReload | None
    """
    The last reload of this process; null since its start.
    """

    datasets: dict[str, DatasetHealth]


class SearchResponse(RootModel[SearchAnswer | SearchAnswers]):
    root: Annotated[SearchAnswer | SearchAnswers, Field(title="SearchResponse")]

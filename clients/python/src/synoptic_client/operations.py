# Made by tools/clients/generate.js from /openapi.json; do not edit.
from typing import NamedTuple


class Operation(NamedTuple):
    method: str
    path: str
    query: list[str]
    """
    Names of members that are sent in the query of the address.
    """


OPERATIONS = {
    "searchModelAnime": Operation("POST", "/searchmodel/anime", [ "excludeListed" ]),
    "searchModelManga": Operation("POST", "/searchmodel/manga", [ "excludeListed" ]),
    "searchAnime": Operation("POST", "/search/anime", [ "model_name", "device", "include_light_novels", "candidates", "excludeListed", "titles" ]),
    "searchManga": Operation("POST", "/search/manga", [ "model_name", "device", "include_light_novels", "candidates", "excludeListed", "titles" ]),
    "search": Operation("POST", "/search", [ "model_name", "device", "include_light_novels", "candidates", "excludeListed", "titles" ]),
    "similarAnime": Operation("GET", "/similar/anime/{id}", [ "model", "page", "resultsPerPage", "sameFranchise", "type", "genres", "yearFrom", "yearTo", "minScore", "adult", "excludeListed", "titles" ]),
    "similarManga": Operation("GET", "/similar/manga/{id}", [ "model", "page", "resultsPerPage", "sameFranchise", "type", "genres", "yearFrom", "yearTo", "minScore", "adult", "excludeListed", "titles" ]),
    "recommendAnime": Operation("POST", "/recommend/anime", [ "titles" ]),
    "recommendManga": Operation("POST", "/recommend/manga", [ "titles" ]),
    "completeAnimeTitles": Operation("GET", "/titles/anime", [ "prefix", "limit", "adult", "titles" ]),
    "getAnimeEntry": Operation("GET", "/entries/anime/{id}", [ "spoilers", "titles" ]),
    "patchAnimeEntry": Operation("PATCH", "/entries/anime/{id}", []),
    "deleteAnimeEntry": Operation("DELETE", "/entries/anime/{id}", []),
    "countAnimeFacets": Operation("GET", "/facets/anime", []),
    "findAnimeIds": Operation("POST", "/ids/anime", []),
    "completeMangaTitles": Operation("GET", "/titles/manga", [ "prefix", "limit", "adult", "titles" ]),
    "getMangaEntry": Operation("GET", "/entries/manga/{id}", [ "spoilers", "titles" ]),
    "patchMangaEntry": Operation("PATCH", "/entries/manga/{id}", []),
    "deleteMangaEntry": Operation("DELETE", "/entries/manga/{id}", []),
    "countMangaFacets": Operation("GET", "/facets/manga", []),
    "findMangaIds": Operation("POST", "/ids/manga", []),
    "listAnime": Operation("POST", "/browse/anime", [ "titles" ]),
    "listManga": Operation("POST", "/browse/manga", [ "titles" ]),
    "putAnimeEntries": Operation("PUT", "/entries/anime", []),
    "deleteAnimeEntries": Operation("POST", "/entries/anime/delete", []),
    "putMangaEntries": Operation("PUT", "/entries/manga", []),
    "deleteMangaEntries": Operation("POST", "/entries/manga/delete", []),
    "listTasks": Operation("GET", "/tasks", [ "status", "limit" ]),
    "getTask": Operation("GET", "/tasks/{id}", []),
    "getAnimeMap": Operation("GET", "/map/anime", [ "adult" ]),
    "getMangaMap": Operation("GET", "/map/manga", [ "adult" ]),
    "showMap": Operation("GET", "/map", []),
    "confirmAnime": Operation("POST", "/feedback/anime", []),
    "confirmManga": Operation("POST", "/feedback/manga", []),
    "callMcp": Operation("POST", "/mcp", []),
    "listModels": Operation("GET", "/models", []),
    "getModel": Operation("GET", "/models/{name}", []),
    "getHealth": Operation("GET", "/", []),
    "teiEmbedAtRoot": Operation("POST", "/", []),
    "getLiveness": Operation("GET", "/livez", []),
    "getTeiHealth": Operation("GET", "/health", []),
    "getReadiness": Operation("GET", "/readyz", []),
    "getMetrics": Operation("GET", "/metrics", []),
    "getSearches": Operation("GET", "/status/searches", []),
    "getStatus": Operation("GET", "/status", []),
    "createEmbeddings": Operation("POST", "/v1/embeddings", []),
    "createEmbeddingsWithoutV1": Operation("POST", "/embeddings", []),
    "listV1Models": Operation("GET", "/v1/models", []),
    "getV1Model": Operation("GET", "/v1/models/{id}", []),
    "embedV1": Operation("POST", "/v1/embed", []),
    "embedV2": Operation("POST", "/v2/embed", []),
    "rerankV1": Operation("POST", "/v1/rerank", []),
    "rerankV2": Operation("POST", "/v2/rerank", []),
    "teiEmbed": Operation("POST", "/embed", []),
    "teiTokenize": Operation("POST", "/tokenize", []),
    "teiRerank": Operation("POST", "/rerank", []),
    "teiSimilarity": Operation("POST", "/similarity", []),
    "teiInfo": Operation("GET", "/info", []),
    "getOpenApi": Operation("GET", "/openapi.json", []),
    "getDocumentation": Operation("GET", "/docs", []),
}

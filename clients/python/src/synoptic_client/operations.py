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
    "searchAnime": Operation("POST", "/search/anime", [ "model_name", "device", "include_light_novels", "candidates", "excludeListed" ]),
    "searchManga": Operation("POST", "/search/manga", [ "model_name", "device", "include_light_novels", "candidates", "excludeListed" ]),
    "similarAnime": Operation("GET", "/similar/anime/{id}", [ "model", "page", "resultsPerPage", "sameFranchise", "type", "genres", "yearFrom", "yearTo", "minScore", "adult" ]),
    "similarManga": Operation("GET", "/similar/manga/{id}", [ "model", "page", "resultsPerPage", "sameFranchise", "type", "genres", "yearFrom", "yearTo", "minScore", "adult" ]),
    "completeAnimeTitles": Operation("GET", "/titles/anime", [ "prefix", "limit", "adult" ]),
    "getAnimeEntry": Operation("GET", "/entries/anime/{id}", [ "spoilers" ]),
    "countAnimeFacets": Operation("GET", "/facets/anime", []),
    "completeMangaTitles": Operation("GET", "/titles/manga", [ "prefix", "limit", "adult" ]),
    "getMangaEntry": Operation("GET", "/entries/manga/{id}", [ "spoilers" ]),
    "countMangaFacets": Operation("GET", "/facets/manga", []),
    "getAnimeMap": Operation("GET", "/map/anime", [ "adult" ]),
    "getMangaMap": Operation("GET", "/map/manga", [ "adult" ]),
    "showMap": Operation("GET", "/map", []),
    "confirmAnime": Operation("POST", "/feedback/anime", []),
    "confirmManga": Operation("POST", "/feedback/manga", []),
    "callMcp": Operation("POST", "/mcp", []),
    "listModels": Operation("GET", "/models", []),
    "getModel": Operation("GET", "/models/{name}", []),
    "getHealth": Operation("GET", "/", []),
    "getLiveness": Operation("GET", "/livez", []),
    "getReadiness": Operation("GET", "/readyz", []),
    "getMetrics": Operation("GET", "/metrics", []),
    "getStatus": Operation("GET", "/status", []),
    "createEmbeddings": Operation("POST", "/v1/embeddings", []),
    "listV1Models": Operation("GET", "/v1/models", []),
    "getV1Model": Operation("GET", "/v1/models/{id}", []),
    "rerankV1": Operation("POST", "/v1/rerank", []),
    "rerankV2": Operation("POST", "/v2/rerank", []),
    "teiEmbed": Operation("POST", "/embed", []),
    "teiRerank": Operation("POST", "/rerank", []),
    "teiSimilarity": Operation("POST", "/similarity", []),
    "teiInfo": Operation("GET", "/info", []),
    "getOpenApi": Operation("GET", "/openapi.json", []),
    "getDocumentation": Operation("GET", "/docs", []),
}

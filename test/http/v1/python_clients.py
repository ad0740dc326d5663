"""The clients of PyPI against the server at argv[1]; prints what they made of its answers as JSON."""

import json
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # it would fetch a list of prices

import cohere
import litellm
from huggingface_hub import InferenceClient
from langchain_cohere import CohereEmbeddings, CohereRerank
from langchain_openai import OpenAIEmbeddings
from openai import BadRequestError, NotFoundError, OpenAI

origin, model = sys.argv[1:]
texts = ["a robot goes to school", "a ship at sea"]
documents = ["A ship is lost at sea.", "A robot becomes a pupil of a school."]

client = OpenAI(base_url=f"{origin}/v1", api_key="none", max_retries=0)
embeddings = client.embeddings.create(model=model, input=texts)
plain = client.embeddings.create(model=model, input=texts, encoding_format="float")


def error_of(kind, **request):
    try:
        client.embeddings.create(**request)
    except kind as error:
        return [error.status_code, error.code, error.param]
    return None


chain = OpenAIEmbeddings(
    base_url=f"{origin}/v1", api_key="none", model=model, check_embedding_ctx_length=False
)
ranker = cohere.ClientV2(api_key="none", base_url=origin)
older = cohere.Client(api_key="none", base_url=origin)
by_cohere = CohereEmbeddings(model=model, base_url=origin, cohere_api_key="none")
reranker = CohereRerank(model="builtin/maxsim-en", base_url=origin, cohere_api_key="none")
question = {"model": "builtin/maxsim-en", "query": "a robot at school", "documents": documents}

def litellm_embed(provider, base):
    response = litellm.embedding(model=f"{provider}/{model}", input=texts, api_base=base)
    return [item["embedding"] for item in response.data]


def litellm_rerank(provider, **options):
    response = litellm.rerank(
        model=f"{provider}/builtin/maxsim-en",
        query=question["query"],
        documents=documents,
        api_base=origin,
        **options,
    )
    return [result["index"] for result in response.results]


print(
    json.dumps(
        {
            "openai": [item.embedding for item in embeddings.data],
            "openai_float": [item.embedding for item in plain.data],
            "tokens": embeddings.usage.total_tokens,
            "models": [entry.id for entry in client.models.list()],
            "model": client.models.retrieve(model).id,
            "missing": error_of(NotFoundError, model="text-embedding-3-small", input="a"),
            "dimensions": error_of(BadRequestError, model=model, input="a", dimensions=8),
            "langchain": chain.embed_documents(texts),
            "langchain_query": chain.embed_query(texts[0]),
            "cohere": [result.index for result in ranker.rerank(**question).results],
            "cohere_older": [
                result.document.text
                for result in older.rerank(**question, top_n=1, return_documents=True).results
            ],
            "cohere_embed": ranker.embed(
                model=model,
                texts=texts,
                input_type="search_document",
                embedding_types=["float"],
            ).embeddings.float_,
            "cohere_embed_older": older.embed(
                model=model, texts=texts, input_type="search_document"
            ).embeddings,
            "langchain_cohere": by_cohere.embed_documents(texts),
            "langchain_cohere_rerank": [
                result["index"] for result in reranker.rerank(documents, question["query"])
            ],
            "litellm_infinity": litellm_embed("infinity", origin),
            "litellm_vllm": litellm_embed("hosted_vllm", f"{origin}/v1"),
            # Infinity's documents are plain texts, those of Jina and vLLM objects.
            "litellm_infinity_rerank": litellm_rerank("infinity", return_documents=False),
            "litellm_vllm_rerank": litellm_rerank("hosted_vllm"),
            "hub_root": InferenceClient(base_url=origin).feature_extraction(texts).tolist(),
            "hub": InferenceClient(base_url=f"{origin}/embed").feature_extraction(texts).tolist(),
        }
    )
)

"""The clients of PyPI against the server at argv[1]; prints what they made of its answers as JSON."""

import json
import sys

import cohere
from huggingface_hub import InferenceClient
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
question = {"model": "builtin/maxsim-en", "query": "a robot at school", "documents": documents}

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
            "hub": InferenceClient(base_url=f"{origin}/embed").feature_extraction(texts).tolist(),
        }
    )
)

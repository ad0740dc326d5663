"""langchain-tests' EmbeddingsIntegrationTests against the server at SYNOPTIC_ORIGIN."""

import os

from langchain_cohere import CohereEmbeddings
from langchain_openai import OpenAIEmbeddings
from langchain_tests.integration_tests import EmbeddingsIntegrationTests

origin = os.environ["SYNOPTIC_ORIGIN"]
model = "builtin/static-en"


class TestOpenAI(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self):
        return OpenAIEmbeddings

    @property
    def embedding_model_params(self):
        return {
            "model": model,
            "base_url": f"{origin}/v1",
            "api_key": "none",
            "check_embedding_ctx_length": False,
        }


class TestCohere(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self):
        return CohereEmbeddings

    @property
    def embedding_model_params(self):
        return {"model": model, "base_url": origin, "cohere_api_key": "none"}

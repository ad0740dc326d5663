"""What sentence-transformers scores the pairs with, the query whole and the text cut."""

import torch

from pairs import LONG_QUERIES, PAIRS


def reference_scores(cross_encoder):
    """0 to 1: a raw logit goes through the sigmoid, as it does in the server."""
    scores = cross_encoder.predict(
        [list(pair) for pair in PAIRS],
        batch_size=8,
        activation_fn=torch.nn.Sigmoid(),
        processing_kwargs={"text": {"truncation": "only_second"}},
    )
    long_scores = [score_cut(cross_encoder, *pair) for pair in LONG_QUERIES]
    return {
        "pairs": [float(score) for score in scores],
        "longQueries": long_scores,
    }


def score_cut(cross_encoder, query, text):
    """The query keeps what is left when the text has had a quarter of the tokens, or all it needs.

    sentence-transformers has no such rule, so the ids are put together by hand.
    """
    tokenizer = cross_encoder.tokenizer
    frame = tokenizer([("", "")])["input_ids"][0]
    room = tokenizer.model_max_length - len(frame)
    query_ids = tokenizer(query, add_special_tokens=False)["input_ids"]
    text_ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    query_ids = query_ids[: room - min(len(text_ids), tokenizer.model_max_length // 4)]
    text_ids = text_ids[: room - len(query_ids)]
    before, between, after = frame[:1], frame[1:-1], frame[-1:]
    ids = before + query_ids + between + text_ids + after
    types = [0] * (len(before + query_ids + between)) + [1] * (len(text_ids) + 1)
    rows = torch.tensor([ids])
    features = {"input_ids": rows, "attention_mask": torch.ones_like(rows)}
    if cross_encoder.model.config.model_type == "bert":
        features["token_type_ids"] = torch.tensor([types])
    with torch.no_grad():
        logit = cross_encoder.model(**features).logits[0, 0]
    return float(torch.sigmoid(logit))

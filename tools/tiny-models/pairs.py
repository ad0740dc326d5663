"""The pairs that tiny models are tried with, and the words that their tokenizers know."""

QUERY = "a teacher who is a yellow octopus"

TEXTS = [
    "The students of a class have one year to kill their teacher, who is a yellow octopus.",
    "Two brothers search for a stone that gives back what they have lost.",
    "A boy finds a notebook; whoever's name is written in it dies.",
    "Humanity lives behind three walls, because giants eat whom they find.",
    "A cook opens a restaurant whose door leads to another world on Saturdays.",
    "Girls drive tanks after school, and their school is a ship.",
    "The last exorcist of a village hunts a demon with nine tails.",
    "A detective has shrunk to a child and solves murders all the same.",
    "Pirates look for a treasure at the end of a sea that nobody has crossed.",
    "An office worker is reborn as a slime and founds a country.",
]

# Each shows something that can go wrong between a text and its token ids.
PAIRS = [
    *[(QUERY, text) for text in TEXTS],
    ("giants", TEXTS[3]),
    ("giants", TEXTS[4]),
    (TEXTS[1], TEXTS[1]),
    (TEXTS[2], TEXTS[8]),
    (QUERY, ""),
    (QUERY, " "),
    (QUERY, "\n\t \u3000"),
    (QUERY, "octopus"),
    (QUERY, "."),
    (QUERY, " ".join(TEXTS)),
    (QUERY, "octopus " * 500),
    (QUERY, "o" * 300),
    (QUERY, "\U0001f419 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3eb\ufe0f"),
    (QUERY, "\u9ec4\u8272\u3044\u30bf\u30b3\u306e\u5148\u751f"),
    (QUERY, "[CLS] a teacher [SEP] </s> <s> [MASK] [PAD]"),
    (QUERY, "Le professeur est un poulpe jaun\u00e2tre, na\u00efve cafe\u0301"),
    (QUERY, "TEACHER\r\n\r\nOCTOPUS\x00YELLOW\x7f"),
    ("\U0001f419\U0001f419\U0001f419", TEXTS[0]),
    ("?", TEXTS[0]),
    ("octopus " * 10, TEXTS[0]),
]

# Queries that leave the text less than a quarter of the tokens: their end is cut.
LONG_QUERIES = [("teacher octopus " * 60, TEXTS[0]), (" ".join(TEXTS), "octopus")]

"""Reads the three text sources, cleans them and joins works across them by title.

A record is {source, title, work, franchise, raw, text}: `raw` as the site has it, `text` cleaned of
credits and markup. `work` joins the same title across sources; `franchise` is coarser (sequels and
seasons share it) and is the unit that is held out, so that no sequel gives a held-out work away.
"""

import csv
import html
import re
from pathlib import Path

SOURCES = {
    "anilist": ("anime4500.csv", "Title", "Description"),
    "planet": ("Anime_data.csv", "Name", "Description"),
    "manga": ("mal_manga_3000.csv", "title", "description"),
}
MIN_CHARACTERS = 20  # below this a text is "N/A", "TBA", "DVD specials." and the like
PLACEHOLDER = re.compile(r"^no synopsis|has been added to this|^n/a$", re.I)

TAG = re.compile(r"</?[a-zA-Z.][^<>]{0,80}>")
CREDIT = re.compile(
    r"\(\s*(?:sour?ces?|from)\b[^()]*(?:\([^()]*\)[^()]*)?\)?\s*$"  # (Source: ...) at the end
    r"|\[\s*(?:written\s+(?:by\s+)?|from\s+|source)[^\]]*\]"  # [Written by MAL Rewrite]
    r"|\(\s*sour?ces?\s*:[^()]*\)"
    r"|\bsource:\s*[\w .,'-]{1,40}$",
    re.I,
)
MANGA_NOTE = re.compile(r"\bIncluded one-shots?:.*$", re.S)
SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z0-9])")


def read_records(data_folder):
    """All usable records of all sources, in file order."""
    csv.field_size_limit(1 << 24)
    records = []
    for source, (file_name, title_column, text_column) in SOURCES.items():
        with open(Path(data_folder) / file_name, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                raw = (row[text_column] or "").strip()
                text = clean(raw)
                title = (row[title_column] or "").strip()
                if not title or len(text) < MIN_CHARACTERS or PLACEHOLDER.search(text):
                    continue
                records.append(
                    {
                        "source": source,
                        "title": title,
                        "work": work_key(title),
                        "franchise": franchise_key(title),
                        "raw": raw,
                        "text": text,
                    }
                )
    return records


def clean(raw):
    """Plain prose: no markup, entities, credits or lists of bonus chapters."""
    text = TAG.sub(" ", html.unescape(html.unescape(raw)))
    text = re.sub(r"~!|!~|__|\*\*", " ", text)
    text = MANGA_NOTE.sub(" ", text)
    previous = None
    while previous != text:  # a source may follow a credit and the other way round
        previous = text
        text = CREDIT.sub(" ", text).strip()
    return re.sub(r"\s+", " ", text).strip()


def sentences(text):
    return [part for part in SENTENCE_END.split(text) if part.strip()]


def opening(text, sentence_count=2, max_characters=400):
    """The first sentences of a text, as a query."""
    return " ".join(sentences(text)[:sentence_count])[:max_characters]


def work_key(title):
    return re.sub(r"[\W_]+", "", title.lower().replace("&", "and"))


def franchise_key(title):
    """The title without season, part, subtitle and format."""
    name = title.lower().replace("&", "and")
    name = re.sub(r"\(.*?\)", " ", name)
    name = re.split(r":| - | – |~", name)[0]
    name = re.sub(
        r"\b(?:\d+(?:st|nd|rd|th)?|second|third|final|season|part|cour|movie|the movie|ova|ona"
        r"|specials?|ii|iii|iv|v|vi|tv)\b",
        " ",
        name,
    )
    key = re.sub(r"[\W_]+", "", name)
    return key or work_key(title)


def same_beginning(first, second, characters=32):
    """Whether two sites carry the same text, judged by its first letters and digits."""

    def start(text):
        return re.sub(r"[\W_]+", "", text.lower())[:characters]

    return start(first) == start(second)

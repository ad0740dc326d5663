"""A baseline of many-works.ts: bm25 of tantivy over titles and texts, the first 100 of each query, on one thread.
The argument names a file of works, one JSON object a line; each line of input is a query, a JSON string."""

import json
import re
import sys
import time

import tantivy

builder = tantivy.SchemaBuilder()
builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
builder.add_integer_field("row", stored=True)
index = tantivy.Index(builder.build())
writer = index.writer(heap_size=256_000_000, num_threads=1)
start = time.perf_counter()
with open(sys.argv[1], encoding="utf-8") as works:
    for row, line in enumerate(works):
        work = json.loads(line)
        titles = work["titles"]
        texts = [titles["romaji"], titles.get("english") or "", *titles.get("other", [])]
        texts += [work["synopsis"], *work["descriptions"]]
        writer.add_document(tantivy.Document(text="\n".join(texts), row=row))
writer.commit()
index.reload()
indexed = time.perf_counter() - start
searcher = index.searcher()
queries = [" ".join(re.findall(r"\w+", json.loads(line))) for line in sys.stdin]
parsed = [index.parse_query(query, ["text"]) for query in queries if query]
for query in parsed:
    searcher.search(query, 100)
rounds = 10
start, processor = time.perf_counter(), time.process_time()
for _ in range(rounds):
    for query in parsed:
        searcher.search(query, 100)
seconds, spent = time.perf_counter() - start, time.process_time() - processor
searches = rounds * len(parsed)
print(
    f"{tantivy.__version__.split(',')[0]}, bm25 alone, one thread: {searches / seconds:.0f} queries/s, "
    f"{spent * 1000 / searches:.2f} ms of CPU each; {indexed:.1f} s to index"
)

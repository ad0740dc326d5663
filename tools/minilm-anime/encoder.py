"""all-MiniLM-L6-v2 in PyTorch: its weights from start.npz, its texts as padded rows on the device, its
vectors; and what training changed, in files small enough to be carried back.
"""

import json
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn.functional import normalize
from transformers import BertConfig, BertModel

TABLE = "embeddings.word_embeddings.weight"
LARGEST_PART = 14_000_000  # bytes


def start_weights(folder):
    packed = np.load(Path(folder) / "start.npz")
    found = {}
    for name in packed.files:
        if name == f"{TABLE}.int8":
            rows = packed[name].astype(np.float32) * packed[f"{TABLE}.scales"][:, None]
            found[TABLE] = torch.from_numpy(rows)
        elif not name.startswith(TABLE):
            found[name] = torch.from_numpy(packed[name].astype(np.float32))
    return found


def new_model(folder, weights, device):
    settings = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    config = BertConfig(**settings)
    model = BertModel(config, add_pooling_layer=False)
    found = model.load_state_dict(weights, strict=False)
    missing = [name for name in found.missing_keys if not name.endswith("position_ids")]
    if missing or found.unexpected_keys:
        raise ValueError(f"weights of another model: {missing}, {found.unexpected_keys}")
    return model.to(device)


def weights_in(model):
    """A copy in float32, without buffers."""
    return {name: value.detach().clone() for name, value in model.named_parameters()}


def mixed(weights, shares):
    """The sum of the models' weights, each by its share."""
    return {
        name: sum(share * one[name] for one, share in zip(weights, shares)) for name in weights[0]
    }


def multiple_of_8(count):
    """Widths that a GPU's matrix units like."""
    return -(-count // 8) * 8


class Rows:
    """Texts as rows of token ids, with [CLS] and [SEP], on the device."""

    def __init__(self, folder, texts, longest, device):
        tokenizer = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(longest)
        encoded = [one.ids for one in tokenizer.encode_batch(texts)]
        width = multiple_of_8(max(map(len, encoded)))
        ids = np.zeros((len(encoded), width), np.int32)
        for row, tokens in enumerate(encoded):
            ids[row, : len(tokens)] = tokens
        self.ids = torch.from_numpy(ids).to(device)
        self.lengths = torch.tensor([len(tokens) for tokens in encoded], device=device)

    def __len__(self):
        return len(self.ids)

    def take(self, rows, drop=0.0):
        """(ids, lengths) of some; a share of the tokens left out, never the first or the last."""
        ids, lengths = self.ids[rows].long(), self.lengths[rows]
        if not drop:
            return ids, lengths
        place = torch.arange(ids.shape[1], device=ids.device)[None]
        last = lengths[:, None] - 1
        short = lengths[:, None] < 8
        left_out = torch.rand(ids.shape, device=ids.device) < drop
        kept = (~left_out | (place == 0) | (place == last) | short) & (place <= last)
        order = torch.argsort((~kept).to(torch.uint8), dim=1, stable=True)
        lengths = kept.sum(1)
        ids = torch.gather(ids, 1, order)
        return ids.masked_fill(place >= lengths[:, None], 0), lengths


def joined(parts):
    """Several (ids, lengths) as one."""
    width = max(ids.shape[1] for ids, _ in parts)
    padded = [torch.nn.functional.pad(ids, (0, width - ids.shape[1])) for ids, _ in parts]
    return torch.cat(padded), torch.cat([lengths for _, lengths in parts])


def vectors(model, ids, lengths, tokens_at_once, exact=False):
    """Means of the tokens' vectors, length 1, float32. Texts of like lengths go together. On a GPU with
    bf16 inside, unless `exact`."""
    half = ids.device.type == "cuda" and not exact
    order = torch.argsort(lengths)
    sorted_lengths = lengths[order].tolist()
    found, begin = [], 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and sorted_lengths[end] * (end + 1 - begin) <= tokens_at_once:
            end += 1
        rows = order[begin:end]
        width = min(ids.shape[1], multiple_of_8(sorted_lengths[end - 1]))
        mask = torch.arange(width, device=ids.device)[None] < lengths[rows][:, None]
        with torch.autocast(ids.device.type, torch.bfloat16, enabled=half):
            hidden = model(
                input_ids=ids[rows, :width], attention_mask=mask.long()
            ).last_hidden_state
        shares = mask / mask.sum(1, keepdim=True)
        found.append(normalize((hidden.float() * shares[..., None]).sum(1), dim=1))
        begin = end
    back = torch.empty_like(order)
    back[order] = torch.arange(len(order), device=order.device)
    return torch.cat(found)[back]


@torch.no_grad()
def encode_all(model, rows, tokens_at_once=131072, share=8192, exact=False):
    was, _ = model.training, model.eval()
    found = []
    for begin in range(0, len(rows), share):
        chosen = torch.arange(begin, min(begin + share, len(rows)), device=rows.ids.device)
        found.append(vectors(model, *rows.take(chosen), tokens_at_once, exact))
    model.train(was)
    return torch.cat(found)


def write_changes(output, name, weights, start):
    """What training added to the start, as float16, in parts that are small enough."""
    parts, size = [{}], 0
    for key, value in weights.items():
        change = (value.cpu() - start[key]).half().numpy()
        pieces = np.array_split(change, max(1, -(-change.nbytes // LARGEST_PART)))
        for number, piece in enumerate(pieces):
            if size + piece.nbytes > LARGEST_PART:
                parts.append({})
                size = 0
            parts[-1][f"{key}.{number}"] = piece
            size += piece.nbytes
    for number, part in enumerate(parts):
        path = Path(output) / f"{name}.{number}.npz"
        temporary = path.with_suffix(".tmp.npz")
        np.savez(temporary, **part)
        temporary.replace(path)
    return len(parts)

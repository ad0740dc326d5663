#!/usr/bin/env bash
# Rebuilds models/builtin/static-en. Without a word: all steps, an hour or two on two cores. With
# `--continue`: the last two, from the table of step 2 as a former commit shipped it, which needs no
# PyTorch and no teacher.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${WORK:-../static-en-work}
data=${DATA:-../shared/data}
teacher=${TEACHER:-../shared/models/all-MiniLM-L6-v2}
table_before_works=7abe9e6
tools=tools/static-en
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-2}

mkdir -p "$work"
[ -d "$work/venv" ] || python3 -m venv "$work/venv"
python="$work/venv/bin/python"
if [ "${1:-}" = --continue ]; then
  "$python" -m pip install -q -c $tools/requirements.txt numpy scipy tokenizers onnx onnxruntime
  start="$work/start"
  mkdir -p "$start/onnx"
  git show $table_before_works:models/builtin/static-en/onnx/model.onnx_data >"$start/onnx/model.onnx_data"
  teacher=models/builtin/static-en # for its tokenizer
else
  "$python" -m pip install -q -r $tools/requirements.txt
  "$python" $tools/prepare.py --data "$data" --teacher "$teacher" --work "$work"
  "$python" $tools/train.py --teacher "$teacher" --work "$work"
  start="$work/table.npy"
fi
"$python" $tools/continue.py --data "$data" --start "$start" --output "$work/continued.npy"
"$python" $tools/export.py --table "$work/continued.npy" --teacher "$teacher"
"$python" $tools/judge.py --data "$data" --part reporting "$start" models/builtin/static-en

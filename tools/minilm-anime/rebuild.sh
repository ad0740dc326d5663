#!/usr/bin/env bash
# Rebuilds models/builtin/minilm-anime. Training wants a GPU: five minutes there, days on two cores.
# `rebuild.sh --prepare` ends with the folder to carry to one; `rebuild.sh --changes FOLDER` goes on with
# what train.py wrote there.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${WORK:-../minilm-work}
data=${DATA:-../shared/data}
model=${MODEL:-../shared/models/all-MiniLM-L6-v2}
seconds=${SECONDS_OF_TRAINING:-240}
tools=tools/minilm-anime

mkdir -p "$work"
[ -d "$work/venv" ] || python3 -m venv "$work/venv"
python="$work/venv/bin/python"
"$python" -m pip install -q -r $tools/requirements.txt
changes="$work/trained"
if [ "${1:-}" = --changes ]; then
  changes=$2
else
  "$python" $tools/prepare.py --data "$data" --model "$model" --output "$work/carry"
  [ "${1:-}" = --prepare ] && exit
  "$python" "$work/carry/train.py" --folder "$work/carry" --out "$changes" --seconds "$seconds"
fi
"$python" $tools/join.py --changes "$changes" --model "$model" --output "$work/weights.npz"
"$python" $tools/export.py --weights "$work/weights.npz" --model "$model"
"$python" $tools/judge.py --data "$data" --part reporting "$model" models/builtin/minilm-anime

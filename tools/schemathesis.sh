#!/usr/bin/env bash
# Usage: tools/schemathesis.sh [ORIGIN]
# Sends what schemathesis (PyPI) makes of /openapi.json to a running server, http://127.0.0.1:8000 unless said, and checks every answer
# against the document. Start the server with --rate-limit 0. Statuses of 500 are documented where a model is allowed and not installed.
set -euo pipefail
origin=${1:-http://127.0.0.1:8000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet schemathesis==4.32.5
checks=status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance
(cd "$scratch" && venv/bin/schemathesis run "$origin/openapi.json" --checks "$checks" --phases examples,coverage,fuzzing)

#!/usr/bin/env bash
# Installs, builds and tests the project with other majors of Node, each in a fresh clone:
#   tools/try-node.sh 22 24 26
# The binaries come from the npm package `node`, so nothing is installed on the machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for major in "$@"; do
  npm install --silent --no-save --prefix "$scratch/node-$major" "node@$major"
  git clone --quiet "$root" "$scratch/synoptic-$major"
  (
    PATH="$scratch/node-$major/node_modules/node/bin:$PATH"
    # Addons of dependencies compile against the headers of this Node, not of the machine's.
    unset npm_config_nodedir
    cd "$scratch/synoptic-$major"
    echo "== Node $(node --version)"
    npm ci && npm test
  )
done

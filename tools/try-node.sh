#!/usr/bin/env bash
# Installs, builds and tests the project with other majors of Node, each in a fresh clone:
#   tools/try-node.sh 22 24 26                 the whole suite
#   tools/try-node.sh 26 -- npm run check      another command instead
# NPM_VERSION chooses the npm that installs; otherwise it is the one at hand.
# Node comes from npm: the packages behind `node` hold its program and its headers, against which the
# addons of dependencies compile where no prebuilt one can be fetched.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
package=$(node -p '`${process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"}-${process.platform}-${process.arch}`')

majors=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  majors+=("$1")
  shift
done
command=(npm test)
if [ "${1:-}" = -- ]; then command=("${@:2}"); fi

if [ -n "${NPM_VERSION:-}" ]; then
  npm install --silent --no-save --prefix "$scratch/npm" "npm@$NPM_VERSION"
  PATH="$scratch/npm/node_modules/.bin:$PATH"
fi
# The tests look for real data and models next to the project.
export SYNOPTIC_TEST_DATA="${SYNOPTIC_TEST_DATA:-$root/../shared/data}"
export SYNOPTIC_TEST_MODELS="${SYNOPTIC_TEST_MODELS:-$root/../shared/models}"

for major in "${majors[@]}"; do
  npm install --silent --no-save --prefix "$scratch/node-$major" "$package@$major"
  distribution="$scratch/node-$major/node_modules/$package"
  git clone --quiet "$root" "$scratch/synoptic-$major"
  (
    export PATH="$distribution/bin:$PATH" npm_config_nodedir="$distribution"
    cd "$scratch/synoptic-$major"
    echo "== Node $(node --version), npm $(npm --version)"
    npm ci && "${command[@]}"
  )
done

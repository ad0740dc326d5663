#!/usr/bin/env bash
# Builds deploy/Containerfile without an image registry, runs the image as its user with a root that cannot be written, and searches:
#   npm run package && sudo tools/image/trial.sh [FOLDER]      needs buildah, podman, runc, debootstrap, curl; FOLDER keeps the base for next time
# The base image is made here under the name that the file needs: Debian by debootstrap, Node and npm from npm.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$(mktemp -d)}
port=${SYNOPTIC_TRIAL_PORT:-8123}
mkdir -p "$folder"
store=(--root "$folder/store" --runroot "$folder/run" --storage-driver "${STORAGE_DRIVER:-vfs}")
# crun needs cgroups of version 2; runc does without.
runtime=(--runtime "${SYNOPTIC_TRIAL_RUNTIME:-$(command -v runc || command -v crun)}")
# Podman's own limits are higher than a sandbox may have.
limits=(--ulimit "nofile=$(ulimit -n):$(ulimit -n)" --ulimit nproc=4096:4096)
base=$(awk '$1 == "FROM" { print $2; exit }' "$root/deploy/Containerfile")
major=$(sed 's/.*:\([0-9]*\).*/\1/' <<<"$base")
step() { printf '\n== %s\n' "$1"; }
fail() { printf 'trial: %s\n' "$1" >&2; exit 1; }

step "base image $base"
debian=$folder/debian
[ -e "$debian/etc/debian_version" ] || debootstrap --variant=minbase --include=ca-certificates bookworm "$debian" >"$folder/debootstrap.log"
if [ ! -e "$debian/usr/local/bin/npm" ]; then
  # For a machine behind a proxy with certificates of its own.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then cp "$NODE_EXTRA_CA_CERTS" "$debian/etc/ssl/certs/ca-certificates.crt"; fi
  npm install --silent --prefix "$folder/node" "node-linux-$(node -p process.arch)@$major" npm@11
  cp "$folder"/node/node_modules/node-linux-*/bin/node "$debian/usr/local/bin/"
  mkdir -p "$debian/usr/local/lib/node_modules"
  cp -r "$folder/node/node_modules/npm" "$debian/usr/local/lib/node_modules/"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$debian/usr/local/bin/npm"
  chroot "$debian" useradd --uid 1000 --user-group --create-home node
fi
tar -C "$debian" --one-file-system -c . |
  podman "${store[@]}" import --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' - "docker.io/library/$base" >/dev/null

step 'build'
buildah "${store[@]}" bud --isolation chroot --pull-never --format docker -f "$root/deploy/Containerfile" -t synoptic:trial "$root/packages"
podman "${store[@]}" images

step 'run: user 1000, read-only, a volume for the data'
name=synoptic-trial-$$
cleanUp() { podman "${store[@]}" "${runtime[@]}" rm --force --volumes "$name" >/dev/null 2>&1 || true; }
trap cleanUp EXIT
begun=$(date +%s)
podman "${store[@]}" "${runtime[@]}" run --detach --name "$name" "${limits[@]}" --network host --read-only --tmpfs /tmp --cap-drop all \
  --security-opt no-new-privileges --env "SYNOPTIC_PORT=$port" synoptic:trial >/dev/null
until curl --silent --fail "http://127.0.0.1:$port/readyz" >/dev/null; do
  [ "$(podman "${store[@]}" inspect --format '{{.State.Running}}' "$name")" = true ] ||
    { podman "${store[@]}" logs "$name"; fail 'the container ended'; }
  sleep 1
done
echo "ready after $(($(date +%s) - begun)) s"
curl --silent "http://127.0.0.1:$port/readyz"
echo
answer=$(curl --silent --fail "http://127.0.0.1:$port/search/anime" -H 'Content-Type: application/json' \
  -d '{"query":"a student finds a notebook that kills","num_results":1}')
echo "${answer:0:200}"
[[ $answer == *'"Death Note"'* ]] || fail 'expected Death Note'
inside() { podman "${store[@]}" "${runtime[@]}" exec "$name" "$@"; }
[ "$(inside id -u)" = 1000 ] || fail 'expected the user 1000'
inside synoptic --version
! inside touch /opt/synoptic/file 2>/dev/null || fail 'expected a root that cannot be written'
inside ls /var/lib/synoptic

step 'stop by SIGTERM'
podman "${store[@]}" "${runtime[@]}" stop --time 20 "$name" >/dev/null
status=$(podman "${store[@]}" inspect --format '{{.State.ExitCode}}' "$name")
[ "$status" = 0 ] || fail "expected status 0, received $status"
echo 'the trial has passed'

#!/bin/sh
# The whole way of a newcomer on a fresh clone: start, search, own data, mistakes, Ctrl-C, restart.
# Usage: test/newcomer.sh [FOLDER]. Clones this repository into FOLDER/synoptic and installs it, unless it is there.
set -eu

project=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$(mktemp -d)}
server=
cleanUp() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ $# -gt 0 ] || rm -rf "$folder"
}
if [ $# -gt 0 ]; then trap 'cleanUp keep' EXIT; else trap cleanUp EXIT; fi

step() { printf '\n== %s\n' "$1"; }
fail() { printf 'newcomer: %s\n' "$1" >&2; exit 1; }
# expect TEXT FILE: the file has the text.
expect() { grep -q -- "$1" "$2" || { cat "$2" >&2; fail "expected $1 in $2"; }; }
refuse() { ! grep -q -- "$1" "$2" || { cat "$2" >&2; fail "expected no $1 in $2"; }; }

step 'clone and install'
mkdir -p "$folder"
[ -d "$folder/synoptic" ] || git clone --quiet "$project" "$folder/synoptic"
cd "$folder/synoptic"
[ -d node_modules ] || npm ci
port=$((20000 + $$ % 20000))
origin=http://localhost:$port

# start FILE: starts a server whose output goes to the file, and waits until it is ready.
start() {
  ./synoptic serve --port "$port" --workers 1 >"$1" 2>"$1.log" &
  server=$!
  tries=0
  until grep -q 'is ready at' "$1"; do
    kill -0 "$server" 2>/dev/null || { cat "$1.log" >&2; fail 'the server ended'; }
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || fail 'the server is not ready after a minute'
    sleep 0.1
  done
}
# stop SIGNAL: ends the server, which has to exit with status 0.
stop() {
  kill -s "$1" "$server"
  wait "$server" || fail "the server ended with status $?"
  server=
}
# ask ROUTE BODY FILE: writes the response into the file, prints its status.
ask() {
  curl -s -o "$3" -w '%{http_code}' "$origin$1" -H 'Content-Type: application/json' -d "$2"
}

step 'first start and three searches'
start first
expect 'open to: programs on this machine only' first
expect 'anime: ' first
refuse 'CUDA' first
refuse '"level":40' first.log
[ "$(ask /search/anime '{"query":"a boy finds a notebook that kills"}' found)" = 200 ] || fail 'the first search'
expect 'Death Note' found
# Two clicks within a second are no mistake.
body='{"model":"static-en","description":"two brothers and alchemy"}'
[ "$(ask /searchmodel/anime "$body" found)" = 200 ] || fail 'the second search'
[ "$(ask /searchmodel/anime "$body" found)" = 200 ] || fail 'the third search'
expect '"model":"builtin/static-en"' found

step 'mistakes'
[ "$(ask /searchmodel/anime '{"model":"all-minilm-l6","description":"x"}' found)" = 400 ] || fail 'a wrong model'
expect 'the nearest are encoders/all-MiniLM-L6' found
[ "$(ask /search/anime '{"query":"x","num_result":3}' found)" = 400 ] || fail 'a wrong member'
expect 'did you mean num_results?' found
[ "$(ask /search/anime '{"query":"x","genres":{"any":["Horor"]}}' found)" = 200 ] || fail 'a wrong genre'
expect 'no anime has the genre' found
stop TERM

step 'three awkward files'
mkdir -p mine
plot='A lighthouse keeper finds a bottle with a letter that she wrote as a child'
{
  echo 'Nr;Titel;Genre;Jahr;Folgen;Beschreibung'
  i=1
  while [ "$i" -le 30 ]; do
    year=$((1970 + i))
    [ "$i" -gt 1 ] || year=20O1
    echo "$i;Die Flut $i;Drama, Abenteuer;$year;24 eps;$plot, and number $i answers. Then the sea takes it all back, \
and she goes out at night to ask why it came to her of all people."
    i=$((i + 1))
  done
} >mine/semicolons.csv
printf 'id,name,genres,synopsis\n1,Caf\351 No\353l,"['"'Drama', 'Music'"']",%s, again.\n' '"'"$plot"'"' | sed 's/", again\./"/' >mine/western.csv
printf 'id\ttitle\tgenres\tchapters\tdescription\n1\tTide\tAction|Drama\t12\t%s.\n' "$plot" >mine/manga.tsv
for file in semicolons.csv western.csv manga.tsv; do
  ./synoptic data init "mine/$file" >output
  cat output
  hint=$(sed -n 's/^  \(.*data import .*\)$/\1/p' output)
  sh -c "$hint" >report
  cat report
done
./synoptic data init --force mine/semicolons.csv >output
expect 'CSV with semicolons' output
./synoptic data import mine/semicolons.json >report
expect 'genres: 2 different values in 30 rows' report
expect 'year: 1 of 30 values is not a year and counts as missing: "20O1" (line 2)' report
expect 'warning: .*100 % of the values of episodes are not a whole number' report

step 'build and measure'
./synoptic embed build
./synoptic eval --dataset anime >figures
expect 'anime, asked by titles: 30 queries' figures

step 'restart on own data'
start second
[ "$(ask /search/anime '{"query":"keeper of a lighthouse finds a letter in a bottle"}' found)" = 200 ] || fail 'own data'
expect 'Die Flut' found
curl -s "$origin/" -H 'Accept: application/json' >health
expect '"status":"ok"' health

step 'Ctrl-C, and a second start'
stop INT
start third
stop TERM

printf '\nnewcomer: all of the way\n'

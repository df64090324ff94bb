#!/usr/bin/env bash
# Writes the tables of docs/Accuracy.md.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/accuracy.sh [--check] [PROGRAM] [--help]

Measures the errors of meanvar and of other algorithms, and replaces the tables of
docs/Accuracy.md by what it found. It takes about half a minute, and fails where a
result of meanvar is further from the exact one than docs/Spec.md allows. PROGRAM
is meanvar-accuracy; without it, that of the release preset is built.

  --check  fails where docs/Accuracy.md differs, instead of writing it
USAGE
}

mode=write
case "${1-}" in
  --check) mode=check; shift ;;
  -h | --help) usage; exit 0 ;;
  -*) usage >&2; exit 2 ;;
esac
program=${1-}

cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ -z $program ]]; then
  if [[ ! -f build/release/build.ninja ]]; then scripts/build.sh release; fi
  cmake --build --preset release --target meanvar-accuracy
  program=build/release/test/Accuracy/meanvar-accuracy
fi

document=docs/Accuracy.md
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
sed '/^<!-- The rest is written by/q' "$document" > "$fresh"
"$program" >> "$fresh"

if [[ $mode == write ]]; then
  cat "$fresh" > "$document"
elif ! diff -u "$document" "$fresh"; then
  echo "error: $document is out of date (scripts/accuracy.sh writes it anew)" >&2
  exit 1
fi

#!/usr/bin/env bash
# Installs what is missing, builds meanvar and runs every test.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/test.sh [release|debug|asan] [CTEST OPTION]... [--help]

Installs missing packages, builds the given preset (default: release) and runs
every test through one ctest. Options after the preset go to ctest, such as
`scripts/test.sh release -R Dialect`.
USAGE
}

preset=release
case "${1-}" in
  release | debug | asan) preset=$1; shift ;;
  -h | --help) usage; exit 0 ;;
  '' | -*) ;;
  *) usage >&2; exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/build.sh "$preset"
printf 'test: ctest, preset %s\n' "$preset"
ctest --preset "$preset" --no-tests=error "$@"

#!/usr/bin/env bash
# Installs what is missing and builds meanvar.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/build.sh [release|debug|asan] [--help]

Installs missing packages (scripts/setup.sh), then configures and builds the
given preset (default: release) in build/PRESET. Tools land in build/PRESET/bin.
USAGE
}

case "${1-release}" in
  release | debug | asan) preset=${1-release} ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh
printf 'build: preset %s in build/%s\n' "$preset" "$preset"
cmake --preset "$preset" --log-level=WARNING
cmake --build --preset "$preset"

#!/usr/bin/env bash
# Checks the format of all C and C++ sources, and runs clang-tidy over lib/, tools/ and python/.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/lint.sh [--fix | --format] [BUILD_DIRECTORY] [--help]

Checks the format of every C and C++ source with clang-format 22, then runs clang-tidy
22 over lib/, tools/ and python/ with the flags of a build (default: build/release), which
must be complete: generated and precompiled headers are read from it.

  --format  checks the format only
  --fix     formats the sources instead of checking them, and stops there
USAGE
}

mode=all
case "${1-}" in
  --fix) mode=fix; shift ;;
  --format) mode=format; shift ;;
  -h | --help) usage; exit 0 ;;
  -*) usage >&2; exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1-build/release}
directories=(lib tools include python benchmarks test/CAPI test/unit test/Accuracy test/Differential test/Fuzz)
mapfile -t sources < <(find "${directories[@]}" -name '*.cpp' -o -name '*.h' -o -name '*.c' | sort)

# The test `format` reads exit status 77 as skipped.
if ! command -v clang-format-22 > /dev/null; then
  echo 'lint: clang-format-22 is not installed' >&2
  exit 77
fi

if [[ $mode == fix ]]; then
  clang-format-22 -i "${sources[@]}"
  echo "lint: formatted ${#sources[@]} files"
  exit 0
fi

echo "lint: format of ${#sources[@]} files"
clang-format-22 --dry-run --Werror "${sources[@]}"
if [[ $mode == format ]]; then exit 0; fi

echo "lint: clang-tidy with the flags of $build"
if [[ ! -f $build/compile_commands.json ]]; then
  echo "error: $build/compile_commands.json not found; build first (scripts/build.sh)" >&2
  exit 1
fi
run-clang-tidy-22 -quiet -p "$build" "$PWD/(lib|tools|python)/.*\.cpp$"

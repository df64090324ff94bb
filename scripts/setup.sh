#!/usr/bin/env bash
# Installs the Debian 12 packages that meanvar is built and tested with.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/setup.sh [--help]

Installs the Debian packages that building and testing meanvar needs, those that
are missing only. Runs apt-get as root or through sudo. When nothing is missing
it changes nothing and needs neither. Then installs what the Python package is built
and tested with, from PyPI into build/python-venv; where that fails, the rest of
meanvar builds without it.
USAGE
}

case "${1-}" in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

packages=(
  # Compiler, linker, build tools.
  clang-22 lld-22 libstdc++-12-dev cmake ninja-build ccache
  # LLVM and MLIR: libraries, mlir-tblgen, lit, FileCheck.
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
  # Sanitizer run-time, formatting and lint.
  libclang-rt-22-dev clang-format-22 clang-tidy-22
  # ONNX models, and the published node tests.
  libonnx-dev libprotobuf-dev libonnx-testdata
  # The Python package.
  python3-dev python3-venv
  # Tests.
  libgtest-dev python3 python3-numpy python3-pytest python3-pytest-xdist
  # Tests of compiled objects: a C compiler that is not LLVM's, and AArch64.
  gcc libc6-dev qemu-user libc6-dev-arm64-cross libgcc-12-dev-arm64-cross
)

# Threads: LLVM's OpenMP run-time library, of any release, of which Debian installs one
# at a time.
if ! dpkg-query --show --showformat='${db:Status-Status}\n' 'libomp5-*' 2> /dev/null |
  grep -qx installed; then
  packages+=(libomp5-14)
fi

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

for tool in dpkg-query apt-get; do
  command -v "$tool" > /dev/null ||
    fail "$tool not found: this is no Debian system; CONTRIBUTING.md says what to install by hand"
done

# Installs again only what has changed since.
install_python_packages() {
  local directory requirements environment
  directory=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  requirements=$directory/python/requirements.txt
  environment=$directory/build/python-venv
  if cmp -s "$requirements" "$environment/installed"; then return; fi
  say "installing the packages of python/requirements.txt into build/python-venv"
  if /usr/bin/python3 -m venv "$environment" &&
    "$environment/bin/python" -m pip install --quiet --upgrade -r "$requirements"; then
    cp "$requirements" "$environment/installed"
  else
    say 'could not install them: the Python package will not be built'
  fi
}

installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' \
  "${packages[@]}" 2> /dev/null | sed -n 's/ installed$//p' | sort -u || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package" <<< "$installed" || missing+=("$package")
done

if ((${#missing[@]} == 0)); then
  say "all ${#packages[@]} packages are installed"
  install_python_packages
  exit 0
fi
say "missing packages: ${missing[*]}"

as_root=()
if ((EUID != 0)); then
  command -v sudo > /dev/null ||
    fail "installing packages needs root: run this as root or install sudo"
  as_root=(sudo)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --yes --quiet \
    -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
    -o Dpkg::Options::=--force-confold -o Dpkg::Use-Pty=0 "$@"
}

# A mirror that is being updated, or a dropped connection, is gone a little later.
for attempt in 1 2 3; do
  say "apt-get update and install (attempt $attempt of 3)"
  if apt update && apt install --no-install-recommends "${missing[@]}"; then
    say "installed ${#missing[@]} packages"
    install_python_packages
    exit 0
  fi
  if ((attempt < 3)); then sleep $((attempt * 10)); fi
done
fail "apt-get could not install: ${missing[*]} (on Debian 12 the LLVM 22 packages are in bookworm-security: is it among the sources of apt?)"

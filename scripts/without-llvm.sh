#!/usr/bin/env bash
# Runs a command where the libraries that meanvar is built with seem not to be installed.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/without-llvm.sh COMMAND [ARGUMENT]...

Runs the command in a mount namespace of its own, in which LLVM's directories are empty
and its libraries, those of MLIR, OpenMP, protobuf and ONNX cannot be loaded. Needs no
root where user namespaces are allowed.
USAGE
}

case "${1-}" in
  '') usage >&2; exit 2 ;;
  -h | --help) usage; exit 0 ;;
esac

if [[ ${MEANVAR_WITHOUT_LLVM-} != inside ]]; then
  MEANVAR_WITHOUT_LLVM=inside exec unshare --map-root-user --mount "$0" "$@"
fi

shopt -s nullglob
for directory in /usr/lib/llvm-*; do
  mount -t tmpfs none "$directory"
done
libraries=(/usr/lib/*/lib{LLVM,MLIR,clang,omp,protobuf,onnx,z3}*.so*)
for library in "${libraries[@]}"; do
  # Links into the directories lead nowhere by now.
  if [[ -f $library && ! -L $library ]]; then mount --bind /dev/null "$library"; fi
done
unset MEANVAR_WITHOUT_LLVM
exec "$@"

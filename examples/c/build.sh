#!/usr/bin/env bash
# Compiles cmvn.mlir ahead of time and the C program that uses it, and runs that:
#   examples/c/build.sh [DIRECTORY]      default: build/examples
# With meanvar-compile on the path, or in build/release/bin.
set -euo pipefail
source_directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$PATH:$source_directory/../../build/release/bin
directory=${1:-$source_directory/../../build/examples}
mkdir -p "$directory"
cd "$directory"

set -x
meanvar-compile "$source_directory/cmvn.mlir" -o cmvn.o --header=cmvn.h
cc -std=c99 -Wall -O2 -I. "$source_directory/cmvn.c" cmvn.o -lm -o cmvn
ldd ./cmvn
./cmvn

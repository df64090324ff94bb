#!/usr/bin/env bash
# Installs what is missing, builds meanvar and runs published ONNX models with it.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/demo.sh [--help]

Installs missing packages and builds the release preset. Then compiles and runs
two of ONNX's own node tests, MeanVarianceNormalization and Mean, on their
published inputs, prints the result and its agreement with the published output,
and times a normalization of 1024 rows.
USAGE
}

case "${1-}" in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
repository=$PWD
scripts/build.sh release
PATH=$repository/build/release/bin:$PATH

# Debian's copy of the node tests that the ONNX project publishes.
models=/usr/share/libonnx-testdata/data/node

# Prints a command as one types it, and runs it.
run() {
  printf '$'
  printf ' %q' "$@"
  printf '\n'
  "$@"
}

# Runs the node test $1 on its published data: inputs and output 0.
run_node_test() {
  local input arguments=()
  run cd "$models/$1"
  for input in test_data_set_0/input_*.pb; do
    arguments+=("--input=@$input")
  done
  run meanvar-runner model.onnx "${arguments[@]}" --output=- \
    --expected-output=@test_data_set_0/output_0.pb
  echo 'Every element agrees with the published output, within the bounds of docs/Spec.md.'
  cd "$repository"
}

printf '\n== MeanVarianceNormalization: the ONNX node test test_mvn\n'
run_node_test test_mvn

printf '\n== Mean: the ONNX node test test_mean_example\n'
run_node_test test_mean_example

printf '\n== Speed: normalizing the rows of a 1024x1024 f32 tensor\n'
run cat examples/mvn.mlir
run meanvar-runner examples/mvn.mlir '--input=1024x1024xf32=random(1)' --benchmark

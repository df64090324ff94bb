#!/usr/bin/env bash
# Installs the peers, builds meanvar, and measures both: run.py with its options.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
environment=$root/build/benchmarks-venv
python=$environment/bin/python

say() { printf 'benchmarks: %s\n' "$*" >&2; }

# What needs neither peers nor a build.
for argument in "$@"; do
  if [[ $argument == -h || $argument == --help ]]; then
    exec python3 "$here/run.py" --help
  fi
done

packages=(-r "$here/requirements.txt")
for argument in "$@"; do
  if [[ $argument == --with-pytorch ]]; then packages+=(torch); fi
done

# Installs again only what has changed since.
wanted=$(cat "$here/requirements.txt"; printf '%s\n' "${packages[@]:2}")
if [[ $(cat "$environment/installed" 2> /dev/null || true) != "$wanted" ]]; then
  say "installing the peers into $(realpath --relative-to=. "$environment")"
  python3 -m venv "$environment"
  "$python" -m pip install --quiet --upgrade "${packages[@]}" >&2
  printf '%s\n' "$wanted" > "$environment/installed"
fi

say 'building meanvar'
if [[ ! -f $root/build/release/build.ninja ]]; then
  (cd "$root" && cmake --preset release) >&2
fi
cmake --build "$root/build/release" --target MeanVarC MeanVarBenchmarkLoops >&2

exec "$python" "$here/run.py" "$@"

#!/bin/bash
# Draws every figure from a checkout: builds Rondo, simulates the scenarios of the papers' figures, draws the pictures.
#
#   analysis/figures.sh              all; points that this version has simulated before are not simulated again
#   analysis/figures.sh kang         only the scenarios whose names contain one of the words
#
# Results go to build/figures/, pictures to analysis/. JOBS is the number of simulations at the same time (default: all
# cores). Like ./rondo, it installs missing packages as root or with `sudo -n`. With RONDO_NO_INSTALL=1 it only prints
# the apt line.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

packages=(python3-pandas python3-matplotlib)
python=python3
has_libraries() { "$python" -c 'import matplotlib, pandas' 2>/dev/null; }
if ! has_libraries; then
  python=/usr/bin/python3 # the packages are for Debian's python3, and PATH may have another one first
  line="apt-get install --no-install-recommends ${packages[*]}"
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  if ! has_libraries && { [ "${RONDO_NO_INSTALL:-}" = 1 ] || ! "${as_root[@]}" true 2>/dev/null; }; then
    echo "figures: packages are missing; install them with: $line" >&2
    exit 2
  fi
  has_libraries || {
    echo "figures: $line" >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends "${packages[@]}" >&2
  }
fi

export results=build/figures jobs="${JOBS:-$(nproc)}"
mkdir -p "$results"
simulate() { # SCENARIO: writes its results; messages begin with its name
  local name
  name=$(basename "$1" .json)
  ./rondo run --resume --jobs "$jobs" --format jsonl --output "$results/$name.jsonl" "$1" 2>&1 | sed "s/^/$name: /" >&2
}
export -f simulate
wanted() { # WORD...: the scenarios whose names contain one of the words; without words all
  local words
  words=$(printf '%s\n' "$@")
  "$python" analysis/figures.py --scenarios | grep -F "$words" || {
    echo "figures: expected parts of the names of scenarios that are drawn, got: $*" >&2
    exit 2
  }
}
scenarios=$(wanted "$@")
./rondo list >/dev/null # builds Rondo once
# Two scenarios run at the same time, so that no core waits for the longest point of one. The scenario that measures
# wall times runs last and alone.
measured=scenarios/isomorphic-table-2.json
others=$(grep -vF "$measured" <<<"$scenarios" || true)
xargs -r -P 2 -I{} bash -euo pipefail -c 'simulate {}' <<<"$others"
[[ $scenarios != *"$measured"* ]] || jobs=1 simulate "$measured"
echo "figures: simulated within $SECONDS s" >&2
"$python" analysis/figures.py "$results" analysis

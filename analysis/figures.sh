#!/bin/bash
# Draws every figure from nothing: builds Rondo, simulates the scenarios of the papers' figures, draws the pictures.
#
#   analysis/figures.sh              all; what was simulated before by this version is not simulated again
#   analysis/figures.sh kang         only the scenarios whose names contain one of the words
#
# Results go to build/figures/, pictures to analysis/. JOBS says how many simulations run at a time (default: all cores).
# As ./rondo does, it installs what is missing as root or with `sudo -n`; RONDO_NO_INSTALL=1 only prints the apt line.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

packages=(python3-pandas python3-matplotlib)
python=python3
has_libraries() { "$python" -c 'import matplotlib, pandas' 2>/dev/null; }
if ! has_libraries; then
  python=/usr/bin/python3 # another python3 may stand before Debian's, for which the packages are
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
simulate() { # scenario: its results, said with its name before each line
  local name
  name=$(basename "$1" .json)
  ./rondo run --resume --jobs "$jobs" --format jsonl --output "$results/$name.jsonl" "$1" 2>&1 | sed "s/^/$name: /" >&2
}
export -f simulate
wanted() { # the scenarios whose names contain one of the words, all without any
  local words
  words=$(printf '%s\n' "$@")
  "$python" analysis/figures.py --scenarios | grep -F "$words" || {
    echo "figures: expected parts of the names of scenarios that are drawn, got: $*" >&2
    exit 2
  }
}
scenarios=$(wanted "$@")
./rondo list >/dev/null # builds Rondo once
# Two scenarios at a time, so that no core waits for the longest point of one; what measures wall times by itself, at last.
measured=scenarios/isomorphic-table-2.json
others=$(grep -vF "$measured" <<<"$scenarios" || true)
xargs -r -P 2 -I{} bash -euo pipefail -c 'simulate {}' <<<"$others"
[[ $scenarios != *"$measured"* ]] || jobs=1 simulate "$measured"
echo "figures: simulated within $SECONDS s" >&2
"$python" analysis/figures.py "$results" analysis

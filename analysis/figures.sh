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

results=build/figures
mkdir -p "$results"
begin=$SECONDS
while IFS= read -r scenario; do
  name=$(basename "$scenario" .json)
  wanted=$#
  for word in "$@"; do [[ $name != *$word* ]] || wanted=0; done
  [ "$wanted" = 0 ] || continue
  ./rondo run --resume --jobs "${JOBS:-$(nproc)}" --format jsonl --output "$results/$name.jsonl" "$scenario"
  echo "figures: $name: $((SECONDS - begin)) s since the start" >&2
done < <("$python" analysis/figures.py --scenarios)
"$python" analysis/figures.py "$results" analysis

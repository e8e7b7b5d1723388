#!/bin/bash
# Predicts the times of measured collectives:
#
#   analysis/predict.sh DATA.csv OUT.csv                    by the native engine, from the machines of platforms/measured/
#   analysis/predict.sh DATA.csv OUT.csv --probe ALGORITHM  rescaled, in each run, by the measured times of one algorithm
#
# OUT.csv gets the key columns and `predicted_ns` of each row whose algorithm and machine Rondo has; what it has not is
# named on standard error. JOBS says how many simulations run at a time (default: all cores).
set -euo pipefail
[ $# -ge 2 ] || {
  echo "predict: expected DATA.csv OUT.csv [--probe ALGORITHM]" >&2
  exit 2
}
data=$(readlink -f -- "$1") out=$(readlink -m -- "$2")
shift 2
cd "$(dirname "$(readlink -f "$0")")/.."
python=/usr/bin/python3 # Debian's, for which its packages are
"$python" -c 'import numpy, pandas' 2>/dev/null || {
  echo "predict: packages are missing; install them with: apt-get install --no-install-recommends python3-pandas" >&2
  exit 2
}
./rondo list >/dev/null # builds Rondo once
exec nice "$python" analysis/predict.py "$data" "$out" --jobs "${JOBS:-$(nproc)}" "$@"

#!/bin/bash
# Predicts the times of measured collectives:
#
#   analysis/predict.sh DATA.csv OUT.csv                    by the costs of the rounds of each schedule
#   analysis/predict.sh DATA.csv OUT.csv --probe ALGORITHM  corrected in each run by measured times of one algorithm
#   analysis/predict.sh DATA.csv OUT.csv --engine           by the native engine, on the machines of platforms/measured/
#
# OUT.csv has the key columns and `predicted_ns` of each row whose schedule and machine are known. Without --engine it
# also has the interval from `low_ns` to `high_ns` in which four of five measured times should lie. Other rows are named
# on standard error, with the reason. With --engine, JOBS is the number of simulations at the same time (default: all
# cores).
set -euo pipefail
[ $# -ge 2 ] || {
  echo "predict: expected DATA.csv OUT.csv [--probe ALGORITHM]" >&2
  exit 2
}
data=$(readlink -f -- "$1") out=$(readlink -m -- "$2")
shift 2
cd "$(dirname "$(readlink -f "$0")")/.."
python=/usr/bin/python3 # Debian's, since the packages are for it
"$python" -c 'import numpy, pandas' 2>/dev/null || {
  echo "predict: packages are missing; install them with: apt-get install --no-install-recommends python3-pandas" >&2
  exit 2
}
case " $* " in *" --engine "*) ./rondo list >/dev/null ;; esac # builds Rondo once
exec nice "$python" analysis/predict.py "$data" "$out" --jobs "${JOBS:-$(nproc)}" "$@"

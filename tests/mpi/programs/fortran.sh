#!/bin/bash
# fortran.sh RONDO: runs the programs of fortran.json in a temporary folder. Its name needs quotes. No new file may be
# left in it.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder="$work/it's \"two\" words"
mkdir "$folder"
cp "$here"/fortran.json "$here"/neighborhoods.f90 "$here"/ring.f "$here"/f08.f90 "$folder"
"$1" run --quiet --allow-programs "$folder/fortran.json"
left=$(ls -A "$folder")
[[ $left == $'f08.f90\nfortran.json\nneighborhoods.f90\nring.f' ]] || { echo "left there:" "$left"; exit 1; }

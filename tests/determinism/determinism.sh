#!/bin/bash
# Tests that records do not depend on the environment of the run: determinism.sh PROGRAM RUNS [SCENARIOS]. It runs each
# of the first SCENARIOS of 20 small scenarios RUNS times. They are those of tests/data/records, some claims and the
# quick start. The runs differ in --jobs, the size of the environment, the layout of memory (ASLR on and off), the
# locale (a de_DE.UTF-8 that writes 1,5, made here by localedef), the time zone and the working directory. All lines are
# compared without their wall times. The last line is "determinism: 20 scenarios, 50 runs of each, 0 differ".
set -uo pipefail
program=$(readlink -f "${1:?program}") runs=${2:?runs} number=${3:-20}
top=$(readlink -f "$(dirname "$0")/../..")
work=$(mktemp -d "${TMPDIR:-/tmp}/rondo-determinism-XXXXXX")
trap 'rm -rf "$work"' EXIT
RANDOM=5
unset RONDO_ALLOW_PROGRAMS

scenarios=("$top"/tests/data/records/*.json)
for name in quickstart claims/mesh claims/parity claims/steiner claims/intergroup-ring claims/sparse-collectives \
  claims/sparse-exchange-counts claims/common-neighbors-moore claims/block-sizes claims/ports claims/platform-torus; do
  scenarios+=("$top/scenarios/$name.json")
done
scenarios=("${scenarios[@]:0:number}")

localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" >/dev/null 2>&1
if [ "$(env LOCPATH="$work" LC_ALL=de_DE.UTF-8 printf %.1f 1,5 2>&1)" = 1,5 ]; then
  german=de_DE.UTF-8
else
  german=C.UTF-8
  without=", without the locale de_DE.UTF-8, which localedef (package locales) cannot make here"
fi
aslr=(env)
setarch -R true 2>/dev/null && aslr=(setarch -R)

# Removes the wall times of records.
timeless() { sed -E 's/"(setup_)?wall_s":[-+0-9.e]+//g'; }
run() { "$@" "$program" run --quiet --format jsonl --jobs "$jobs" "$scenario" 2>&1 | timeless; }

differ=0
for scenario in "${scenarios[@]}"; do
  jobs=1
  run env LC_ALL=C TZ=UTC >"$work/reference"
  [ -s "$work/reference" ] || { echo "$scenario: no records" >&2 && exit 2; }
  for ((i = 1; i <= runs; ++i)); do
    jobs=$((1 + i % 4)) before=env
    ((i % 3)) || before=${aslr[*]}
    filler=$(head -c $((RANDOM % 20000)) /dev/zero | tr '\0' x)
    zones=(UTC America/St_Johns Asia/Kathmandu XYZ-25:59)
    cd "$work" || exit 2
    ((i % 2)) || cd /
    locale=$german
    ((i % 4)) || locale=C
    # shellcheck disable=SC2086 # $before is one word or two
    run env FILLER="$filler" LOCPATH="$work" LC_ALL=$locale LANG=$german TZ="${zones[i % 4]}" $before >"$work/now"
    cmp -s "$work/reference" "$work/now" && continue
    ((++differ))
    echo "$scenario: run $i differs: --jobs $jobs, $before" >&2
    diff "$work/reference" "$work/now" | head -n 2 | cut -c1-400 >&2
  done
done
echo "determinism: ${#scenarios[@]} scenarios, $runs runs of each, $differ differ${without-}"
[ $differ = 0 ]

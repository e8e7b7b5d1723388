#!/bin/bash
# Writes docs/trust.md from the output of the stages of .ci/long: docs/trust.sh LOGS. LOGS is the folder of their logs
# (build/ci). The page reports a figure as missing if its stage did not print it.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
logs=${1:?folder of logs}
[ -d "$logs" ] || { echo "$logs: expected the folder of the logs of .ci/long" >&2 && exit 2; }

# lines STAGE PATTERN: the lines of the stage's log that match; nothing if the stage has not run.
lines() { grep -asE "$2" "$logs/$1" || true; }
# figures STAGE WORD: the last line of the stage that begins with "WORD: ", without this word; else that it is missing.
figures() {
  local closing
  closing=$(lines "$1" "^$2: " | tail -n 1)
  echo "${closing:+${closing#*: }}" | grep . || echo "missing: the stage \`$1\` was not run to its end"
}
# counted WORD TEXT prints the number before the word: 200 for "200 rounds". It prints N if TEXT has no such number.
counted() { sed -nE "s/.*\b([0-9]+) $1.*/\1/p" <<<"$2" | grep . || echo N; }

# The part that is written by hand is kept.
proof=$(sed -n '/^## How sure a proof is/,$p' docs/trust.md)
faults=$(figures faults faults)
load=$(figures load load)
determinism=$(figures determinism determinism)
fuzzed=$(figures fuzz fuzzed)
mutations=$(figures mutation mutations)
targets=$(lines fuzz '^[a-z_]+: [0-9]+ inputs$' | sed -E 's/^([a-z_]+): ([0-9]+) inputs$/| `\1` | \2 |/')
loads=$(lines load '^.*: [0-9.]+ s, [0-9]+ MB' | sed -E 's/^(.*): ([0-9.]+) s, ([0-9]+) MB.*$/| \1 | \2 | \3 |/')
mutants=$(lines mutants '^[A-Za-z ]+: [0-9]+ mutants' | paste -sd ';' | sed 's/;/; /g' | grep . || echo "missing: the stage \`mutants\` was not run to its end")
model=$(figures model model)
broken=$(figures model 'model faults')
planted=$(lines mutation '^\| ')
errors=$(cat tests/data/errors/*.txt | grep -acE '^[0-9] ')
unreached=$(grep -avcE '^(#|$)' tests/data/errors/unreached)

# The stages of .ci/long before this one that have no log. A stage without output has an empty log.
missing=()
while read -r name; do
  [ -e "$logs/$name" ] || missing+=("\`$name\`")
done < <(sed -nE '/^stage trust/q; s/^(\[.*\|\| )?stage ([a-z-]+) .*/\2/p' .ci/long)
long="All stages of \`.ci/long\` ran."
((${#missing[@]} == 0)) || long="These stages of \`.ci/long\` were not run: $(printf '%s, ' "${missing[@]}" | sed 's/, $//')."

sources=$(git log -1 --format=%h -- src include)
git diff --quiet HEAD -- src include || sources+=" with changes"
machine="$(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(. /etc/os-release && echo "$PRETTY_NAME")"

cat >docs/trust.md <<MD
# What the tests have tried

This page lists the inputs that the long tests have tried, and the faults that they found.

\`docs/trust.sh $logs\` wrote it from the output of \`.ci/long\` for the sources of $sources, on a machine of
$machine. The command in each row measures its figures again.

$long

| what | figures | command |
|---|---|---|
| fuzzed inputs | $fuzzed | \`tests/fuzz/run.sh $(counted 's each' "$fuzzed")\` |
| faults during a sweep | $faults | \`tests/faults/faults.sh build/release/rondo $(counted rounds "$faults")\` |
| heavy load | $load | \`tests/load/load.py build/release/rondo\` |
| same records in repeated runs | $determinism | \`tests/determinism/determinism.sh build/release/rondo $(counted runs "$determinism")\` |
| error texts that a test causes | $errors in tests/data/errors; $unreached texts of the sources are not caused by a test | \`ctest --preset whole -R ^errors\` |
| planted faults | $mutations | \`tests/mutation/mutation.sh\` |
| prover and checker of certificates compared | $mutants | \`.ci/long mutants\` |
| programs that follow docs/model.md in exact fractions, compared with Rondo | $model; rules broken on purpose: $broken | \`.ci/long model\` |

\`tests/faults/faults.sh\` causes one of these faults during a sweep of 40 simulations:

- a program, worker or simulation is killed;
- memory, or the size of files, is limited;
- the file system is full or vanishes;
- a file cannot be read, or a stream is closed;
- a second process writes to the same file.

The script also ends Rondo by a signal while Rondo compiles, runs or reads the results of a user's program.

Rondo survives a fault if the continued sweep has the records of an undisturbed run, no good record is lost, and no process,
file or folder is left over.
MD
[ -z "$loads" ] || cat >>docs/trust.md <<MD

## Heavy load

Each input was made for this test. One process reads it completely; two processes run the sweep. The result is compared with the
content of the input.

| input | seconds | MB at most |
|---|---|---|
$loads
MD
[ -z "$targets" ] || cat >>docs/trust.md <<MD

## Fuzzed inputs

The fuzzer is libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer.

| target | inputs |
|---|---|
$targets
MD
[ -z "$planted" ] || cat >>docs/trust.md <<MD

## Planted faults and the tests that catch them

$(sed '1a|---|---|---|---|' <<<"$planted")
MD
[ -z "$proof" ] || printf '\n%s\n' "$proof" >>docs/trust.md

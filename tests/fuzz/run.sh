#!/bin/bash
# Runs libFuzzer on every target for SECONDS: run.sh SECONDS [TARGET...]. The preset fuzz must be built. Findings are
# written to build/fuzz/found, and new inputs to build/fuzz/corpus. The last line has the number of tried inputs. The
# scenarios and platforms of the checkout are used as inputs too.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 2
seconds=${1:?seconds}
shift
targets=("$@")
((${#targets[@]})) || mapfile -t targets < <(ls tests/fuzz/corpus)
found=build/fuzz/found
mkdir -p "$found"
# Leaks are not reported, since SimGrid never frees some memory that it allocates at its start.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1

# fuzz TARGET: fuzzes one target. As many targets run at the same time as there are processors.
fuzz() {
  local target=$1 corpus=build/fuzz/corpus/$1 seeds=("tests/fuzz/corpus/$1")
  mkdir -p "$corpus"
  case $target in
    scenario) seeds+=(scenarios scenarios/claims) ;;
    machine | platform_xml) seeds+=(platforms) ;;
  esac
  RONDO_FUZZ_TARGET=$target build/fuzz/tests/fuzz/rondo_fuzz -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 \
    -max_len=8192 -use_value_profile=0 -print_final_stats=1 -artifact_prefix="$found/$target-" "$corpus" "${seeds[@]}" \
    >"build/fuzz/$target.log" 2>&1
  echo $? >"build/fuzz/$target.code"
}
export -f fuzz
export seconds found
rm -f build/fuzz/*.code
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz {}'

failed=() tried=0
for target in "${targets[@]}"; do
  log=build/fuzz/$target.log
  if [ "$(cat "build/fuzz/$target.code")" != 0 ]; then
    failed+=("$target")
    grep -aE 'ERROR|broken promise|what\(\)|SUMMARY|runtime error|Test unit' "$log"
  fi
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  echo "$target: ${inputs:-0} inputs"
  ((tried += ${inputs:-0}))
done
echo "fuzzed: $tried inputs of ${#targets[@]} targets, $seconds s each, ${#failed[@]} with findings: ${failed[*]:-none}"
((${#failed[@]} == 0))

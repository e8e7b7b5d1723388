#!/bin/bash
# libFuzzer on every target, for so many seconds each: run.sh SECONDS [TARGET...], at the top of a checkout whose preset
# fuzz was built. What is found lies in build/fuzz/found; what is new in the corpora stays in build/fuzz/corpus. Last it
# says how many inputs were tried. The scenarios and platforms of the checkout are read beside the corpora.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 2
seconds=${1:?seconds}
shift
targets=("$@")
((${#targets[@]})) || mapfile -t targets < <(ls tests/fuzz/corpus)
found=build/fuzz/found
mkdir -p "$found"
failed=() tried=0
# SimGrid's own allocations at its start are no leaks of ours.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
for target in "${targets[@]}"; do
  corpus=build/fuzz/corpus/$target
  mkdir -p "$corpus"
  seeds=(tests/fuzz/corpus/"$target")
  case $target in
    scenario) seeds+=(scenarios scenarios/claims) ;;
    machine | platform_xml) seeds+=(platforms) ;;
  esac
  log=build/fuzz/$target.log
  RONDO_FUZZ_TARGET=$target build/fuzz/tests/fuzz/rondo_fuzz -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 \
    -max_len=8192 -use_value_profile=0 -print_final_stats=1 -artifact_prefix="$found/$target-" "$corpus" "${seeds[@]}" \
    >"$log" 2>&1 || { failed+=("$target") && grep -aE 'ERROR|broken promise|what\(\)|SUMMARY|runtime error|Test unit' "$log"; }
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  echo "$target: ${inputs:-0} inputs"
  ((tried += ${inputs:-0}))
done
echo "fuzzed: $tried inputs of ${#targets[@]} targets, $seconds s each, ${#failed[@]} with findings: ${failed[*]:-none}"
((${#failed[@]} == 0))

#!/bin/bash
# every.sh RONDO RANKS [quick]: exports the schedule of every algorithm on this number of ranks, proves it, and checks
# its certificate by check.py. It prints a row for each schedule: the exit codes and seconds of the prover and of the
# checker, and the megabytes of the schedule and of the certificate. A row has no figures if the generator refuses the
# number of ranks, or if the schedule is too large for a file. With quick, a row also has no figures if p^2 blocks move
# (alltoall, allgather and reduce_scatter), or if `rondo explain` says that the run takes a second or more. Blocks are
# then smaller, so that pipelines cut them into fewer segments. Exit code 1 if a certificate is refused.
set -uo pipefail
rondo=$(readlink -f "$1") ranks=$2 quick=${3:-} usual=64KiB
[ -z "$quick" ] || usual=1KiB
check=$(dirname "$(readlink -f "$0")")/check.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

# run KIND ALGORITHM MEMBERS [BLOCK]: tests an algorithm. MEMBERS are the other members of the collective.
run() {
  local kind=$1 algorithm=$2 members=$3 block=${4:-$usual} start=$SECONDS proved checked
  printf '{"machine": {"topology": {"kind": "fully_connected", "hosts": %d}, "latency": "1us", "bandwidth": "1GBps"},
    "engine": "native", "block": "%s", "algorithm": "%s", "collective": {"kind": "%s", %s}}' \
    "$ranks" "$block" "$algorithm" "$kind" "$members" >s.json
  if [ -n "$quick" ] && [[ " alltoall allgather reduce_scatter " == *" $kind "* ]]; then
    printf '%-22s %-24s not tried: p^2 blocks\n' "$kind" "$algorithm"
    return
  fi
  if [ -n "$quick" ] && ! "$rondo" explain s.json 2>why | grep -q "takes less than a second"; then
    printf '%-22s %-24s not tried: %s\n' "$kind" "$algorithm" "$("$rondo" explain s.json 2>&1 | grep -m1 message | head -c 120)"
    return
  fi
  if ! "$rondo" export --format json --force --output x.json s.json 2>why; then
    printf '%-22s %-24s %s\n' "$kind" "$algorithm" "$(head -c 120 why)"
    return
  fi
  "$rondo" prove --quiet --force --certificate c.jsonl x.json >why 2>&1
  proved=$?
  if [ "$proved" = 2 ]; then
    printf '%-22s %-24s %s\n' "$kind" "$algorithm" "$(head -c 120 why)"
    return
  fi
  local between=$SECONDS
  /usr/bin/python3 -B "$check" x.json c.jsonl >why 2>&1
  checked=$?
  printf '%-22s %-24s prove %d in %d s, check %d in %d s, %d MB and %d MB\n' "$kind" "$algorithm" "$proved" \
    $((between - start)) "$checked" $((SECONDS - between)) $(($(stat -c %s x.json) >> 20)) $(($(stat -c %s c.jsonl) >> 20))
  [ "$proved$checked" = 00 ] || { failed=1; head -c 300 why; }
}

algorithms_of() { "$rondo" list | sed -n '/^algorithms$/,/^[a-z]*$/p' | sed -n "s/^  $1: //p" | tr -d ,; }

half=$((ranks / 2))
for kind in bcast gather scatter allgather alltoall reduce reduce_scatter scan exscan allreduce barrier; do
  for algorithm in $(algorithms_of $kind); do
    if [ $kind = barrier ]; then run $kind "$algorithm" "\"ranks\": $ranks" 0B; else run $kind "$algorithm" "\"ranks\": $ranks"; fi
  done
done
moore='"neighborhood": {"kind": "moore", "radius": 1}'
for kind in isomorphic_alltoall isomorphic_allgather; do
  for algorithm in $(algorithms_of $kind); do run $kind "$algorithm" "\"torus\": [$ranks], $moore"; done
done
for kind in intergroup_allgather intergroup_exchange intergroup_gather intergroup_scatter intergroup_reduce; do
  for algorithm in $(algorithms_of $kind); do run $kind "$algorithm" "\"senders\": $half, \"receivers\": $half"; done
done
edges=$(for ((r = 0; r < ranks; ++r)); do for d in 1 2 3 4 5; do printf '[%d,%d],' $r $(((r + d) % ranks)); done; done)
graph="\"graph\": {\"kind\": \"edges\", \"ranks\": $ranks, \"edges\": [${edges%,}]}"
for kind in neighbor_allgather neighbor_alltoall; do
  for algorithm in $(algorithms_of $kind); do run $kind "$algorithm" "$graph"; done
done
torus="\"graph\": {\"kind\": \"moore\", \"torus\": [$ranks], \"radius\": 5}"
for kind in sparse_allreduce sparse_bcast sparse_gather sparse_scatter sparse_reduce; do
  for algorithm in $(algorithms_of $kind); do
    if [ "$algorithm" = torus ]; then run $kind torus "$torus"; else run $kind "$algorithm" "$graph"; fi
  done
done
run sparse_barrier naive "$graph" 0B
exit $failed

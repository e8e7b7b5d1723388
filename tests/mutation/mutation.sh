#!/bin/bash
# mutation.sh [--check|WORD] plants faults and tests that each is caught. It prints a table of them, writes it to
# build/mutation/table.md too, and fails if a fault is not caught. A line of mutations.tsv is a fault: where it is
# planted, its meaning, the file, the expression that occurs once in the file, its replacement, the test program, and
# the test that must fail. All faults are planted in one copy of the sources, as (mutated(N) ? new : old), so that it is
# built once. RONDO_MUTATION=N activates fault N. Without an active fault every named test must pass. `mutation.sh
# --check` only tests that each fault can be planted. `mutation.sh WORD` selects the faults whose place, meaning, file
# or test contains WORD.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 2
copy=build/mutation/copy
table=build/mutation/table.md
word=${1:-}
[ "$word" != --check ] || { word='' copy=$(mktemp -d) && trap 'rm -rf "$copy"' EXIT; }
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z | xargs -0 cp --parents -t "$copy" || exit 2

plant() { # NUMBER FILE OLD NEW
  N=$1 OLD=$3 NEW=$4 perl -0777 -i -pe '
    my $old = quotemeta $ENV{OLD};
    my $count = () = /$old/g;
    die "$ARGV: \"$ENV{OLD}\" stands there $count times, not once\n" if $count != 1;
    s/$old/(::rondo::mutated($ENV{N}) ? ($ENV{NEW}) : ($ENV{OLD}))/' "$copy/$2"
}

number=0 planted=0 programs=()
while IFS=$'\t' read -r where what file old new program test; do
  ((++number))
  [[ "$where $what $file $test" == *"$word"* ]] || continue
  ((++planted))
  plant $number "$file" "$old" "$new" || exit 2
  programs+=("test_$program")
done <tests/mutation/mutations.tsv
[ "${1:-}" != --check ] || exit 0
mapfile -t programs < <(printf '%s\n' "${programs[@]}" | sort -u)

cmake -S "$copy" -B build/mutation/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
  -DCMAKE_CXX_FLAGS="-include $PWD/tests/mutation/mutation.hpp -Wno-parentheses" -DRONDO_UNITY=ON -DRONDO_MPICH=OFF \
  >build/mutation/log 2>&1 &&
  cmake --build build/mutation/build --target "${programs[@]}" >>build/mutation/log 2>&1 ||
  { tail -n 20 build/mutation/log && exit 2; }

# Whether the test passes while this fault is active. A fault may also make it wait for ever.
passes() { # NUMBER PROGRAM TEST
  RONDO_MUTATION=$1 timeout 300 "build/mutation/build/tests/test_$2" --gtest_filter="$3" >build/mutation/test.log 2>&1 &&
    grep -q 'PASSED.* 1 test' build/mutation/test.log
}

number=0 caught=0 wrong=0
{
  echo "| where | planted fault | file | caught by |"
  echo "|---|---|---|---|"
} >"$table"
while IFS=$'\t' read -r where what file _ _ program test; do
  ((++number))
  [[ "$where $what $file $test" == *"$word"* ]] || continue
  verdict="\`$test\`"
  if ! passes 0 "$program" "$test"; then
    echo "mutation $number: $test fails, or is not there, without a fault" >&2
    verdict+=" FAILS WITHOUT IT" && ((++wrong))
  elif passes $number "$program" "$test"; then
    echo "mutation $number: \"$what\" in $file is not caught by $test" >&2
    verdict="NOT CAUGHT by \`$test\`"
  else
    ((++caught))
  fi
  echo "| $where | $what | \`$file\` | $verdict |" >>"$table"
done <tests/mutation/mutations.tsv
cat "$table"
echo "mutations: $planted planted, $caught caught"
((planted > 0 && caught == planted && wrong == 0))

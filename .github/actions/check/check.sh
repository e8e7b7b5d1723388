#!/bin/bash
# What action.yml does, for any other CI too: runs the scenarios that $FILES names (folders, and patterns, are expanded)
# with all cores, judges their claims and writes JUnit XML to $JUNIT. With $RESULTS, records and verdicts go to that file
# as JSON lines, and the verdicts' lines are printed. With $BASELINE, points are compared with that file's records.
# Programs run only with ALLOW_PROGRAMS=true. $RONDO is the program; by default the launcher of this repository, which
# installs what is missing and builds it. Exit codes are those of `rondo check`.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
words=(check --quiet --jobs "$(nproc)" --junit "${JUNIT:-claims.xml}")
[ -z "${BASELINE:-}" ] || words+=(--baseline "$BASELINE")
case ${ALLOW_PROGRAMS:-false} in
  true) words+=(--allow-programs) ;;
  false) ;;
  *) echo "check.sh: ALLOW_PROGRAMS: expected true or false, got \"$ALLOW_PROGRAMS\"" >&2 && exit 2 ;;
esac
# Words and patterns of FILES are meant to be taken apart.
# shellcheck disable=SC2206
files=(${FILES:?expected the scenarios to check})
rondo=${RONDO:-$here/../../../rondo}
[ -n "${RESULTS:-}" ] || exec "$rondo" "${words[@]}" -- "${files[@]}"
"$rondo" "${words[@]}" --format jsonl -- "${files[@]}" >"$RESULTS"
code=$?
grep -v '"point":' "$RESULTS"
exit $code

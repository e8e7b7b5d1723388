#!/bin/bash
# The script of action.yml, which other CI systems can use too. It runs the scenarios in $FILES on all cores, judges
# their claims and writes JUnit XML to $JUNIT. $FILES may contain folders and patterns. With $RESULTS, records and
# verdicts are written to this file as JSON lines, and the lines of the verdicts are printed. With $BASELINE, points are
# compared with the records in this file. Programs run only with ALLOW_PROGRAMS=true. $RONDO is the program. By default
# it is the launcher of this repository, which installs missing packages and builds Rondo. Exit codes are those of
# `rondo check`.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
words=(check --quiet --jobs "$(nproc)" --junit "${JUNIT:-claims.xml}")
[ -z "${BASELINE:-}" ] || words+=(--baseline "$BASELINE")
case ${ALLOW_PROGRAMS:-false} in
  true) words+=(--allow-programs) ;;
  false) ;;
  *) echo "check.sh: ALLOW_PROGRAMS: expected true or false, got \"$ALLOW_PROGRAMS\"" >&2 && exit 2 ;;
esac
# FILES must be split into words, and its patterns must be expanded.
# shellcheck disable=SC2206
files=(${FILES:?expected the scenarios to check})
rondo=${RONDO:-$here/../../../rondo}
[ -n "${RESULTS:-}" ] || exec "$rondo" "${words[@]}" -- "${files[@]}"
"$rondo" "${words[@]}" --format jsonl -- "${files[@]}" >"$RESULTS"
code=$?
grep -v '"point":' "$RESULTS"
exit $code

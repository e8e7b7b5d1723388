#!/bin/bash
# The script of action.yml, which other CI systems can use too. It proves the schedules in $FILES, which may contain
# patterns. It writes JUnit XML to $JUNIT and SARIF to $SARIF. $PROMISE and $TIMEOUT may be empty. $RONDO is the
# program. By default it is the launcher of this repository, which builds Rondo. Exit codes are those of `rondo prove`.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
words=(prove --junit "${JUNIT:-proofs.xml}" --sarif "${SARIF:-proofs.sarif}")
[ -n "${PROMISE:-}" ] && words+=(--promise "$PROMISE")
[ -n "${TIMEOUT:-}" ] && words+=(--timeout "$TIMEOUT")
# FILES must be split into words, and its patterns must be expanded.
# shellcheck disable=SC2206
files=(${FILES:?expected the schedules to prove})
exec "${RONDO:-$here/../../../rondo}" "${words[@]}" -- "${files[@]}"

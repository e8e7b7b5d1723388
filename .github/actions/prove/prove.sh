#!/bin/bash
# What action.yml does, for any other CI too: proves the schedules that $FILES names (patterns are expanded) and writes
# JUnit XML to $JUNIT and SARIF to $SARIF. $PROMISE and $TIMEOUT may be empty. $RONDO is the program; by default the
# launcher of this repository, which builds it. Exit codes are those of `rondo prove`.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
words=(prove --junit "${JUNIT:-proofs.xml}" --sarif "${SARIF:-proofs.sarif}")
[ -n "${PROMISE:-}" ] && words+=(--promise "$PROMISE")
[ -n "${TIMEOUT:-}" ] && words+=(--timeout "$TIMEOUT")
# Words and patterns of FILES are meant to be taken apart.
# shellcheck disable=SC2206
files=(${FILES:?expected the schedules to prove})
exec "${RONDO:-$here/../../../rondo}" "${words[@]}" -- "${files[@]}"

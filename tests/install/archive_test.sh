#!/bin/bash
# archive_test.sh SOURCE: tests that the source tarball of RELEASING.md can be configured without git, and that its
# version is that of CMakeLists.txt. SOURCE is a clone.
set -euo pipefail
source=$1
[ -e "$source/.git" ] && command -v git >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

git -C "$source" archive --prefix=rondo/ HEAD | tar x -C "$work"
cmake -G Ninja -S "$work/rondo" -B "$work/build" >"$work/log" 2>&1 || { cat "$work/log"; fail "not configured"; }
version=$(sed -n 's/^project(rondo VERSION \([0-9.]*\).*/\1/p' "$work/rondo/CMakeLists.txt")
cmake -DPROJECT_VERSION="$version" -DSOURCE_DIR="$work/rondo" -DOUTPUT="$work/version.cpp" -P "$work/rondo/src/base/version.cmake"
grep -qF "\"$version\"" "$work/version.cpp" || { cat "$work/version.cpp"; fail "expected the version $version alone"; }

#!/bin/bash
# Runs one case by name. The launcher runs in a temporary checkout. Stand-ins for dpkg-query, apt-get, id, sudo, cmake
# and ctest are first in PATH. Those for apt-get and cmake write their arguments to $calls. shellcheck
# disable=SC2016,SC2089,SC2090 # the stand-ins are texts of programs
set -u

launcher=$(dirname "$(readlink -f "$0")")/../../rondo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
home="$work/a checkout"
calls=$work/calls
bin=$work/bin
mkdir -p "$home/src" "$bin"
cp "$launcher" "$home/rondo"
touch "$home/CMakeLists.txt" "$home/CMakePresets.json" "$home/src/main.cpp" "$calls"
export PATH=$bin:$PATH calls home
unset RONDO_NO_INSTALL

stub() { printf '#!/bin/bash\n%s\n' "$2" >"$bin/$1" && chmod +x "$bin/$1"; }
program='#!/bin/sh
echo "in $(pwd)"; for word; do echo "[$word]"; done; exit 3'
export program
# All packages are installed, except those in $work/missing.
export absent=$work/missing
: >"$absent"
stub dpkg-query 'for word; do [[ $word == -* || $word == *=* ]] || grep -qx "$word" "$absent" || echo "$word=installed"; done'
stub apt-get 'echo "apt-get $*" >>"$calls"; [[ $* != *install* ]] || : >"$absent"'
stub id 'echo 0'
stub sudo 'exit 1'
stub ctest 'echo "ctest $*"; echo "100% tests passed"; exit 8'
stub cmake 'echo "cmake $*" >>"$calls"; echo "noise of the build"
  if [[ $* == *--build* ]]; then
    sleep 0.3; mkdir -p build/release; echo "$program" >build/release/rondo; chmod +x build/release/rondo
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/release/CMakeCache.txt
  fi'

fail() { echo "FAILED: $*"; tail -n +1 "$work"/out* "$work"/err* "$calls"; exit 1; }
run() { "$home/rondo" "$@" >"$work/out" 2>"$work/err"; code=$?; }
expect_code() { [ "$code" = "$1" ] || fail "exit code $code, not $1"; }
expect_in() { grep -qF -- "$2" "$1" || fail "no '$2' in $1"; }
expect_calls() { [ "$(grep -c "$2" "$calls")" = "$1" ] || fail "not $1 calls of $2"; }
age() { find "$home" -exec touch -d '1 hour ago' {} +; touch "$home/build/release/rondo.stamp"; }

builds_then_runs_the_program_with_the_same_words_and_its_exit_code() {
  cd "$work" || exit 1
  run run 'a b.json' --set /block=1KiB ''
  expect_code 3
  [ "$(cat "$work/out")" = "in $work
[run]
[a b.json]
[--set]
[/block=1KiB]
[]" ] || fail "standard output"
  expect_in "$calls" "cmake --build --preset release --target rondo"
}
builds_the_library_of_programs_when_they_are_allowed() {
  run run a.json --allow-programs
  expect_code 3; expect_in "$calls" "cmake --build --preset release --target rondo_programs"
  age; touch "$home/build/release/rondo_programs.stamp"; : >"$calls"
  RONDO_ALLOW_PROGRAMS=1 run; expect_code 3; expect_calls 0 cmake
}
builds_nothing_that_a_larger_build_has_built() {
  run run a.json --allow-programs; : >"$calls"; run; expect_calls 0 cmake
  rm "$home"/build/release/*.stamp; run test; : >"$calls"
  run; expect_calls 0 cmake
  RONDO_ALLOW_PROGRAMS=true run; expect_calls 0 cmake
}
calls_no_cmake_when_nothing_is_newer() {
  run; age; : >"$calls"; run
  expect_code 3; expect_calls 0 cmake; [ ! -s "$work/err" ] || fail "standard error is not empty"
}
builds_again_when_a_source_is_newer_or_gone_or_a_commit_was_made() {
  mkdir -p "$home/.git/logs"; touch "$home/.git/logs/HEAD" "$home/src/other.cpp"; run
  age; sleep 0.02; touch "$home/src/main.cpp"; : >"$calls"; run; expect_calls 1 "cmake --build"
  age; sleep 0.02; rm "$home/src/other.cpp"; : >"$calls"; run; expect_calls 1 "cmake --build"
  age; sleep 0.02; touch "$home/.git/logs/HEAD"; : >"$calls"; run; expect_calls 1 "cmake --build"
}
configures_anew_in_a_checkout_that_was_moved() {
  run; age; mv "$home" "$work/moved"; home=$work/moved; : >"$calls"; run
  expect_code 3; expect_calls 1 "cmake --preset release --fresh"
}
works_through_a_symbolic_link() {
  ln -s "$home/rondo" "$bin/rondo"; cd /; rondo x >"$work/out"; code=$?
  expect_code 3; expect_in "$work/out" "in /"
}
two_at_once_build_once() {
  run_beside() { "$home/rondo" >"$work/out$1" 2>"$work/err$1"; }
  run_beside 1 & run_beside 2 & wait
  expect_calls 1 "cmake --build"; expect_in "$work/out1" "in /"; expect_in "$work/out2" "in /"
}
shows_the_log_of_a_failed_build_and_exits_with_2() {
  stub cmake 'echo "main.cpp:1: error"; exit 1'; run
  expect_code 2; expect_in "$work/err" "main.cpp:1: error"; expect_in "$work/err" "rondo: the build failed"
  [ ! -s "$work/out" ] || fail "standard output is not empty"
}
installs_what_is_missing_as_root() {
  echo libsimgrid-dev >"$absent"; run
  expect_code 3; expect_in "$calls" "install --no-install-recommends libsimgrid-dev"
  expect_in "$work/err" "rondo: apt-get install --no-install-recommends libsimgrid-dev"
}
updates_the_package_lists_when_the_installation_fails() {
  echo libfmt-dev >"$absent"
  stub apt-get 'echo "apt-get $*" >>"$calls"
    [[ $* != *install* ]] || { [ -e "$calls.tried" ] && : >"$absent"; } || { touch "$calls.tried"; exit 1; }'
  run; expect_code 3; expect_calls 2 "apt-get.*install"; expect_in "$calls" "update"
}
prints_the_apt_line_when_it_may_not_install() {
  printf 'g++\nninja-build\n' >"$absent"; RONDO_NO_INSTALL=1 run
  expect_code 2; expect_in "$work/err" "apt-get install --no-install-recommends g++ ninja-build"; expect_calls 0 apt-get
}
prints_the_apt_line_without_rights() {
  echo libfmt-dev >"$absent"; stub id 'echo 1000'; run
  expect_code 2; expect_in "$work/err" "sudo apt-get install --no-install-recommends libfmt-dev"; expect_calls 0 apt-get
}
installs_with_sudo_that_asks_for_no_password() {
  echo libfmt-dev >"$absent"; stub id 'echo 1000'; stub sudo '[ "$1" = -n ] && shift && exec "$@"'; run
  expect_code 3; expect_in "$calls" "install --no-install-recommends libfmt-dev"
}
test_builds_all_and_returns_the_exit_code_of_ctest() {
  run test -R Verify
  expect_code 8; expect_in "$calls" "cmake --build --preset release --target all"
  expect_in "$work/out" "-R Verify"; [ "$(tail -n 1 "$work/out")" = "100% tests passed" ] || fail "last line"
}

"$1"

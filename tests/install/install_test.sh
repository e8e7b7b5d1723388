#!/bin/bash
# install_test.sh CASE BUILD SOURCE: tests one promise of an installed Rondo to projects outside the tree. Each case
# installs BUILD into a temporary prefix, and compiles against this prefix.
set -euo pipefail
case=$1 build=$2 source=$3
here=$source/tests/install
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() { echo "$*" >&2; exit 1; }

# Only one case installs at a time, since the installation writes files into the folder of the build.
flock "$build/install.lock" cmake --install "$build" --prefix "$prefix" >"$work/log" 2>&1 || { cat "$work/log"; fail "not installed"; }
pkgconfig=$(find "$prefix" -name pkgconfig -type d)
export PKG_CONFIG_PATH=$pkgconfig

# flags PACKAGE: sets `words` to the flags that pkg-config prints.
flags() { read -ra words <<<"$(pkg-config --cflags --libs "$1")"; }

# simulate PROGRAM: runs the program on 6 ranks. It must print "all is well".
simulate() {
  smpirun -np 6 -platform "$prefix/share/rondo/platforms/fully-connected-64.xml" --log=root.threshold:error "$1" \
    >"$work/printed" 2>&1 || { cat "$work/printed"; fail "$1 fails"; }
  grep -qx 'all is well' "$work/printed" || { cat "$work/printed"; fail "$1: expected \"all is well\""; }
}

a_cpp_project_finds_the_package() {
  cmake -G Ninja -S "$here/cpp" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Debug >"$work/log" 2>&1 &&
    cmake --build "$work/build" >>"$work/log" 2>&1 || { cat "$work/log"; fail "not built"; }
  "$work/build/example"
}

a_cpp_file_is_compiled_by_pkg_config() {
  flags rondo
  g++ -std=c++20 "$here/cpp/main.cpp" "${words[@]}" -o "$work/example"
  "$work/example"
}

c_programs_are_compiled_by_pkg_config() {
  flags rondo_mpi
  smpicc -Wall -Werror "$here/collectives.c" "${words[@]}" -o "$work/prefixed"
  simulate "$work/prefixed"
  smpicc -Wall -Werror -DRONDO_UNPREFIXED "$here/collectives.c" "${words[@]}" -o "$work/unprefixed"
  simulate "$work/unprefixed"
}

programs_are_compiled_by_the_wrappers() {
  "$prefix/bin/rondo-cc" -Wall -Werror "$here/collectives.c" -o "$work/collectives"
  simulate "$work/collectives"
  "$prefix/bin/rondo-cxx" -std=c++20 -Wall -Werror "$here/exchange.cpp" -o "$work/exchange"
  simulate "$work/exchange"
  ! "$prefix/bin/rondo-cc" --show "$here/collectives.c" | grep -qF -e "$build" -e "$source/include" || fail "the build is used"
  command -v gfortran >/dev/null || return 0
  "$prefix/bin/rondo-fc" "$source/tests/mpi/programs/neighborhoods.f90" -o "$work/fortran"
  cp "$source/tests/mpi/programs/neighborhoods.f90" "$work"
  echo '{"schema_version": 1, "machine": {"topology": {"kind": "ring", "hosts": 6}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "program", "source": "neighborhoods.f90"}}' >"$work/fortran.json"
  "$prefix/bin/rondo" run --allow-programs --quiet "$work/fortran.json" >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "Fortran is not compiled"; }
}

a_cpp_mpi_program_is_compiled_by_pkg_config() {
  flags rondo_mpi
  smpicxx -std=c++20 "$here/exchange.cpp" "${words[@]}" -o "$work/exchange"
  simulate "$work/exchange"
}

# Debian's python3 imports the module, without the build or the checkout on its path.
a_python_module_is_imported() {
  local site
  site=$(find "$prefix" -type d -path '*/dist-packages' -print -quit)
  [ -n "$site" ] || { echo "skipped: the module was not built"; exit 77; }
  cd "$work"
  PYTHONPATH=$site /usr/bin/python3 -B "$here/module.py" "$prefix"
}

# The schema is for editors, which find it by the "$schema" of a scenario.
the_schema_is_that_of_the_program() {
  "$prefix/bin/rondo" schema | cmp - "$prefix/share/rondo/scenario.schema.json"
  grep -q '"$schema"' "$prefix/share/rondo/scenario.schema.json" || fail "expected a JSON schema"
}

# The program loads the installed module, and only if the engine is SMPI.
the_smpi_engine_is_a_module_of_its_own() {
  local module scenario=$prefix/share/rondo/scenarios/quickstart.json expected
  module=$(find "$prefix" -name librondo_smpi.so)
  cd "$work"
  "$prefix/bin/rondo" run --set '/engine="smpi"' "$scenario" >printed 2>&1 || { cat printed; fail "SMPI does not run"; }
  echo "no module" >"$module"
  "$prefix/bin/rondo" run --set '/engine="native"' "$scenario" >printed 2>&1 || { cat printed; fail "native needs the module"; }
  if "$prefix/bin/rondo" run --set '/engine="smpi"' "$scenario" >printed 2>&1; then fail "no error without the module"; fi
  expected="point 1: refused: the SMPI engine cannot be loaded: $module: file too short"
  grep -qxF "$expected" printed || { cat printed; fail "expected $expected"; }
}

# Each header is compiled alone. C headers are compiled as C and as C++.
every_header_compiles_alone() {
  local path header
  for path in "$prefix"/include/rondo/*.h "$prefix"/include/rondo/*.hpp; do
    header="#include <rondo/${path##*/}>"
    [[ $path == *.hpp ]] ||
      smpicc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$prefix/include" -x c - <<<"$header"
    smpicxx -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I "$prefix/include" -x c++ - <<<"$header"
  done
}

# The names of the library's C functions begin with MPI_, PMPI_ or Rondo_. Others are Fortran's names of MPI's
# functions, such as mpi_cart_map_, and the functions that Fortran's STOP calls. A function Rondo_X, except those of
# rondo/topology.h, is also available by the paper's name X with RONDO_UNPREFIXED, and not without.
names_have_a_prefix_and_a_twin() {
  local functions name
  printf '#include <rondo/%s.h>\n' collectives intergroup isomorphic sparse_exchange >"$work/names.c"
  smpicc -E -dM -I "$prefix/include" "$work/names.c" | awk '{print $2}' >"$work/plain"
  smpicc -E -dM -I "$prefix/include" -DRONDO_UNPREFIXED "$work/names.c" | awk '{print $2}' >"$work/asked"
  functions=$(nm -g --defined-only "${pkgconfig%/pkgconfig}/librondo_mpi.a" | awk '$2 == "T" && $3 !~ /^_Z/ {print $3}')
  [ "$(wc -w <<<"$functions")" -gt 100 ] || fail "expected more than 100 functions, got: $functions"
  for name in $functions; do
    [[ $name =~ ^(P?MPI|Rondo)_ || $name =~ ^mpi_[a-z0-9_]+_$ || $name =~ ^_gfortran_(error_)?stop_(numeric|string)$ ]] ||
      fail "$name has no prefix"
    [[ $name == Rondo_* ]] || continue
    if grep -q "\b$name\b *(" "$prefix/include/rondo/topology.h"; then continue; fi
    grep -qx "${name#Rondo_}" "$work/asked" || fail "$name has no twin"
    ! grep -qx "${name#Rondo_}" "$work/plain" || fail "${name#Rondo_} is defined without being asked for"
  done
  for name in ROWMAJOR COLMAJOR MANHATTAN_DISTANCE CHEBYCHEV_DISTANCE COMM_PACK COMM_UNPACK ISO_REQUEST_NULL \
    Iso_request INTERGROUP_REQUEST_NULL Intergroup_request comm_error_handler; do
    grep -qx "$name" "$work/asked" || fail "$name is not there when it is asked for"
    ! grep -qx "$name" "$work/plain" || fail "$name is defined without being asked for"
  done
}

"$case"

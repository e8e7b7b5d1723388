#!/bin/sh
# peers.sh RONDO: measures Rondo and its peers on the same work in one run, and prints a table. These variables name the
# folders of the peers. Nothing is fetched. A peer without a folder is reported as not measured.
#   LOGGOPSIM   a build of github.com/spcl/LogGOPSim: has LogGOPSim and txt2bin
#   ASTRA       the sources of github.com/astra-sim/astra-network-analytical; yaml-cpp's headers and library are installed
#   HTSIM       the folder sim/ of github.com/Broadcom/csg-htsim, built: has datacenter/htsim_ndp
# SMPI is taken from the PATH: smpicc and smpirun.
set -eu
[ $# = 1 ] || { echo "usage: [LOGGOPSIM=FOLDER] [ASTRA=FOLDER] [HTSIM=FOLDER] peers.sh RONDO" >&2; exit 2; }
exec python3 -B "$(dirname "$0")/peers/compare.py" "$(readlink -f "$1")"

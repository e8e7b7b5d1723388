#!/bin/bash
# Writes the pages of Rondo as a static site into build/site, with a page for each algorithm. It uses mkdocs, from
# Debian's package of that name. It fails if a page links to a file or a heading that does not exist.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
command -v mkdocs >/dev/null || { echo "mkdocs is missing; install it with: apt-get install mkdocs" >&2 && exit 2; }
[ -x build/release/rondo ] || { echo "build/release/rondo is missing, which draws the algorithms; build it with ./rondo list" >&2 && exit 2; }
python3 -B docs/site_pages.py build/site-pages
python3 -B docs/algorithm_pages.py build/release/rondo build/site-pages
mkdocs build --quiet --strict --clean
for format in scenario schedule promise; do build/release/rondo schema $format >build/site/$format.schema.json; done
echo "build/site/index.html"

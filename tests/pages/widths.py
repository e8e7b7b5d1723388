#!/usr/bin/python3
"""Finds pages of the docs site that are wider than their window: tests/pages/widths.py SITE, the folder of docs/site.sh.

Chromium lays out each page in frames of 1400 and 390 pixels. If a page must be scrolled sideways, it is named with its
last element that is too wide, and the exit code is 1. First it must find a page that is too wide on purpose."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

WIDTHS = (1400, 390)
AT_ONCE = 12  # pages per process of Chromium
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--allow-file-access-from-files", "--virtual-time-budget=20000", "--dump-dom"]
SCRIPT = """
onload = () => {
  const wide = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, width = Number(frame.width);
    if (page.documentElement.scrollWidth <= width) continue;
    const past = [...page.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > width + 1);
    const last = past.pop();
    wide.push([frame.title, width, page.documentElement.scrollWidth, last ? `${last.tagName}: ${last.textContent.trim().slice(0, 60)}` : ""]);
  }
  document.getElementById("wide").textContent = JSON.stringify([document.querySelectorAll("iframe").length, wide]);
};
"""


def too_wide(pages, folder):
    """The pages that are wider than a frame: name, width of the frame, width of the page, element. `pages` has pairs of
    a name and a file."""
    frames = "".join(f'<iframe src="file://{file}" title="{name}" width="{width}" height="600"></iframe>'
                     for name, file in pages for width in WIDTHS)
    harness = folder / "harness.html"
    harness.write_text(f'<body><pre id="wide"></pre>{frames}<script>{SCRIPT}</script>')
    dom = subprocess.run([*CHROMIUM, f"--user-data-dir={folder / 'user'}", f"file://{harness}"], capture_output=True, text=True, timeout=300)
    found = re.search(r'<pre id="wide">(.*?)</pre>', dom.stdout, re.S)
    if dom.returncode != 0 or not found or not found.group(1):
        sys.exit(f"widths: Chromium: exit code {dom.returncode}: {dom.stderr.strip()[-300:]}")
    count, wide = json.loads(found.group(1))
    if count != len(pages) * len(WIDTHS):
        sys.exit(f"widths: {count} frames laid out, not {len(pages) * len(WIDTHS)}")
    return wide


def main() -> int:
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = [(str(file.relative_to(site)), file) for file in sorted(site.rglob("*.html"))]
    if not pages:
        sys.exit(f"widths: {site}: expected the pages of docs/site.sh")
    wide = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        planted = folder / "planted.html"
        planted.write_text('<body style="margin:0"><div style="width:1500px">planted</div>')
        if [width for _, width, *_ in too_wide([("planted", planted)], folder)] != list(WIDTHS):
            sys.exit("widths: the page that is too wide on purpose was not found")
        for first in range(0, len(pages), AT_ONCE):
            wide += too_wide(pages[first:first + AT_ONCE], folder)
    for page, width, needs, element in wide:
        print(f"{page}: needs {needs} pixels in a window of {width}: {element}")
    print(f"widths: {len(pages)} pages, {len(wide)} too wide")
    return 1 if wide else 0


if __name__ == "__main__":
    sys.exit(main())

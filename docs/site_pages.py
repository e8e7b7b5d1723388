#!/usr/bin/env python3
"""Copies the files from which docs/site.sh makes the site into a folder: site_pages.py FOLDER.

The files are README.md, CHANGELOG.md, scenarios/README.md, the pages of docs/, every file of the checkout to which one
of them links, and docs/site.css. They have the same relative paths in the folder. Exits with 1 if a link leads
nowhere."""

import pathlib
import re
import shutil
import sys

PAGES = ["README.md", "CHANGELOG.md", "scenarios/README.md", *sorted(str(p) for p in pathlib.Path("docs").rglob("*.md"))]
LINK = re.compile(r"(?<!`)\[[^\]\[]*\]\(([^)\s]+)\)")


def prose(text: str) -> str:
    """The text without blocks of code and code in lines, whose brackets are not links."""
    return re.sub(r"`[^`\n]*`", "``", re.sub(r"(?ms)^```.*?^```", "", text))


def anchors(text: str) -> set[str]:
    """The anchors of the page's headings, as mkdocs and GitHub make them. Repeated headings have one anchor here."""
    headings = re.findall(r"(?m)^#+ +(.+)$", re.sub(r"(?ms)^```.*?^```", "", text))
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def links(page: pathlib.Path):
    """The page's links inside the checkout: the link as written, its file, and its anchor or ""."""
    for url in LINK.findall(prose(page.read_text())):
        if "://" in url or url.startswith("mailto:"):
            continue
        path, _, anchor = url.partition("#")
        yield url, (page.parent / path if path else page), anchor


def for_mkdocs(text: str) -> str:
    """The text with the names of files above their blocks, because mkdocs does not show the titles of blocks."""
    return re.sub(r'(?m)^```(\w*) title="([^"]+)"$', r"`\2`:\n\n```\1", text)


def main() -> int:
    if not sys.argv[1:]:
        sys.exit(f"{sys.argv[0]}: expected the folder to fill as first argument, got nothing")
    out = pathlib.Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    root = pathlib.Path.cwd()
    wrong = []
    wanted = {pathlib.Path(page) for page in PAGES}
    for page in sorted(wanted):
        for url, target, anchor in links(page):
            file = target.resolve()
            if not file.exists() or not file.is_relative_to(root):
                wrong.append(f"{page}: {url} leads nowhere")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                wrong.append(f"{page}: {url}: {file.relative_to(root)} has no such heading")
            elif file.is_file():
                wanted.add(file.relative_to(root))
    wanted.add(pathlib.Path("docs/site.css"))
    for file in wanted:
        (out / file).parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            (out / file).write_text(for_mkdocs(file.read_text()))
        else:
            shutil.copyfile(file, out / file)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Draws the pages that Rondo writes, and compares them with the pictures in kept/.

    tests/pages/pictures.py RONDO [--output FOLDER] [--update]

Chromium draws each page with a width of 1400, 800 and 390 pixels, light and dark, and on paper. The top of the
quickstart's report is the picture of README, docs/report.png. The links of links.json are the picture of the tutorial,
docs/links.png.

Pictures of pages are compared at half size, in squares of 8 pixels. A picture has changed if more than the fraction
CHANGED of its squares differ by more than FAR in their mean colour, if its height differs by more than the fraction
TALLER, or if its width differs. Changed pictures are written to FOLDER (build/pages), beside the expected ones, and the
exit code is 1. --update keeps the pictures that are drawn now. Look at them first. A page that is taller than TALLEST
is an error.

It needs Debian's Python, chromium, poppler-utils, python3-pil, python3-numpy and fonts-dejavu-core.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WIDTHS = (1400, 800, 390)
TALLEST = 8000  # pixels of a page; Chromium draws at most 16384 pixels
ROOM = 200  # pixels that must be empty at the end; no gap within a page is larger
SQUARE = 8  # pixels of a picture at half size
FAR = 24  # a difference of colours, of 255
CHANGED = 0.02
TALLER = 0.02
PICTURES = {"readme": "report.png", "links": "links.png"}  # the pictures of the documentation
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=10000"]


def run(command, codes=(0,), **options):
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **options)
    if ran.returncode not in codes:
        sys.exit(f"pictures: {' '.join(map(str, command))}: exit code {ran.returncode}: {ran.stderr.strip()[-500:]}")
    return ran.stdout


def without_version(page):
    """Replaces the version of the program in a page, so that all versions write the same text."""
    page.write_text(re.sub(r"\b\d+\.\d+\.\d+\+g[0-9a-f]+\b", "0.0.0", page.read_text()))


def made_report(rondo, folder, scenario, place):
    """The report of a scenario, which is checked in the folder `place`."""
    records, page = folder / "report.jsonl", folder / f"{pathlib.Path(scenario).stem}.html"
    records.write_text(run([rondo, "check", "--quiet", "--format", "jsonl", scenario], codes=(0, 1), cwd=place))
    run([rondo, "report", records, "--output", page], cwd=place)
    return page


def made_pages(rondo, folder):
    """The pages by their names."""
    pages = {}
    for name in ("schedule", "violations", "reduction", "program"):
        pages[name] = folder / f"{name}.html"
        run([rondo, "show", f"{name}.json", "--format", "html", "--output", pages[name]], codes=(0, 3), cwd=HERE)
    pages["report"] = made_report(rondo, folder, "report.json", HERE)
    for page in pages.values():
        without_version(page)
    return pages


def cut(image):
    """The image without the empty rows below the page."""
    pixels = numpy.asarray(image.convert("RGB")).astype(int)
    differs = (abs(pixels - pixels[-1, 0]).max(axis=2) > 2).any(axis=1)
    last = int(numpy.flatnonzero(differs).max()) if differs.any() else 0
    if last > TALLEST - ROOM:
        sys.exit(f"pictures: a page of {image.width} pixels is taller than {TALLEST} pixels, so that its end is not in the picture; raise TALLEST or draw less")
    return image.crop((0, 0, image.width, min(image.height, last + 20)))


def half(image):
    return image.convert("RGB").resize((image.width // 2, max(1, image.height // 2)), Image.LANCZOS)


def on_screen(page, width, dark, folder):
    """The picture of a page in a frame of this width. Chromium's windows cannot be as narrow as phones."""
    frame, path = folder / "frame.html", folder / "screen.png"
    frame.write_text(f'<body style="margin:0"><iframe src="file://{page}" width="{width}" height="{TALLEST}" style="border:0">')
    run([*CHROMIUM, f"--user-data-dir={folder / 'user'}", f"--window-size={max(width, 600)},{TALLEST}", f"--screenshot={path}",
         *(["--force-dark-mode"] if dark else []), f"file://{frame}"])
    return half(cut(Image.open(path).crop((0, 0, width, TALLEST))))


def on_paper(page, folder):
    """The picture of all printed sheets, one below the other."""
    path = folder / "paper.pdf"
    run([*CHROMIUM, f"--user-data-dir={folder / 'user'}", "--no-pdf-header-footer", "--print-to-pdf-no-header",
         f"--print-to-pdf={path}", f"file://{page}"])
    for old in folder.glob("sheet*.png"):
        old.unlink()
    run(["pdftoppm", "-r", "100", "-png", path, folder / "sheet"])
    sheets = [half(Image.open(sheet)) for sheet in sorted(folder.glob("sheet*.png"))]
    whole = Image.new("RGB", (max(sheet.width for sheet in sheets), sum(sheet.height for sheet in sheets)), "white")
    top = 0
    for sheet in sheets:
        whole.paste(sheet, (0, top))
        top += sheet.height
    return whole


def readme_picture(rondo, folder):
    """The top of the quickstart's report, at full size."""
    page, path = made_report(rondo, folder, "scenarios/quickstart.json", ROOT), folder / "screen.png"
    run([*CHROMIUM, f"--user-data-dir={folder / 'user'}", "--window-size=1000,1200", f"--screenshot={path}", f"file://{page}"])
    return Image.open(path)


def links_picture(rondo, folder):
    """The part of a schedule's page that shows the links between routers."""
    page = folder / "links.html"
    run([rondo, "show", "links.json", "--point", "2", "--format", "html", "--output", page], cwd=HERE)
    alone = "<style>#page > * { display: none } #page > .views ~ .views { display: grid }</style>"
    page.write_text(page.read_text().replace("</head>", alone + "</head>"))
    path = folder / "screen.png"
    run([*CHROMIUM, f"--user-data-dir={folder / 'user'}", "--window-size=1000,640", f"--screenshot={path}", f"file://{page}"])
    return cut(Image.open(path))


def drawn(rondo, folder):
    """All pictures with their names."""
    yield "readme", readme_picture(rondo, folder)
    yield "links", links_picture(rondo, folder)
    pages = made_pages(rondo, folder)
    for name, page in pages.items():
        for width in WIDTHS:
            for dark in (False, True):
                yield f"{name}-{width}{'-dark' if dark else ''}", on_screen(page, width, dark, folder)
        yield f"{name}-paper", on_paper(page, folder)


def squares(image, width, height):
    """The mean colours of the squares of a picture's first `width` x `height` pixels."""
    pixels = numpy.asarray(image.convert("RGB")).astype(float)[:height, :width]
    return pixels.reshape(height // SQUARE, SQUARE, width // SQUARE, SQUARE, 3).mean(axis=(1, 3))


def difference(one, other):
    """A text that describes how two pictures differ; empty if they do not."""
    if one.width != other.width or abs(one.height - other.height) > TALLER * max(one.height, other.height):
        return f"{other.width} x {other.height} pixels instead of {one.width} x {one.height}"
    width = one.width // SQUARE * SQUARE
    height = min(one.height, other.height) // SQUARE * SQUARE
    far = abs(squares(one, width, height) - squares(other, width, height)).max(axis=2) > FAR
    return f"{100 * far.mean():.1f} % of it" if far.mean() > CHANGED else ""


def kept(name):
    return ROOT / "docs" / PICTURES[name] if name in PICTURES else HERE / "kept" / f"{name}.png"


def save(image, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.parent == ROOT / "docs"  # keeps all colours, since users see it
    (image if whole else image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)).save(path, optimize=True)


def compared(name, image, output):
    """A text that describes the change; empty without one. A changed picture is written to `output`."""
    path = kept(name)
    changed = "nobody has kept one" if not path.exists() else difference(Image.open(path), image)
    if changed:
        save(image, output / f"{name}.png")
        if path.exists():
            shutil.copy(path, output / f"{name}-expected.png")
    return changed


def main(arguments):
    parser = argparse.ArgumentParser(description="draws the pages of Rondo and compares them with kept pictures")
    parser.add_argument("rondo", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/pages")
    parser.add_argument("--update", action="store_true", help="keep what is drawn now")
    words = parser.parse_args(arguments)
    failed = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for name, image in drawn(words.rondo.resolve(), folder):
            count += 1
            if words.update:
                save(image, kept(name))
            elif changed := compared(name, image, words.output):
                failed += 1
                print(f"{name}: changed: {changed}; see {words.output}/{name}.png")
    print(f"pictures: {count} drawn, {failed} changed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

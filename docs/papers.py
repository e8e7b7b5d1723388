#!/usr/bin/env python3
"""Writes docs/papers.md, the verdict and the evidence for each numbered item of the five papers:

    docs/papers.py [--check]

docs/papers.json lists the items of the papers. The evidence names the items that it judges:

- A row of a page in docs/reproduction/ names them in its first cell: "Section 4, Figure 2(a) to (d)". `rondo check`
  judges the claims of the row, and tests/docs compares the verdict of the row with theirs.
- A comment above a test, or above the line that lists a case of tests/mpi, is a tag:
  // Item [Traeff16, Listing 1; Iso_start]: holds.
- A comment of a page docs/notes*.md is the same tag, below the heading of a section that derives or calculates the
  verdict.
- A row of the table "What is left out" of a page in docs/reproduction/ names them in its first cell.

The script exits with 1 if an item has no evidence, or if evidence names an item that does not exist, has no verdict of
the list below, or belongs to no test or section. With --check it writes nothing, and exits with 1 if the page differs
from the page that it would write.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"Traeff16": "isomorphic-collectives", "Kang19": "intergroup-allgather", "Mirsadeghi17": "common-neighborhoods",
         "Traeff21": "collective-orthogonality", "Ibanez15": "dynamic-sparse-exchange"}
VERDICTS = ["holds", "holds in part", "wrong", "not reproduced", "not judged"]
OF_ROWS = {"holds": "holds", "corrected": "wrong", "refuted": "wrong", "explained": "not reproduced",
           "unexplained": "not reproduced", "not claimed": "not judged"}

HEAD = """# Every item of the papers

Written by `docs/papers.py`. The table has every numbered item of the five papers, and what they define or state without a
number: functions, complexities and costs, remarks. `docs/papers.json` lists them. A panel of a figure that the text discusses on
its own is an item of its own.

- *holds*: all evidence agrees with the paper.
- *holds in part*: the item holds with a condition, or one of its statements does. The evidence says which.
- *wrong*: the statement or the printed text is wrong. [The corrections](notes.md) say what is right.
- *not reproduced*: a measurement that comes out otherwise on our models. [The numbers](reproduction.md) say why, if we know.
- *not judged*: the reason is in the row.

The evidence is a row of a page of numbers, whose claims `rondo check` judges, or a test, or a section that derives the
verdict. CI fails if an item has none, or if evidence leads nowhere.
"""


class Evidence:
    """The evidence for an item: a verdict, and the text of the cell that links to it."""

    def __init__(self, verdict, text):
        self.verdict, self.text = verdict, text


def numbered(place):
    """The numbered items in the text of a place: "Figure 2(a) to (c), Tables I, II" has five."""
    found, kind, number, panel = [], None, None, None
    for token in re.findall(r"\([a-z]\)|[\w.]+|[^\w\s]", place):
        if re.fullmatch(r"(Algorithm|Proposition|Theorem|Definition|Table|Figure|Listing)s?", token):
            kind, number = token.rstrip("s"), None
        elif token in (",", "and"):
            continue
        elif kind and re.fullmatch(r"(\d+(\.\d)?|IV\.\d|I+)", token):
            number, panel = token, None
            found.append(f"{kind} {number}")
        elif number and re.fullmatch(r"\([a-z]\)", token):
            if found[-1] == f"{kind} {number}":
                found.pop()
            first = chr(ord(panel) + 1) if to else token[1]
            panel = token[1]
            found += [f"{kind} {number}({chr(c)})" for c in range(ord(first), ord(panel) + 1)]
        elif not (number and token == "to"):
            kind = number = None
        to = token == "to"
    return found


def named_in(place, items):
    """The items of a paper that the first cell of a row names. The name of a figure stands for all of its panels."""
    numbers = numbered(place)
    found = {item for item in items if item in numbers or re.sub(r"\([a-z]\)$", "", item) in numbers}
    for item in items:
        if not re.match(r"(Algorithm|Proposition|Theorem|Definition|Table|Figure|Listing) ", item):
            if re.search(r"(?<![\w(])" + re.escape(item) + r"(?!\w)", place):
                found.add(item)
    return found


def of_rows(root, key, items):
    """Pairs of an item and its evidence, from the rows of the paper's page."""
    name = f"reproduction/{PAGES[key]}.md"
    left_out = False
    for line in (root / "docs" / name).read_text().splitlines():
        left_out = line == "## What is left out" or (left_out and not line.startswith("## "))
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if left_out and len(cells) == 3:
            for item in named_in(cells[0], items):
                yield item, Evidence("not judged", f"[left out]({name}#what-is-left-out)")
        row = re.search(r"\| (holds|corrected|refuted|explained|unexplained|not claimed)( [^|]*)? \|([^|]*)\|$", line)
        if not row:
            continue
        verdict = OF_ROWS[row[1]] if not row[2] else "holds in part"
        if verdict == "not judged":
            text = cells[4] or cells[2]
        else:
            text = ", ".join(f"`{file}`" for file in dict.fromkeys(re.findall(r"`scenarios/(?:claims/)?([^`]+)\.json`", row[3])))
            text += f" ([{row[1]}{row[2] or ''}]({name}))"
        for item in named_in(cells[0], items):
            yield item, Evidence(verdict, text)


def tags(lines):
    """The tags of a file: line number, text, and the first line after the tag that is not a comment."""
    i = 0
    while i < len(lines):
        start = re.match(r"\s*//+ (Item \[.*)", lines[i])
        i += 1
        if not start:
            continue
        line, text = i, start[1]
        while i < len(lines) and not text.endswith(".") and (more := re.match(r"\s*//+ (.*)", lines[i])):
            text += " " + more[1]
            i += 1
        behind = next((other for other in lines[i:] if not re.match(r"\s*//", other)), "")
        yield line, text, behind


def judged(place, text, where, papers, complain):
    """Triples of a paper, an item and its evidence, from the text of a tag. `where` begins the text of the evidence."""
    tag = re.fullmatch(r"Item \[(\w+), ([^\]]+)\]: (" + "|".join(sorted(VERDICTS, reverse=True)) + r")(: .+)?\.", text)
    if not tag or tag[1] not in papers:
        complain(f"{place}: expected Item [Paper, item; item]: verdict, one of {', '.join(VERDICTS)}, got {text}")
        return
    if tag[3] == "not judged" and not tag[4]:
        complain(f"{place}: what is not judged needs a reason")
    for item in tag[2].split("; "):
        if item in papers[tag[1]]:
            yield tag[1], item, Evidence(tag[3], where + (tag[4] or ""))
        else:
            complain(f"{place}: [{tag[1]}] has no item {item}")


def of_tests(root, papers, complain):
    """Triples of a paper, an item and its evidence, from the tags in tests/."""
    for path in sorted((root / "tests").rglob("*.cpp")):
        name, content = path.relative_to(root).as_posix(), path.read_text()
        for line, text, behind in tags(content.splitlines() if "// Item [" in content else []):
            test = re.search(r'(?:TEST|TEST_F|TEST_P)\((\w+), (\w+)|\{"()(\w+)"', behind)
            if not test:
                complain(f"{name}:{line}: the tag stands above no test")
                continue
            case = f"{test[1]}.{test[2]}" if test[1] else test[4]
            yield from judged(f"{name}:{line}", text, f"`{name}` `{case}`", papers, complain)


def of_notes(root, papers, complain):
    """The same triples from the tags in the pages docs/notes*.md."""
    for path in sorted((root / "docs").glob("notes*.md")):
        heading = ""
        for line, text in enumerate(path.read_text().splitlines(), 1):
            if text.startswith("## ") or text.startswith("### "):
                heading = text.lstrip("# ")
            tag = re.fullmatch(r"<!-- (Item \[.*\.) -->", text)
            if tag and not heading:
                complain(f"{path.name}:{line}: the tag stands in no section")
            elif tag or "<!-- Item" in text:
                anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
                where = f"[{heading}]({path.name}#{anchor})"
                yield from judged(f"docs/{path.name}:{line}", tag[1] if tag else text, where, papers, complain)


def verdict_of(evidence):
    """The verdict of an item by all of its evidence. "not judged" counts only if no evidence has another verdict."""
    verdicts = {one.verdict for one in evidence} - {"not judged"}
    if not verdicts:
        return "not judged"
    return verdicts.pop() if len(verdicts) == 1 else "holds in part" if verdicts & {"holds", "holds in part"} else "wrong"


def page(root, complain):
    listed = json.loads((root / "docs/papers.json").read_text())
    papers = {key: {item: [] for items in kinds.values() for item, _, _ in items} for key, kinds in listed.items()}
    for key, items in papers.items():
        for item, evidence in of_rows(root, key, items):
            items[item].append(evidence)
    for reader in (of_tests, of_notes):
        for key, item, evidence in reader(root, papers, complain):
            papers[key][item].append(evidence)
    sections, counts = [], {}
    for key, kinds in listed.items():
        rows = []
        for kind, items in kinds.items():
            for item, where, what in items:
                evidence = papers[key][item]
                if not evidence:
                    complain(f"docs/papers.json: no evidence for [{key}] {item}")
                    continue
                verdict = verdict_of(evidence)
                counts[verdict] = counts.get(verdict, 0) + 1
                shown = [one for one in evidence if (one.verdict == "not judged") == (verdict == "not judged")]
                cell = "; ".join(dict.fromkeys(one.text for one in shown))
                rows.append(f"| {item} | {kind} | {where} | {what} | {verdict} | {cell} |")
        head = f"## [{key}]\n\n| item | kind | section | what it states | verdict | evidence |\n|---|---|---|---|---|---|\n"
        sections.append(head + "\n".join(rows))
    total = ", ".join(f"{counts.get(verdict, 0)} *{verdict}*" for verdict in VERDICTS)
    return "\n".join([HEAD, f"There are {sum(counts.values())} items: {total}.\n", "\n\n".join(sections), ""])


def main(root=ROOT):
    complaints = []
    text = page(root, complaints.append)
    target = root / "docs/papers.md"
    if "--check" not in sys.argv and not complaints:
        target.write_text(text)
    elif not complaints and (not target.exists() or target.read_text() != text):
        complaints.append("docs/papers.md is old: run docs/papers.py")
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the commands in pages and writes their output into the pages. The author reads and commits the result.

Usage: docs/outputs.py PROGRAM PAGE...

In a block ```console``` a command follows "$ ". The lines below a command are replaced by its output on both streams.
If one of these lines is "...", which stands for any lines, they are kept. Blocks with title="NAME" are written to files
for the commands. `tests/docs` tests the pages by the same rules.
"""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def blocks(lines):
    """Yields (opening line, lines inside, closing line) for each block, and (line, None, None) for each other line."""
    k = 0
    while k < len(lines):
        begin = k
        k += 1
        if not lines[begin].startswith("```"):
            yield lines[begin], None, None
            continue
        while lines[k] != "```":
            k += 1
        yield lines[begin], lines[begin + 1:k], lines[k]
        k += 1


def printed(command, folder):
    environment = {**os.environ, "NO_COLOR": "1", "PATH": folder + ":" + os.environ["PATH"]}
    ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ran.returncode != 0:
        print(f"{command}: exit code {ran.returncode}", file=sys.stderr)
    return ran.stdout.splitlines()


def console(inside, folder):
    result, k = [], 0
    while k < len(inside):
        command = inside[k]
        k += 1
        old = []
        while k < len(inside) and not inside[k].startswith("$ "):
            old.append(inside[k])
            k += 1
        new = printed(command[2:], folder)
        result += [command] + (old if "..." in old else new)
    return result


def rewrite(page, program):
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    result = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(program), os.path.join(folder, "rondo"))
        for name in ("scenarios", "platforms"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
        for opening, inside, closing in blocks(lines):
            if inside is None:
                result.append(opening)
                continue
            title = re.search(r'title="([^"]+)"', opening)
            if title:
                with open(os.path.join(folder, title.group(1)), "w", encoding="utf-8") as file:
                    file.write("\n".join(inside) + "\n")
            result += [opening] + (console(inside, folder) if opening == "```console" else inside) + [closing]
    with open(page, "w", encoding="utf-8") as file:
        file.write("\n".join(result) + "\n")


if __name__ == "__main__":
    for name in sys.argv[2:]:
        rewrite(name, sys.argv[1])

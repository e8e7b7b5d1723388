"""Compiles each file of a compile_commands.json alone, without generating code: alone.py FILE.

It names files that do not exist because the build would generate them, and does not compile them. Exits with 1 if a
file does not compile, or if no file exists."""

import concurrent.futures
import json
import os
import re
import subprocess
import sys


def compile_alone(command):
    words = re.sub(r" -o \S+", "", command["command"]) + " -fsyntax-only"
    done = subprocess.run(words, shell=True, cwd=command["directory"], capture_output=True, text=True)
    return command["file"], done.returncode, done.stderr


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        commands = json.load(file)
    for command in commands:
        if not os.path.exists(command["file"]):
            print(f"not made yet, passed over: {command['file']}")
    # A file of several targets is compiled once.
    there = {command["file"]: command for command in commands if os.path.exists(command["file"])}.values()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [(file, errors) for file, code, errors in pool.map(compile_alone, there) if code]
    for file, errors in failed:
        print(f"{file} does not compile alone:\n{errors}")
    print(f"alone: {len(there)} files, {len(failed)} failed")
    return 1 if failed or not there else 0


sys.exit(main())

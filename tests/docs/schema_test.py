"""Tests the output of `rondo schema` as editors use it: schema_test.py RONDO, in the top folder of the repository.

The schemas must be valid JSON schemas of draft 7. All scenarios of the repository must be valid by the schema of
scenarios. A scenario with an unknown key must be invalid. Without Debian's python3-jsonschema the test is skipped."""

import json
import pathlib
import re
import subprocess
import sys

try:
    from jsonschema import Draft7Validator
except ImportError:
    print("jsonschema is missing: apt-get install python3-jsonschema")
    sys.exit(77)


def schema(what: str) -> dict:
    return json.loads(subprocess.run([sys.argv[1], "schema", what], capture_output=True, text=True, check=True).stdout)


def without_comments(text: str) -> str:
    """The text without the comments // and /* */ outside strings."""
    return re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda found: found.group(1) or "", text, flags=re.S)


for what in ("scenario", "schedule", "promise"):
    Draft7Validator.check_schema(schema(what))

validator = Draft7Validator(schema("scenario"))
count = 0
for file in sorted(pathlib.Path("scenarios").rglob("*.json")):
    document = json.loads(without_comments(file.read_text()))
    if not isinstance(document, dict) or "collective" not in document:
        continue  # it is a machine, a schedule or a promise
    count += 1
    fault = next(validator.iter_errors(document), None)
    assert fault is None, f"{file}: {list(fault.absolute_path)}: {fault.message[:300]}"
    assert not validator.is_valid({**document, "machin": 1}), f"{file}: an unknown key is accepted"
assert count > 100, count
print(f"{count} scenarios are valid")

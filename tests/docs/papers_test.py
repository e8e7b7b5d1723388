#!/usr/bin/env python3
"""Tests docs/papers.py on a copy of its inputs, with one planted fault at a time. It must name each fault."""

import importlib.util
import shutil
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("papers", ROOT / "docs/papers.py")
papers = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(papers)

TEST = "tests/mpi/request_cases.cpp"
TAG = "// Item [Traeff16, Iso_wait]: holds."
PAGE = "docs/reproduction/intergroup-allgather.md"
NOTES = "docs/notes.md"
QUESTION = "a question; combining is best on the links of a torus, and not where all ranks are connected"


class Names(unittest.TestCase):
    def test_places_name_items(self):
        for place, items in {
            "Figure 2(a) to (c)": ["Figure 2(a)", "Figure 2(b)", "Figure 2(c)"],
            "Section V-B, Figure 4(h), (i)": ["Figure 4(h)", "Figure 4(i)"],
            "Section VI-C, Tables I, II": ["Table I", "Table II"],
            "Propositions 1, 2": ["Proposition 1", "Proposition 2"],
            "Sections 3, 5, several ports": [],
            "Section IV-A, Theorem IV.2": ["Theorem IV.2"],
            "Section 5.1, Figure 5.1": ["Figure 5.1"],
            "Figures 2, 4": ["Figure 2", "Figure 4"],
            "Figure 1, Listing 7": ["Figure 1", "Listing 7"],
        }.items():
            self.assertEqual(papers.numbered(place), items, place)

    def test_figures_stand_for_their_panels_and_words_for_themselves(self):
        items = ["Figure 4(a)", "Figure 4(b)", "Figure 5", "volume V", "Iso_wait", "Iso_wait_all"]
        self.assertEqual(papers.named_in("Section 6, Figure 4", items), {"Figure 4(a)", "Figure 4(b)"})
        self.assertEqual(papers.named_in("Figure 4(b), volume V", items), {"Figure 4(b)", "volume V"})
        self.assertEqual(papers.named_in("Iso_wait", items), {"Iso_wait"})

    def test_one_verdict_of_several(self):
        def of(*verdicts):
            return papers.verdict_of([papers.Evidence(verdict, "") for verdict in verdicts])

        self.assertEqual(of("holds", "holds"), "holds")
        self.assertEqual(of("holds", "not judged"), "holds")
        self.assertEqual(of("holds", "wrong"), "holds in part")
        self.assertEqual(of("wrong", "not reproduced"), "wrong")
        self.assertEqual(of("not judged"), "not judged")


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Copies the files with items and evidence."""
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        files = [*(ROOT / "docs").glob("notes*.md"), *(ROOT / "docs/reproduction").glob("*.md"), ROOT / "docs/papers.json"]
        files += [file for file in (ROOT / "tests").rglob("*.cpp") if "// Item [" in file.read_text()]
        for file in files:
            copy = cls.root / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def complaints(self, file, old, new):
        """The complaints after the text of a file is changed at one place."""
        path = self.root / file
        text = path.read_text()
        self.assertEqual(text.count(old), 1, old)
        path.write_text(text.replace(old, new))
        said = []
        papers.page(self.root, said.append)
        path.write_text(text)
        return said

    def line(self, file, words):
        return 1 + next(i for i, line in enumerate((ROOT / file).read_text().splitlines()) if words in line)

    def test_the_repository_itself_is_silent(self):
        self.assertEqual(self.complaints(TEST, TAG, TAG), [])

    def test_a_tag_that_is_gone(self):
        self.assertEqual(self.complaints(TEST, TAG, ""), ["docs/papers.json: no evidence for [Traeff16] Iso_wait"])

    def test_a_row_that_is_gone(self):
        self.assertEqual(self.complaints(PAGE, "Section IV, dummy process |", "Section IV |"),
                         ["docs/papers.json: no evidence for [Kang19] dummy process"])

    def test_a_row_of_what_is_left_out_that_is_gone(self):
        self.assertEqual(self.complaints("docs/reproduction/collective-orthogonality.md", "Section 3.5, joint schedule |", "Section 3.5 |"),
                         ["docs/papers.json: no evidence for [Traeff21] joint schedule"])

    def test_an_item_that_is_not_there(self):
        self.assertEqual(self.complaints(TEST, TAG, "// Item [Traeff16, Iso_wait; Iso_sleep]: holds."),
                         [f"{TEST}:{self.line(TEST, TAG)}: [Traeff16] has no item Iso_sleep"])

    def test_an_item_of_a_paper_without_evidence_in_the_list(self):
        self.assertEqual(self.complaints("docs/papers.json", '["Iso_wait", "7", ""]', '["Iso_wait", "7", ""], ["Iso_test", "7", ""]'),
                         ["docs/papers.json: no evidence for [Traeff16] Iso_test"])

    def test_a_tag_above_no_test(self):
        said = self.complaints(TEST, "std::vector<TestCase> request_cases() {",
                               "// Item [Traeff16, Iso_start]: holds.\nstd::vector<TestCase> request_cases() {")
        self.assertEqual(said, [f"{TEST}:{self.line(TEST, 'request_cases() {')}: the tag stands above no test"])

    def test_a_verdict_that_is_none(self):
        said = self.complaints(TEST, TAG, "// Item [Traeff16, Iso_wait]: perhaps.")
        self.assertEqual(len(said), 2)
        self.assertTrue(said[0].startswith(f"{TEST}:{self.line(TEST, TAG)}: expected Item [Paper, item; item]: verdict"))

    def test_a_tag_of_the_notes_without_its_end(self):
        said = self.complaints(NOTES, f"{QUESTION}. -->", "a question -->")
        self.assertEqual(said[0].split(": ")[0], f"docs/notes.md:{self.line(NOTES, 'unequal sizes]')}")

    def test_what_is_not_judged_needs_a_reason(self):
        said = self.complaints(NOTES, f"holds in part: {QUESTION}.", "not judged.")
        self.assertEqual(said[0], f"docs/notes.md:{self.line(NOTES, 'unequal sizes]')}: what is not judged needs a reason")


if __name__ == "__main__":
    unittest.main()

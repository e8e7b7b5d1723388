#!/usr/bin/env python3
"""Tests of analysis/figures.py: ticks, cut-offs, lines and files of the pictures. Without pandas or Matplotlib they are
skipped (exit code 77)."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analysis"))
try:
    import figures
    import pandas
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def moore(dimensions, radius):
    return {"collective": {"graph": {"torus": [8] * dimensions, "radius": radius}}}


class Ticks(unittest.TestCase):
    def test_a_time_axis_has_at_least_three_and_never_more_than_it_has_room_for(self):
        for low, high in ((1e-3, 1.2e-3), (0.9e-3, 3e-3), (0.5e-3, 2e-2), (1e-6, 1e-2)):
            ticks = figures.ticks_between(low, high, 9)
            self.assertTrue(3 <= len(ticks) <= 9, ticks)
            self.assertTrue(all(low <= tick <= high for tick in ticks), ticks)

    def test_each_tick_of_a_block_axis_has_a_label(self):
        axes = figures.pyplot.figure().subplots()
        figures.label_x(axes, "block_bytes", [1, 8, 64, 256, 512, 1024, 2048])
        axes.figure.canvas.draw()
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()],
                         ["1 B", "8 B", "64 B", "256 B", "512 B", "1 KiB", "2 KiB"])

    def test_a_place_too_close_to_the_last_one_has_none(self):
        self.assertEqual(figures.places_with_room([24, 26, 48], 0.5), [24, 48])


class CutOffs(unittest.TestCase):
    def test_lie_where_the_factor_passes_one_on_a_straight_line_in_the_logarithms(self):
        # The factor falls from 4 to 1/4 between 64 and 1024. In the logarithms it passes 1 in the middle, at 256.
        found = figures.cut_offs(pandas.Series([9.0, 4.0, 0.25, 0.1], index=[8, 64, 1024, 2048]))
        self.assertEqual([round(place, 6) for place in found], [256])

    def test_are_none_where_one_is_always_faster(self):
        self.assertEqual(figures.cut_offs(pandas.Series([3.0, 2.0], index=[1, 2])), [])

    def test_are_said_in_two_digits(self):
        self.assertEqual([figures.rounded(value, "block_bytes") for value in (678.9, 7613)], ["680 B", "7.6 kB"])
        self.assertEqual(figures.rounded(331, "p"), "330")


class Lines(unittest.TestCase):
    def test_join_no_neighborhoods_of_different_dimensions(self):
        # Radius 4 in two dimensions has 80 neighbors, and radius 1 in four dimensions too.
        table = pandas.DataFrame({"expanded": [moore(2, 4), moore(4, 1)]})
        self.assertEqual(figures.along(table, "neighbors"), [80, 80])
        self.assertEqual(figures.families(table, "neighbors"), ["D = 2", "D = 4"])

    def test_join_all_points_of_an_algorithm_elsewhere(self):
        self.assertEqual(figures.families(pandas.DataFrame({"expanded": [{}, {}]}), "block_bytes"), ["", ""])


class Files(unittest.TestCase):
    def test_are_a_png_and_an_svg_that_is_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = set()
            for _ in range(2):
                canvas = figures.pyplot.figure()
                canvas.subplots().plot([1, 2])
                figures.save(canvas, pathlib.Path(folder, "a.png"))
                texts.add(pathlib.Path(folder, "a.svg").read_text())
            self.assertTrue(pathlib.Path(folder, "a.png").exists())
            self.assertEqual(len(texts), 1)
            self.assertNotIn("<image", texts.pop())

    def test_lie_beside_each_other_in_the_repository(self):
        folder = pathlib.Path(figures.__file__).parent
        for name in [figure.name for figure in figures.FIGURES] + list(figures.BARS):
            for end in (".png", ".svg"):
                self.assertTrue((folder / (name + end)).exists(), name + end)


if __name__ == "__main__":
    unittest.main()

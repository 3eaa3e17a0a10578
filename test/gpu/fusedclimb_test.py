"""Of fusedclimb.py: what the neighbours of a schedule are, and that the compiler takes them."""

import pathlib
import sys
import tempfile
import unittest

import fusedsteps
import lab
from fusedclimb import neighbours

STENCILC = sys.argv.pop()


def schedule_of(name, schedule):
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "step.stn"
        source.write_text(fusedsteps.text_of(name, "fixed"))
        return lab.run([STENCILC, source, "--real=f64", f"--schedule={schedule}", "--emit=schedule", "-o", "-"])


class Neighbours(unittest.TestCase):
    def test_march(self):
        found = neighbours("star3d1r", "f64", "32x12x1/c128/t4/v2x3/p3/r1")
        for other in ("32x12x1/c128/t4/v2x4/p3/r1", "32x12x1/c57/t4/v2x3/p3/r1", "32x12x1/c128/t4/v2x3/p4/r1",
                      "32x16x1/c128/t4/v2x2/p3/r1", "32x12x1/c128/t3/v2x3/p3/r1"):
            self.assertIn(other, found)
            self.assertIn(other, schedule_of("star3d1r", f"temporal/{other}"))
        self.assertNotIn("32x12x1/c128/t4/v2x3/p3/r1", found)

    def test_pipeline(self):
        found = neighbours("star2d2r", "f64", "32x4/c16380/t8/v10x2/p3/r2/share264x57x6")
        # Tiles of 352 points, of which 320 are right at the end, take 52 to a row.
        self.assertIn("32x4/c16380/t8/v11x2/p3/r2/share264x52x7", found)
        self.assertIn("32x4/c16380/t8/v10x2/p3/r2/share264x57x8", found)
        self.assertTrue(all("share264" in other for other in found))

    def test_tiles_that_nothing_is_right_of_are_none(self):
        found = neighbours("star2d2r", "f32", "32x4/c16380/t32/v5x2/p3/r2/share264x99x6")
        self.assertNotIn("/t32/v4x", "".join(found))


unittest.main()

"""Of fused_ways.py: what each way to choose takes of one case."""

import unittest

from fused_ways import ways


def row(schedule, ms, geometric_ms, occupancy, su2015_ms=None):
    return {"schedule": schedule, "ms": ms, "geometric_ms": geometric_ms, "occupancy": occupancy,
            "su2015_ms": su2015_ms}


class Ways(unittest.TestCase):
    rows = [row("zblock/32x8x1/c8", 4, 5, .5, 3), row("baseline/32x8", 5, 4, .75, 4),
            row("temporal/32x8x1/c64/t2/p1/r1", 2, 1, .25), row("temporal/32x8x1/c64/t4/p1/r1", 1, 2, .25),
            row("temporal/32x8x1/c32/t4/p1/r1", 3, 3, .75)]

    def test_each(self):
        found = ways(self.rows)
        self.assertEqual(found["geometric (the choice)"], 2)
        self.assertEqual(found["the best of its first 5"], 1)
        self.assertEqual(found["su2015"], 4)
        self.assertEqual(found["one step at a time, the best by forecast"], 5)
        self.assertEqual(found["highest occupancy"], (5 + 3) / 2)
        self.assertEqual(found["compulsory roofline"], (1 + 3) / 2)
        self.assertEqual(found["one at random, in the mean"], 3)
        self.assertEqual(found["the best of 5 at random, in the mean"], 1)

    def test_the_block_that_everybody_takes(self):
        self.assertEqual(ways(self.rows)["one block of 32 × 8"], 5)
        for schedule, ms in (("baseline/32x8x1/r6", 9), ("baseline/32x8x1/v2x1/r6", None), ("shm/32x8x1/r6", None)):
            found = ways([row(schedule, 9, 9, .5), *self.rows[2:]])
            self.assertEqual(found.get("one block of 32 × 8"), ms)

    def test_only_ways_that_can_answer(self):
        self.assertNotIn("su2015", ways(self.rows[2:]))


if __name__ == "__main__":
    unittest.main()

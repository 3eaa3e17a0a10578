"""Every two levels meet in some source, except those that no source can have."""

import itertools
import subprocess
import sys
import unittest

import covering_design as design

STENCILC = sys.argv.pop(1)
RANKS = {"cube": 3, "box": 3, "plane": 2, "sheet": 2}
# Levels that may not meet; all others may.
FORBIDDEN = {frozenset(pair) for pair in [
    (("example", "plane"), ("kind", "periodic")), (("kind", "halo"), ("zblock", "flat")),
    (("shm", "async"), ("shm", "diagonal")), (("temporal", "t4"), ("temporal", "c5")),
    (("real", "f32"), ("name", "csl")), (("example", "cube"), ("baseline", "ldg"))]}


def levels_of(example, kind, real, form, names):
    """Read from the source itself, not as the design keeps them."""
    own = {("example", example), ("kind", kind), ("real", real)}
    if form in names:
        return own | {("name", form)}
    variant, *parts = form.split("/")
    return own | {("variant", variant)} | {(variant, part) for part in parts}


class CoveringDesign(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listing = subprocess.run([STENCILC, "--list-variants"], capture_output=True, text=True,
                                 check=True).stdout
        cls.names, cls.flags = design.names_of(listing)

        def legal(*source):
            levels = levels_of(*source, cls.names)
            if any(pair <= levels for pair in FORBIDDEN):
                return None
            return source[3] if "/" in source[3] else "baseline/512x1"

        cls.design = design.Design(RANKS, cls.names, legal)
        cls.design.fill(most=10000)

    def test_every_flag_of_the_listing_is_a_level(self):
        self.assertLessEqual({"async", "tile", "flat", "recompute"}, {flag for _, flag in self.flags})
        levels = {(variant, level) for variant, parts in design.PARTS.items()
                  for level in itertools.chain(*parts.values())}
        self.assertLessEqual(self.flags, levels)
        self.assertIn("shm-warp-text", self.names)

    def test_all_pairs_meet_but_those_forbidden(self):
        met = set()
        for *source, _ in self.design.sources:
            met |= set(map(frozenset, itertools.combinations(levels_of(*source, self.names), 2)))
        wanted = set(map(frozenset, self.design.pairs()))
        self.assertEqual(FORBIDDEN, set(map(frozenset, self.design.refused)))
        self.assertEqual(wanted - FORBIDDEN, wanted & met)

    def test_what_was_not_run_is_not_told_as_met(self):
        part = design.Design(RANKS, self.names, None)
        for source in self.design.sources[:5]:
            part.add(source)
        told = part.told()
        met, of = map(int, told["pairs met"].split(" of "))
        self.assertEqual(of - met, len(told["pairs not met"]))
        self.assertGreater(of - met, met)

    def test_a_seed_repeats_itself(self):
        again = design.Design(RANKS, self.names, self.design.legal)
        again.fill(most=10000)
        self.assertEqual(again.sources, self.design.sources)

    def test_few_that_are_run_again_have_every_level(self):
        entries = [dict(zip(("example", "kind", "real", "form", "schedule"), source))
                   for source in self.design.sources]
        levels = lambda some: {level for e in some
                               for level in (e["kind"], e["real"], *e["schedule"].split("/"))}
        few = design.spread(entries, 40)
        self.assertEqual(40, len(few))
        self.assertEqual(levels(entries), levels(few))


unittest.main()

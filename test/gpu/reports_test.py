"""What is made of counters: passes of ncu's rows, what binds and what is waited for, drawings."""
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

import bottlenecks
import counters
import drawings
import scatters


def run(bottleneck, **counted):
    """Of a step of 1 ms in which no unit is busy."""
    quiet = {name: 1.0 for name in counters.METRICS} | {
        "nanoseconds": 9e5, "sm_active_cycles": 100.0, "sm_elapsed_cycles": 100.0, "warps_active": 3200.0,
        "stalled_long_scoreboard": 2000.0}
    said = {"ms": 1.0, "bottleneck": bottleneck, "occupancy": .5, "times": {"dram": 1.0, "l2": .1}}
    return {"ms": 1.0, "step_ms": 1.0, "geometric": said, "extents": [512, 512, 512], "counters": quiet | counted}


class Waits(unittest.TestCase):
    def test_by_name(self):
        for counted, wait in [({}, "latency"), ({"stalled_barrier": 3000.0}, "barrier"),
                              ({"stalled_barrier": 1000.0}, "latency"), ({"stalled_selected": 9000.0}, "latency"),
                              ({"warps_active": 1500.0}, "dispatch"), ({"nanoseconds": 4e5}, "launch"),
                              ({"sm_active_cycles": 40.0}, "launch")]:
            self.assertEqual(bottlenecks.wait_of(run("latency", **counted)), wait, counted)
        old = run("latency")
        del old["counters"]["stalled_barrier"]
        self.assertEqual(bottlenecks.wait_of(old), "waiting")

    def test_matrix(self):
        busy = .7 * bottlenecks.rates("h200")["dram"]
        entries = [{"real": "f32", "runs": [run("latency"), run("barrier"), run("dram", dram_read_bytes=busy),
                                            run("dram"), run("launch", dram_read_bytes=busy)]}]
        told = bottlenecks.bottlenecks(entries, "h200")
        head = [cell.strip() for cell in told.splitlines()[0].split("|")]
        rows = {line.split("|")[1].strip(): line.split("|") for line in told.splitlines()[2:] if "|" in line}
        for named, found in [("latency", "latency"), ("barrier", "latency"), ("dram", "dram"), ("dram", "latency"),
                             ("launch", "dram")]:
            self.assertEqual(rows[named][head.index(found)].strip(), "1", told)
        self.assertIn("3 of 5 runs", told)
        self.assertIn("Of 2 waits that the counters tell apart, 1 have", told)


class Counts(unittest.TestCase):
    def test_passes(self):
        def row(name, value):
            return {"Kernel Name": name, **{metric: f"{value:,}" for metric in counters.METRICS.values()}}

        rows = [row("void fillWith<float>(...)", 7), row("u_temporal(...)", 2000), row("u_copy_frame(...)", 9),
                row("fillWith", 7), row("u_zblock_stage1", 3), row("u_zblock_stage2", 4)]
        passes = counters.marked(rows)
        self.assertEqual([len(one) for one in passes], [1, 2])
        self.assertEqual(counters.of_step(passes[0], "temporal/32x8x1/c32/t2/r1")["load_sectors"], 1000)
        self.assertEqual(counters.of_step(passes[1], "zblock/32x8x1/c32/r1")["load_sectors"], 7)
        rows[4][counters.METRICS["nanoseconds"]] = "n/a"
        self.assertNotIn("nanoseconds", counters.of_step(passes[1], "zblock/32x8x1/c32/r1"))


class Drawings(unittest.TestCase):
    def test_all_dots_are_within(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            entry = {"source": "s", "schedule": "baseline/32x8x1", "real": "f32", "runs": [
                run("dram") | {"requested_bytes": {"load": 10.0 ** n, "store": 1}} for n in range(3, 9)]}
            for one in entry["runs"]:
                one["geometric"] |= {"l2_bytes": 5e6, "dram_bytes": 1e9}
                one["geometric"]["times"]["issue"] = .5
            links = scatters.draw([entry], "h200", folder, "some")
            self.assertEqual(links.count("!["), len(list(folder.glob("some-*.svg"))))
            self.assertEqual(links.count("!["), len(scatters.QUANTITIES_DRAWN))
            root = xml.etree.ElementTree.parse(folder / "some-requested.svg").getroot()
            dots = [path.get("d") for path in root if path.get("stroke-linecap")]
            places = [tuple(map(float, dot.removesuffix("h0").split())) for dot in dots[0].split("M")[1:]]
            self.assertEqual(len(places), 6)
            for x, y in places:
                self.assertTrue(drawings.LEFT <= x <= drawings.LEFT + drawings.WIDTH and
                                drawings.TOP <= y <= drawings.TOP + drawings.HEIGHT, (x, y))
            self.assertEqual(places, sorted(places))


if __name__ == "__main__":
    unittest.main()

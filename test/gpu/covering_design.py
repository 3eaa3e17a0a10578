"""Which sources cover all that a schedule may ask for: every two levels meet in some source.

A source is an example with a kind of boundary and a type, under a schedule or under the name that a
paper's kernel has. Its levels are these and each part of the schedule. Two levels need not meet where
the compiler refuses every source tried that has both.
"""

import concurrent.futures
import itertools
import random
import re

KINDS = ["own", "fixed", "halo", "clamp", "periodic", "value(0.5)", "reflect", "symmetric(-1)"]
REALS = ["f64", "f32"]

# By variant, in the order of a schedule's parts: what each may be. Blocks by the number of axes; some are
# no multiple of a warp, and chunks divide nothing.
BLOCKS = {
    "baseline": {1: ["96", "32", "33"], 2: ["32x4", "33x3", "16x8", "64x1"],
                 3: ["32x4x1", "33x3x1", "16x4x2", "64x2x1"]},
    "zblock": {2: ["64x1", "33x1", "32x1"], 3: ["32x4x1", "24x5x1", "16x8x1", "64x2x1"]},
    "shm": {1: ["64", "96", "32"], 2: ["32x1", "8x8", "32x8"], 3: ["32x4x1", "32x8x1", "16x8x1", "8x8x1"]},
    "temporal": {2: ["32x1", "32x4", "32x2"], 3: ["32x8x1", "32x4x1", "16x8x1", "8x4x1"]},
}
LOADS, VALUES = ["plain", "ldg"], ["recompute", "precompute"]
PARTS = {
    "baseline": {"patch": ["v2x1", "v4x1", "v2x2"], "band": ["b2"], "resident": ["r2"],
                 "loads": LOADS, "values": VALUES},
    "zblock": {"chunk": ["c3", "c8", "c64"], "patch": ["v2x1", "v4x1", "v2x2"],
               "ahead": ["p1", "p2"], "band": ["b2"], "resident": ["r2"], "loads": LOADS,
               "reload": ["reload"], "peel": ["peel"], "whole": ["whole", "flat"], "tile": ["tile"],
               "values": VALUES},
    "shm": {"chunk": ["c5", "c16"], "band": ["b2"], "resident": ["r2"], "copies": ["async"],
            "buffered": ["buffered"], "padded": ["padded"], "peel": ["peel"],
            "rim": ["diagonal", "halo-warps", "own-rows", "rim"],
            "loads": LOADS, "reload": ["reload"], "values": VALUES},
    "temporal": {"chunk": ["c5", "c8", "c64"], "steps": ["t2", "t3", "t4"],
                 "patch": ["v2x1", "v2x2", "v4x2", "v6x4"], "ahead": ["p1", "p2"],
                 "resident": ["r1"], "apart": ["apart"], "cluster": ["cluster2"], "tile": ["tile"],
                 "share": ["share3x2"], "values": VALUES},
}
ALWAYS = {"steps"}  # parts that each schedule of the variant has
# What stencilc asks a part to come with, so that fewer are tried in vain.
WITH = {("zblock", "peel"): {"chunk": "c8"}, ("zblock", "whole"): {"patch": "v2x1", "chunk": "c8"},
        ("zblock", "flat"): {"patch": "v2x1", "chunk": "c8"},
        ("zblock", "tile"): {"whole": "flat", "patch": "v2x2", "chunk": "c8"},
        **{("shm", part): {"block": "32x1", "chunk": "c5"}
           for part in ("c5", "c16", "peel", "reload", "buffered")},
        ("shm", "padded"): {"block": "8x8x1"},
        ("temporal", "share3x2"): {"block": "32x2", "chunk": "c64"},
        ("temporal", "32x2"): {"ahead": "p1"}, ("temporal", "32x4"): {"ahead": "p1"},
        ("temporal", "cluster2"): {"block": "32x4x1", "ahead": "p1", "patch": "v2x2"},
        **{(variant, ahead): {"chunk": "c8"} for variant in ("zblock", "temporal") for ahead in ("p1", "p2")}}
NO_SOURCE = "pairs with no source that stencilc makes"
TRIES = 32  # sources tried for two levels, before they count as refused
BESIDE = 4  # of these at a time


def names_of(listing):
    """Kernels of papers in --list-variants, and all flags of the variants there."""
    papers = listing[listing.index("Kernels of papers"):]
    names = re.findall(r"^    ([\w-]+) +(?:baseline|zblock|shm|temporal)/", papers, re.M)
    flags, variant = set(), None
    for line in listing[:listing.index("A schedule is")].splitlines():
        found = re.match(r"(\w+)  +\S", line)
        variant = found.group(1) if found else variant
        flags |= {(variant, flag) for flag in re.findall(r"^             ([\w-]+) ", line)}
    for flag in re.findall(r"^Of all, flag `(\w+)`", listing, re.M):
        flags |= {(variant, flag) for variant in BLOCKS}
    return names, flags


def parts_of(variant, rank):
    """What a schedule of the variant is made of on so many axes: of each part, its levels."""
    parts = {part: levels for part, levels in PARTS[variant].items()
             if not (part == "band" and rank < 3) and not (part in ("chunk", "padded") and rank == 1)
             and not (part == "share" and rank != 2)}
    return {"block": BLOCKS[variant][rank], **parts}


def schedule_of(variant, chosen):
    return "/".join([variant, *(chosen[part] for part in ["block", *PARTS[variant]] if part in chosen)])


def levels_of_schedule(schedule, rank):
    """The levels that a schedule has, those alone that stand in the tables above."""
    variant, block, *rest = schedule.split("/")
    if rank not in BLOCKS[variant]:
        return [("variant", variant)]
    return [("variant", variant)] + [
        (variant, level) for levels in parts_of(variant, rank).values() for level in levels
        if level in [block, *rest]]


class Design:
    """Sources, and which two levels meet in them."""

    def __init__(self, ranks, names, legal, seed=1):
        """`ranks`: axes by example. `legal`: the schedule of (example, kind, real, form), where the form
        is a schedule or a name, or None if it is refused."""
        self.ranks, self.names, self.legal, self.rng = ranks, names, legal, random.Random(seed)
        self.sources, self.met, self.refused, self.tried, self.illegal = [], {}, {}, {}, 0
        self.part = {(variant, level): part for variant, parts in PARTS.items()
                     for part, levels in parts.items() for level in levels}
        self.part |= {(variant, level): "block" for variant, blocks in BLOCKS.items()
                      for levels in blocks.values() for level in levels}

    def levels(self, rank):
        return [("variant", v) for v in BLOCKS if rank in BLOCKS[v]] + [
            (v, level) for v in BLOCKS if rank in BLOCKS[v]
            for levels in parts_of(v, rank).values() for level in levels]

    def pairs(self):
        """All that might meet, those of an example first: they decide how many sources there are."""
        shared = [("kind", kind) for kind in KINDS] + [("real", real) for real in REALS]
        of_names = [("name", name) for name in self.names]
        for example, rank in self.ranks.items():
            for level in shared + self.levels(rank):
                yield ("example", example), level
        ranks = sorted(set(self.ranks.values()))
        for level in dict.fromkeys(of_names + [each for rank in ranks for each in self.levels(rank)]):
            for other in shared:
                yield other, level
        yield from itertools.product(shared[:len(KINDS)], shared[len(KINDS):])
        seen = set()
        for rank in ranks:
            for one, two in itertools.combinations(self.levels(rank), 2):
                parts = self.part.get(one), self.part.get(two)
                if one[0] == two[0] and None not in parts and parts[0] != parts[1] and (one, two) not in seen:
                    seen.add((one, two))
                    yield one, two
        yield from itertools.product([("example", example) for example in self.ranks], of_names)

    def might_meet(self, one, two):
        return (one, two) not in self.refused and (two, one) not in self.refused

    def add_needed(self, variant, level, parts, chosen):
        for part, needed in WITH.get((variant, level), {}).items():
            if part in parts and part not in chosen:
                chosen[part] = needed if needed in parts[part] else self.rng.choice(parts[part])

    def draw(self, fixed, rich):
        """A source that has the levels, or None where that cannot be: (example, kind, real, form)."""
        fixed = dict.fromkeys(fixed)
        of = {kind: level for kind, level in fixed if kind in ("example", "kind", "real", "name", "variant")}
        own = [level for level in fixed if level[0] in BLOCKS]
        variant = own[0][0] if own else of.get("variant")
        rng = self.rng
        examples = [example for example, rank in self.ranks.items()
                    if of.get("example", example) == example
                    and (not variant or rank in BLOCKS[variant])
                    and all(level[1] in parts_of(variant, rank).get(self.part[level], []) for level in own)
                    and all(self.might_meet(("example", example), level) for level in fixed)]
        if not examples:
            return None
        example = rng.choice(examples)
        rank = self.ranks[example]
        kind, real = of.get("kind") or rng.choice(KINDS), of.get("real") or rng.choice(REALS)
        if "name" in of:
            return example, kind, real, of["name"]
        variant = variant or rng.choice([v for v in BLOCKS if rank in BLOCKS[v]])
        parts = parts_of(variant, rank)
        own = {self.part[level]: level[1] for level in own}
        for level in list(own.values()):
            self.add_needed(variant, level, parts, own)
        own.setdefault("block", rng.choice(parts["block"]))
        self.add_needed(variant, own["block"], parts, own)
        chosen = own
        has = [("example", example), ("kind", kind), ("real", real)]
        has += [(variant, level) for level in chosen.values()]
        needs_patch = variant == "temporal" and "tile" not in chosen
        for part in rng.sample(list(parts), len(parts)):
            always = part in ALWAYS or (part == "patch" and needs_patch)
            if part in chosen or not (always or rng.random() < rich):
                continue
            level = (variant, rng.choice(parts[part]))
            if always or all(self.might_meet(level, other) for other in has):
                chosen[part] = level[1]
                has.append(level)
        return example, kind, real, schedule_of(variant, chosen)

    def pairs_of(self, source):
        example, kind, real, form, schedule = source
        levels = [("example", example), ("kind", kind), ("real", real)]
        levels += [("name", form)] if form in self.names else []
        levels += levels_of_schedule(schedule, self.ranks[example])
        return itertools.combinations(levels, 2)

    def try_out(self, draws, pool):
        """The first of the draws that is legal, with its schedule."""
        for some in (draws[i:i + BESIDE] for i in range(0, len(draws), BESIDE)):
            new = [draw for draw in some if draw not in self.tried]
            self.tried |= dict(zip(new, pool.map(lambda draw: self.legal(*draw), new)))
            self.illegal += sum(self.tried[draw] is None for draw in new)
            for draw in some:
                if self.tried[draw]:
                    return (*draw, self.tried[draw])
        return None

    def add(self, source):
        self.sources.append(source)
        for pair in self.pairs_of(source):
            self.met.setdefault(pair, len(self.sources))

    def refuse(self, one, two):
        self.refused[one, two] = True

    def has_met(self, one, two):
        return (one, two) in self.met or (two, one) in self.met

    def gain(self, draw):
        """Pairs that nothing before it has met; of a name, whose schedule is not known yet, some."""
        form = draw[3]
        return sum(not self.has_met(*pair) for pair in self.pairs_of(
            (*draw, form if "/" in form else "zblock/1")))

    def extended(self, found, kept, pool):
        """A source that meets more, with these levels kept: each other is taken for a better one in turn."""
        of_parts = {}
        if "/" in found[3]:
            rank, variant = self.ranks[found[0]], found[3].split("/")[0]
            of_parts = parts_of(variant, rank)
        for part in ["kind", "real", *self.rng.sample(list(of_parts), len(of_parts))]:
            example, kind, real, form = found[:4]
            if part in ("kind", "real"):
                if any(name == part for name, _ in kept):
                    continue
                others = [(example, other, real, form) for other in KINDS] if part == "kind" else [
                    (example, kind, other, form) for other in REALS]
            else:
                if any(level[0] == variant and self.part.get(level) == part for level in kept):
                    continue
                has = {self.part[level]: level[1] for level in levels_of_schedule(form, rank)[1:]}
                has.pop(part, None)
                others = [(example, kind, real, schedule_of(variant, has | {part: level}))
                          for level in of_parts[part]
                          if self.might_meet(("example", example), (variant, level))
                          and all(self.might_meet((variant, level), (variant, other))
                                  for other in has.values())]
            before = self.gain(found[:4])
            others = sorted((other for other in others if self.gain(other) > before),
                            key=self.gain, reverse=True)
            found = self.try_out(others[:BESIDE], pool) or found
        return found

    def fill(self, most, sample=False):
        """Adds sources until every two levels that can have met, or there are so many; a sample is of
        pairs in random order."""
        wanted = list(dict.fromkeys(self.pairs()))
        if sample:
            self.rng.shuffle(wanted)
        with concurrent.futures.ThreadPoolExecutor(BESIDE) as pool:
            for one, two in wanted:
                if self.has_met(one, two):
                    continue
                if sample and len(self.sources) == most:
                    break
                found = None
                for rich in (0.05, 0.3):
                    draws = [self.draw([one, two], rich) for _ in range(TRIES // 2)]
                    draws = list(dict.fromkeys(draw for draw in draws if draw))
                    draws.sort(key=self.gain, reverse=True)
                    found = found or self.try_out(draws, pool)
                if found and len(self.sources) < most:
                    found = self.extended(found, [one, two], pool)
                    self.add(found)
                elif not found:
                    self.refuse(one, two)

    def flags(self):
        """The parts of schedules that some source has, each with its variant."""
        return {level for example, *_, schedule in self.sources
                for level in levels_of_schedule(schedule, self.ranks[example])}

    def told(self):
        """What is covered: pairs of levels; those of names with examples apart, as these may be cut short."""
        wanted = [pair for pair in dict.fromkeys(self.pairs()) if pair not in self.refused]
        text = lambda pair: " x ".join(" ".join(level) for level in pair)
        said = {"sources": len(self.sources)}
        for what, kinds in (("pairs", False), ("names with examples", True)):
            own = [pair for pair in wanted if ([level[0] for level in pair] == ["example", "name"]) == kinds]
            unmet = [text(pair) for pair in own if not self.has_met(*pair)]
            said[f"{what} met"] = f"{len(own) - len(unmet)} of {len(own)}"
            said[f"{what} not met"] = unmet
        said[NO_SOURCE] = [text(pair) for pair in self.refused]
        return said


def spread(entries, most):
    """So many entries, those first that have levels which none before them has."""
    chosen, seen, rest = [], set(), list(entries)
    while rest and len(chosen) < most:
        gain = lambda e: len({e["example"], e["kind"], e["real"], *e["schedule"].split("/")} - seen)
        best = max(rest, key=gain)
        rest.remove(best)
        chosen.append(best)
        seen |= {best["example"], best["kind"], best["real"], *best["schedule"].split("/")}
        if gain(best) == 0 and not any(gain(e) for e in rest):
            seen = set()
    return chosen

#!/usr/bin/env python3
"""What the constants of the geometric model are worth, on runs that were timed before.

    python3 test/gpu/refit.py ablate -o results/validation/ablation.md    errors without each term
    python3 test/gpu/refit.py choices -o results/validation/choices.md    what is chosen of each draw
    python3 test/gpu/refit.py held-out -o results/validation/held-out.md  errors of families not fitted to
    python3 test/gpu/refit.py fit [--keys KEY ...]                        the fitted constants anew

All ask build/stencilc-forecasts (a target of the build with tests) for predicted times under edited
copies of the device's profile; no GPU is needed. `fit` looks for the three constants that h200.yaml says
are fitted, or some of them, by the simplex of Nelder and Mead, where the mean and where the median error of the
synthetic kernels that spill nothing is least (of the two for narrow blocks, of runs of these: `fit --keys
parted-march-loss rewritten-line-seconds`); it prints them, those that ship in brackets, and changes
nothing. It needs scipy, as does `held-out`, which does so without one family of these kernels after the other
and says how wrong that is forecast. `ablate` gives each term of the model a value that takes it out, all
others as they are, and says what that does to the errors of four sets of runs, to the order among the 25
fastest schedules of each searched case (Kendall's tau) and to what would be chosen among all that was timed
of it. `choices` says that of the draws of search.py by today's form, which was looked for on all but the last.
Marches of whole chunks on grids that those do not divide are left out: what was timed of them, is no longer
emitted.
"""
import argparse
import collections
import functools
import json
import math
import pathlib
import re
import statistics
import subprocess
import tempfile

import fusedsteps
import lab
import problems
import search
import validate
import validate_report
from runs import compiled_as, value_of, variant

RESULTS = problems.ROOT / "test/gpu/results"
FITTED = ["norm", "dependent-share", "step-start-seconds"]
OF_NARROW = ["parted-march-loss", "rewritten-line-seconds"]  # fitted to narrow blocks
PASSES = 40  # of fused steps, whose runs were long: what they launch beside these counts for little
WITHIN, STEP = (-1.4, 1.8), .6  # where a fit looks, and begins: factors as powers of two
# What takes a term out, by keys of the profile, or of the table of what compilers do.
WITHOUT = {
    "the p-norm: only the longest counts": {"norm": 100},
    "waiting for dependent instructions": {"dependent-share": 0},
    "instructions of long code": {"fetch-clocks": 1e-3},
    "loads of four turns that become one, issued together": {"loads-at-once": 1, "turns-at-once": 1},
    "loads of a turn in batches that registers hold": {"words-at-once": 1000},
    "the start of a step": {"step-start-seconds": 1e-9},
    "latency of device memory": {"dram-in-flight-bytes": 1},
    "latency of the L2: the L1's instead": {"l2-latency": 32},
    "barriers": {"barrier-latency": .001, "l1-latency": .001},
    "marches far apart in device memory": {"march-loss": 0},
    "reuse lost from the L2": {"l2-effective-bytes": 1e8, "l2-softness": .001},
    "marches that share lines": {"parted-march-loss": 0},
    "lines rewritten in parts": {"rewritten-line-seconds": 0},
    "requests of the L2 that are short": {"l2-request-bytes": 0},
    "bandwidth of the L2": {"l2-bandwidth": 1e18},
    "requests of the L1 and shared memory": {"request-clocks": .001, "wavefront-clocks": .001},
    "instructions issued": {"issue-rate": 1e6, "integer-rate": 1e6, "multiply-add-rate": 1e6,
                            "special-rate": 1e6},
    "floating-point arithmetic": {"fp32-rate": 1e6, "fp64-rate": 1e6},
    "blocks that start one by one": {"blocks-per-second": 1e15},
}

Run = collections.namedtuple("Run", "kind case file real extents steps schedule ms spilled avoided registers",
                             defaults=[None])


def is_emitted(row):
    """Planes beside whole chunks have had launches of their own since the draws were timed."""
    chunk = re.search(r"/c(\d+)", row["schedule"])
    return "flat" not in row["schedule"] or row["extents"][0] % int(chunk[1]) == 0


def searched(name):
    """The runs of a draw of search.py."""
    return [Run("searched", row["case"], problems.EXAMPLES / f"{row['example']}.stn", row["real"],
                tuple(row["extents"]), search.STEPS, row["schedule"], row["ms"], row["spilled"],
                row["spills"] > 0, row["registers"])
            for row in json.loads((RESULTS / f"{name}.json").read_text())["times"]
            if "ms" in row and is_emitted(row)]


def validated(gpu, kind):
    """Kept runs of a set of validate.py."""
    runs = []
    record = json.loads((RESULTS / f"{gpu}_{kind}.json").read_text())
    for entry in record["entries"]:
        if problem := problems.BY_NAME.get((entry["source"], entry["problem"], entry["real"])):
            runs += [Run(kind, None, problem.file, entry["real"], tuple(run["extents"]),
                         validate.steps_of(run["extents"]),
                         compiled_as(record, run["schedule"]), run["ms"],
                         entry["spilled"], False) for run in entry["runs"]]
    return runs


def runs_of(gpu):
    """All kept runs of single steps: of synthetic kernels, of the papers', of the first draw."""
    return validated(gpu, "synthetic") + validated(gpu, "papers") + searched(f"{gpu}_search")


def fused_runs(gpu, folder):
    """The kept runs of fused steps, whose stencils are written to a folder."""
    runs = []
    for row in json.loads((RESULTS / f"{gpu}_fused_fitting.json").read_text())["times"]:
        if fusedsteps.fused(row) > 1:
            name, kind = row["example"], row["kind"]
            source = pathlib.Path(folder) / f"{name}-{kind.partition('(')[0]}.stn"
            source.write_text(fusedsteps.text_of(name, kind))
            extents = fusedsteps.LARGE[len(fusedsteps.STENCILS[name][0])]
            ms = math.prod(extents) / row["gstencils_per_s"] / 1e6
            steps = PASSES * fusedsteps.fused(row)
            runs.append(Run("fused", None, source, row["real"], extents, steps, row["schedule"], ms,
                            row["spilled"], False))
    return runs


class Forecasts:
    """Predicted milliseconds of runs, for any values of a device's constants; `compiled` of each:
    "REGISTERS,SPILLED" in place of estimates."""

    def __init__(self, tool, gpu, runs, compiled=None):
        self.gpu = gpu
        self.profile = (problems.ROOT / f"costmodel/device/devices/{gpu}.yaml").read_text()
        self.code = (problems.ROOT / "costmodel/device/code/sm90.yaml").read_text()
        self.folder = tempfile.TemporaryDirectory()
        lines = [f"{r.file} {r.real} {','.join(map(str, r.extents))} {r.steps} {r.schedule} {c}".rstrip() + "\n"
                 for r, c in zip(runs, compiled or [""] * len(runs))]
        listed = pathlib.Path(self.folder.name) / "runs"
        listed.write_text("".join(lines))
        self.edited = pathlib.Path(self.folder.name) / "edited.yaml"
        self.process = subprocess.Popen([tool, listed], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def shipped(self, key):
        return value_of(self.gpu, key)

    def __call__(self, values):
        head, model = self.profile.split("geometric:")
        code = self.code
        for key, value in values.items():
            edit = functools.partial(re.subn, rf"(\n *{key}: *\{{ value: )[^,]*", rf"\g<1>{value:.9g}")
            (model, found), (code, of_code) = edit(model), edit(code)
            if found + of_code != 1:
                raise lab.Failed(f"the profile and the table have {found + of_code} values of {key}")
        table = pathlib.Path(self.folder.name) / "code.yaml"
        table.write_text(code)
        head = head.replace("{ value: sm90,", f"{{ value: {table},")
        self.edited.write_text(head + "geometric:" + model)
        print(self.edited, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().split()
        if not answer:
            raise lab.Failed("stencilc-forecasts ended")
        return [None if word == "-" else float(word) for word in answer]


def error(pairs):
    """Mean and bias of predicted over measured, less one."""
    errors = [said / run.ms - 1 for run, said in pairs if said is not None]
    return statistics.mean(map(abs, errors)), statistics.mean(errors)


def mean_error(pairs):
    return error(pairs)[0]


def median_error(pairs):
    return statistics.median(abs(said / run.ms - 1) for run, said in pairs)


LOSSES = {"mean": mean_error, "median": median_error}


def fitted(forecasts, keys, runs, loss_of):
    """Values of the keys where the error of the runs is least; that with what ships, and with these."""
    import scipy.optimize  # the only use of it
    shipped = [forecasts.shipped(key) for key in keys]
    places = range(len(keys))
    corners = [[0] * len(keys), *([STEP * (place == other) for other in places] for place in places)]
    values_of = lambda factors: {key: value * 2 ** factor for key, value, factor in zip(keys, shipped, factors)}
    loss = lambda factors: loss_of(zip(runs, forecasts(values_of(factors))))
    found = scipy.optimize.minimize(
        loss, corners[0], method="Nelder-Mead", bounds=[WITHIN] * len(keys),
        options={"initial_simplex": corners, "xatol": .01, "fatol": 1e-5, "maxfev": 250})
    return values_of(found.x), loss(corners[0]), found.fun


def fit(options):
    kind = "narrow" if set(options.keys) <= set(OF_NARROW) else "synthetic"
    runs = [run for run in validated(options.gpu, kind) if not run.spilled]
    forecasts = Forecasts(options.tool, options.gpu, runs)
    for name, loss_of in LOSSES.items():
        values, before, after = fitted(forecasts, options.keys, runs, loss_of)
        print(f"{name} error of {len(runs)} runs: {100 * before:.1f} % with what ships, {100 * after:.1f} % with",
              ", ".join(f"{key} {value:.3g} ({forecasts.shipped(key):.3g})" for key, value in values.items()),
              flush=True)
    return 0


def held_out(options):
    every = [run for run in validated(options.gpu, "synthetic") if not run.spilled]
    rows = []
    for family in sorted(set(map(family_of, every))):
        others, own = ([run for run in every if (family_of(run) == family) == out] for out in (False, True))
        forecasts, of_own = (Forecasts(options.tool, options.gpu, runs) for runs in (others, own))
        for name, loss_of in LOSSES.items():
            values = fitted(forecasts, FITTED, others, loss_of)[0]
            told = (f"{100 * mean:.1f} ({100 * bias:+.1f})" for mean, bias in (
                error(zip(own, of_own(given))) for given in ({}, values)))
            rows.append([family, len(own), name, *(f"{values[key]:.3g}" for key in FITTED), *told])
            print(rows[-1], flush=True)
    options.output.write_text(
        "# Kernels of a family that the constants were not fitted to\n\n"
        f"Of an {options.gpu.upper()}, by `test/gpu/refit.py held-out`: the fitted constants where the mean or the "
        "median error of all other synthetic kernels is least, and the errors of predicted times of those left "
        "out in per cent, bias in brackets. The form of the model is the same throughout. Neither tiles in shared "
        "memory nor fused steps are among these kernels.\n\n"
        + validate_report.table(["left out", "runs", "least error", *FITTED, "with what ships", "with these"], rows))
    return 0


def by_case(pairs):
    """What was timed of each case of a draw, but for what the choice avoids: the run and its forecast."""
    cases = collections.defaultdict(list)
    for run, said in pairs:
        if run.kind == "searched" and said is not None and not run.avoided:
            cases[run.case].append((run, said))
    return cases


def chosen_and_fastest(timed):
    return min(timed, key=lambda pair: pair[1])[0], min(timed, key=lambda pair: pair[0].ms)[0]


def chosen_among(pairs):
    """By case: the share of the fastest that the least predicted reaches; tau."""
    cases = by_case(pairs).values()
    shares = [fastest.ms / chosen.ms for chosen, fastest in map(chosen_and_fastest, cases)]
    taus = [search.tau(sorted((run.ms, said) for run, said in timed)[:25]) for timed in cases]
    return sorted(shares), statistics.mean(taus)


DRAWS = [*(("h200", name) for name in ("h200_search", "h200_search_again", "h200_search_third",
                                      "h200_search_eighth", "h200_search_ninth", "h200_search_tenth",
                                      "h200_search_eleventh", "h200_search_twelfth", "h200_search_thirteenth")),
         *(("h100", name) for name in ("h100_search", "h100_search_fourth", "h100_search_fifth",
                                     "h100_search_sixth", "h100_search_seventh"))]
NOT_EMITTED = ["h100_search_fourth"]  # kernels that let the next one's blocks start
# Registers of the step's kernels, without those of reductions.
ALONE = ["h200_search_tenth", "h200_search_eleventh", "h200_search_twelfth", "h200_search_thirteenth"]


def knows_registers(name, run):
    return name in ALONE or not re.search(r"^ *reduce ", run.file.read_text(), re.M)


def family_of(run):
    return variant({"schedule": run.schedule})


def fills_sm(run):
    """Whether a block of 1024 threads leaves no room for another, by the registers that it has."""
    return math.prod(map(int, run.schedule.split("/")[1].split("x"))) == 1024 and run.registers > 32


def errors_by_family(timed):
    """Rows of a table; `timed` by device: a run, its forecast, and that with registers as compiled."""
    rows = []
    for gpu, several in timed.items():
        groups = collections.defaultdict(list)
        for one in several:
            family = family_of(one[0])
            groups[family].append(one)
            if family.startswith("baseline") and fills_sm(one[0]):
                groups[f"{family}, where a block fills an SM"].append(one)
        for name, some in sorted(groups.items()):
            told = (error((one[0], one[which]) for one in some) for which in (1, 2))
            rows.append([gpu.upper(), name, len(some),
                         *(f"{100 * mean:.1f} ({100 * bias:+.1f})" for mean, bias in told)])
    return rows


def choices(options):
    summary, worst, of_kinds = [], [], collections.defaultdict(list)
    for gpu, name in DRAWS:
        runs = searched(name)
        pairs = list(zip(runs, Forecasts(options.tool, gpu, runs)({})))
        if name not in NOT_EMITTED:
            compiled = Forecasts(options.tool, gpu, runs, [f"{run.registers},{run.spilled}" for run in runs])({})
            of_kinds[gpu] += [(*pair, other) for pair, other in zip(pairs, compiled)
                              if not pair[0].spilled and knows_registers(name, pair[0])]
        shares, tau = chosen_among(pairs)
        mean, bias = error(pair for pair in pairs if not pair[0].spilled)
        summary.append([f"`{name}.json`", len(shares), len(runs), *(f"{100 * share:.1f}" for share in (
            statistics.median(shares), shares[len(shares) // 10], shares[0])), f"{tau:.2f}",
            f"{100 * mean:.1f} ({100 * bias:+.1f})"])
        cases = sorted(map(chosen_and_fastest, by_case(pairs).values()), key=lambda two: two[1].ms / two[0].ms)
        worst += [[f"`{name}.json`", run.file.stem, run.real, "×".join(map(str, run.extents)),
                   f"`{run.schedule}`", f"{run.ms:.3f}", f"`{best.schedule}`", f"{best.ms:.3f}",
                   f"{100 * best.ms / run.ms:.1f}"] for run, best in cases[:3]]
    options.output.write_text(
        "# What the form of today would choose of what was drawn before\n\n"
        "By `test/gpu/refit.py choices`: of each case of a draw the least predicted of all that was timed and is "
        "not thought to spill, in per cent of the fastest of these, by forecasts of today's form, which was looked "
        "for on all of these runs but those of `h200_search_thirteenth`. Among them are schedules at random, which "
        "the compiler would not have tried. Errors of predicted times in per cent, bias in brackets, of what "
        "spills nothing; tau among the 25 fastest of each case.\n\n"
        + validate_report.table(["draw", "cases", "runs", "choice, median", "10th percentile", "worst", "tau",
                                 "time"], summary)
        + "\nErrors by kind of kernel, of all of a device's draws but that whose kernels let the next one start, by "
        "registers as they are estimated and as nvcc 13.0 made them; without stencils that reduce, where a draw "
        "has the registers of that, too:\n\n"
        + validate_report.table(["device", "kernel", "runs", "time", "with registers as compiled"],
                                errors_by_family(of_kinds))
        + "\nThe three worst of each:\n\n"
        + validate_report.table(["draw", "stencil", "type", "grid", "least predicted", "ms", "fastest", "ms",
                                 "share"], worst))
    return 0


def ablate(options):
    with tempfile.TemporaryDirectory() as folder:
        runs = runs_of(options.gpu) + fused_runs(options.gpu, folder)
        forecasts = Forecasts(options.tool, options.gpu, runs)
        forecasts({})  # by now the stencils are read
    rows = []
    for name, values in {"nothing: as it ships": {}, **WITHOUT}.items():
        pairs = list(zip(runs, forecasts(values)))
        told = []
        for kind in ("synthetic", "papers", "searched", "fused"):
            mean, bias = error(p for p in pairs if p[0].kind == kind and not p[0].spilled)
            told.append(f"{100 * mean:.1f} ({100 * bias:+.1f})")
        shares, tau = chosen_among(pairs)
        rows.append([name, *told, f"{tau:.2f}", f"{100 * statistics.median(shares):.1f}",
                     f"{100 * shares[len(shares) // 10]:.1f}", f"{100 * shares[0]:.1f}"])
        print(rows[-1], flush=True)
    counts = collections.Counter(run.kind for run in runs if not run.spilled)
    options.output.write_text(
        "# What each term of the geometric model is worth\n\n"
        f"Of an {options.gpu.upper()}, by `test/gpu/refit.py ablate`, no constant fitted again; "
        f"{len(FITTED) + len(OF_NARROW)} are fitted: {', '.join(FITTED)}, and to its runs of narrow blocks "
        f"{' and '.join(OF_NARROW)}; loads-at-once, turns-at-once and words-at-once of the code table are chosen. Errors of "
        f"predicted times in per cent, bias in brackets, of {counts['synthetic']} synthetic, "
        f"{counts['papers']} of the papers', {counts['searched']} searched and {counts['fused']} fused runs "
        "that spill nothing, the last of which were timed before tiles stored whole sectors; "
        "tau among the 25 fastest of each searched case; the least predicted of all that was timed of a "
        "case and is not thought to spill, in per cent of the fastest of these. The form of the model was looked for on all of them.\n\n"
        + validate_report.table(["without", "synthetic", "papers", "searched", "fused", "tau", "choice, median",
                                 "10th percentile", "worst"], rows))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=lab.folder, default=problems.ROOT / "build/stencilc-forecasts")
    parser.add_argument("--gpu", default="h200", help="whose runs and profile")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fit").add_argument("--keys", nargs="+", choices=FITTED + OF_NARROW, default=FITTED)
    for table in ("ablate", "choices", "held-out"):
        commands.add_parser(table).add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    return {"fit": fit, "ablate": ablate, "choices": choices, "held-out": held_out}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)

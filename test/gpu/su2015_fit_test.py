"""su2015_fit_test.py: constants that volumes were made of are found, others are not made up."""
import random

from su2015_fit import Row, fit_level

random.seed(1)


def rows(delta, eta, noise, factors=((0.1, 1.0), (0.0, 0.5))):
    """Volumes of 1 and what two constants with factors from these ranges add."""
    made = []
    for _ in range(60):
        own = [random.uniform(*factor) for factor in factors]
        volume = (1 + delta * own[0] + eta * own[1]) * random.gauss(1, noise)
        made.append(Row("", volume, 1, own))
    return made


def found(constants):
    return {name: constant["value"] for name, constant in constants.items() if constant["identified"]}


both = fit_level("l2", rows(0.2, 0.1, 0.01))
assert set(found(both["constants"])) == {"delta", "eta"}, both
assert abs(both["constants"]["delta"]["value"] - 0.2) < 0.02, both
assert abs(both["constants"]["eta"]["value"] - 0.1) < 0.03, both
assert both["rms"] < 0.013 < both["rms_with_neither"], both

for planted in ((0.2, 0), (0.2, -0.1)):  # one that is not there, one that is against its meaning
    one = fit_level("l2", rows(*planted, 0.01))
    assert set(found(one["constants"])) == {"delta"}, one

never = fit_level("l2", rows(0.2, 0.1, 0.01, factors=((0.1, 1.0), (0.0, 0.0))))
assert never["constants"]["eta"] == {"identified": False, "why": "its factor is 0 in all runs"}, never

alike = [Row("", 1.3, 1, [x, x]) for x in (0.1, 0.2, 0.3)]
assert not found(fit_level("l2", alike)["constants"]), fit_level("l2", alike)

less = fit_level("dram", [Row("", 0.5 + 0.01 * k, 1, [0.5 + 0.1 * k]) for k in range(8)])
assert less["constants"]["epsilon"]["why"] == "it is not from 0 to 1", less

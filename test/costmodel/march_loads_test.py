"""Of march_loads.py: what it reads from loops whose waits can be counted by hand."""

import unittest

from march_loads import before_first_use, number_of, steady_loop, waits


def loop(*code, label=".L_x_0"):
    """As nvdisasm prints it: an instruction's predicate stands before it."""
    lines = [f"{label}:"]
    for number, text in enumerate([*code, f"@P0 BRA `({label})"]):
        predicate, text = text.split(" ", 1) if text.startswith("@") else ("", text)
        lines.append(f"        /*{16 * number:04x}*/ {predicate:>17} {text} ;")
    return "\n".join(lines) + "\n"


def found(*code):
    body = steady_loop(loop(*code, "STG.E desc[UR4][R40.64], R50"))
    return number_of("LDG", body), before_first_use(body), waits(body)


LOW, HIGH = "LDG.E.CONSTANT R4, desc[UR4][R20.64]", "@!P1 LDG.E R5, desc[UR4][R22.64+0x4]"
PAIR = "LDG.E.64.CONSTANT R4, desc[UR4][R20.64]"


class Waits(unittest.TestCase):
    def test_one_batch(self):
        self.assertEqual(found(LOW, HIGH, "FADD R8, R4, R9", "FADD R8, R8, R5"), (2, 2, 1))

    def test_two_batches(self):
        self.assertEqual(found(LOW, "FADD R8, -R4, R9", HIGH, "FADD R8, R8, R5.reuse"), (2, 1, 2))

    def test_all_that_was_loaded_before_has_come_too(self):
        self.assertEqual(found(HIGH, LOW, "FADD R8, R4, R9", "FADD R8, R8, R5"), (2, 2, 1))

    def test_loads_for_the_next_pass(self):
        self.assertEqual(found("FADD R8, R4, R9", LOW), (1, 1, 1))
        # Whoever waits in that pass brings them along.
        self.assertEqual(found(HIGH, "FADD R8, R5, R9", "FADD R8, R8, R4", LOW), (2, 1, 1))
        # What comes last in a pass is first awaited in the next, before anything is loaded there.
        self.assertEqual(found("FADD R8, R4, R9", HIGH, "FADD R8, R8, R5", LOW), (2, 1, 2))

    def test_what_is_loaded_again_is_awaited(self):
        self.assertEqual(found(LOW), (1, 1, 1))

    def awaits(self, load, text):
        """Whether the text is the first use of the load before it: another follows."""
        return found(load, text, "LDG.E R30, desc[UR4][R20.64]")[1] == 1

    def test_pairs_that_are_loaded(self):
        for load, last in [(LOW, 4), (PAIR, 5), (PAIR.replace("64", "128", 1), 7)]:
            self.assertTrue(self.awaits(load, f"FADD R9, R{last}, R10"), load)
            self.assertFalse(self.awaits(load, f"FADD R9, R{last + 1}, R10"), load)

    def test_pairs_that_are_named(self):
        for text in ["DADD R8, R10, R4", "DSETP.MAX.AND P1, P2, R4, R8, PT", "LDG.E R8, desc[UR4][R4.64]",
                     "STG.E.64 desc[UR4][R8.64], R4", "IMAD.WIDE.U32 R8, R10, UR6, R4",
                     "IMAD.WIDE.U32.X R8, R9, R10, R4, P1", "IMAD.WIDE R4, R8, UR6, R10",
                     "F2F.F32.F64 R8, R4", "F2F.F64.F32 R4, R8", "CS2R R4, SRZ"]:
            self.assertTrue(self.awaits(HIGH, text), text)

    def test_single_registers_beside(self):
        for text in ["FADD R8, R10, R4", "STG.E desc[UR4][R8.64], R4", "STS.64 [R4], R8",
                     "IMAD.WIDE.U32 R8, P1, R4, UR6, R10", "F2F.F64.F32 R8, R4", "F2F.F32.F64 R4, R8",
                     "CS2R.32 R4, SRZ", "IMAD.U32 R8, RZ, RZ, UR5"]:
            self.assertFalse(self.awaits(HIGH, text), text)


class Loops(unittest.TestCase):
    store = "STG.E desc[UR4][R40.64], R50"

    def test_the_one_that_stores_most(self):
        small, large = [LOW, self.store], [LOW, LOW, self.store, self.store]
        first, last = loop(*small, label=".L_x_1"), loop(*large, label=".L_x_2")
        for listing in (first + last, last + first):
            self.assertEqual(number_of("STG", steady_loop(listing)), 2)

    def test_none(self):
        self.assertIsNone(steady_loop(loop(LOW)))
        self.assertIsNone(steady_loop(loop(self.store)))
        onward = loop(LOW, self.store).replace("(.L_x_0)", "(.L_x_1)") + ".L_x_1:\n"
        self.assertIsNone(steady_loop(onward))


if __name__ == "__main__":
    unittest.main()

"""Figures as SVG: panels above one another, lines and bars labelled where they end.

A style is the name of a colour below. Colours follow the reader's choice of light or dark.
"""
import html
import itertools
import math

WIDTH, LEFT, RIGHT, TOP, GAP = 960, 64, 104, 66, 38
SPACE = 0.7  # between runs on an axis of shapes, where neighbours are 1 apart
ROW, DIGIT = 15, 6.4  # height of a row of labels, width of a digit

LIGHT = {"ink": "#1c2330", "soft": "#5b6576", "grid": "#e3e7ed", "page": "#ffffff",
         "green": "#2f7d4f", "orange": "#b3690a", "blue": "#2557c7", "red": "#b83232",
         "violet": "#7d3cb5"}
DARK = {"ink": "#e6e9ef", "soft": "#9aa4b5", "grid": "#2b323e", "page": "#14171d",
        "green": "#6cc48f", "orange": "#eba54a", "blue": "#82a8ff", "red": "#f08a8a",
        "violet": "#c79bf2"}


def number(value):
    """At most one digit after the point: a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def text(x, y, words, anchor="middle", style="ink", more=""):
    return (f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" class="{style}"{more}>'
            f"{html.escape(words)}</text>")


def path(points, kind):
    return f'<path class="{kind}" d="M{" ".join(number(c) for p in points for c in p)}"/>'


def colours(named):
    return "".join(f".{name}{{color:{colour}}}" for name, colour in named.items())


def across(x):
    """Pixels from the left, of a place from 0 to 1."""
    return LEFT + x * (WIDTH - LEFT - RIGHT)


class Numbers:
    """An axis of numbers from 0 to a round one that is not below `most`."""

    def __init__(self, most):
        decade = 10.0 ** math.floor(math.log10(most / 6))
        step = next(decade * of for of in (1, 2, 5, 10) if most <= 6 * decade * of)
        self.ticks = [step * i for i in range(math.ceil(most / step) + 1)]

    def place(self, value):
        return value / self.ticks[-1]


class Powers:
    """An axis of numbers whose powers of two stand equally far apart."""
    rows = 2

    def __init__(self, name, least, most):
        self.name, self.least, self.most = name, least, most

    def place(self, value):
        return math.log2(value / self.least) / math.log2(self.most / self.least)

    def runs(self, points):
        return [points]

    def borders(self):
        return []

    def labels(self, top):
        power = self.least
        while power <= self.most:
            yield text(across(self.place(power)), top + ROW, str(power))
            power *= 2
        yield text(across(0.5), top + 2 * ROW, self.name, style="soft")


class Shapes:
    """An axis of tuples in order; `names` says what they hold, and labels nest accordingly."""

    def __init__(self, names, shapes):
        self.names, self.rows = names, len(names)
        at, self.places = 0.5, {}
        for before, shape in zip([None, *shapes], shapes):
            at += 1 + SPACE * (before[:-1] != shape[:-1]) if before else 0
            self.places[shape] = at
        self.length = at + 0.5

    def place(self, shape):
        return self.places[shape] / self.length

    def unit(self):
        """Pixels that belong to a shape."""
        return across(1 / self.length) - across(0)

    def groups(self, depth):
        """The first `depth` parts of shapes, and the middle of those that share them."""
        for prefix, group in itertools.groupby(self.places, lambda shape: shape[:depth]):
            group = list(group)
            yield prefix, (self.place(group[0]) + self.place(group[-1])) / 2, group

    def runs(self, points):
        """Lines join shapes that differ in their last part only."""
        return [list(run) for _, run in itertools.groupby(points, lambda point: point[0][:-1])]

    def borders(self):
        """Between shapes that differ in their first part."""
        firsts = [group[0] for _, _, group in self.groups(1)]
        return [self.place(first) - (1 + SPACE) / 2 / self.length for first in firsts[1:]]

    def labels(self, top):
        for row, name in enumerate(reversed(self.names), 1):
            yield text(LEFT - 8, top + row * ROW, name, "end", "soft")
            free = 0  # a label for which there is no room is left out
            for prefix, middle, _ in self.groups(self.rows - row + 1):
                label = str(prefix[-1])
                half = len(label) * DIGIT / 2
                if across(middle) - half > free:
                    free = across(middle) + half + 2
                    yield text(across(middle), top + row * ROW, label)


class Panel:
    """Lines and bars over an axis; the height is scaled to hold them all."""

    def __init__(self, title, x, unit, height):
        self.title, self.x, self.unit, self.height = title, x, unit, height
        self.lines, self.bars, self.marks, self.levels = [], [], [], []

    def line(self, points, style, label, kind="line"):
        """Through pairs of a place on the axis and a value."""
        self.lines.append((list(points), style, label, kind))

    def bar(self, at, value, style, label):
        self.bars.append((at, value, style, label))

    def mark(self, at, style, label):
        """A place on the axis."""
        self.marks.append((at, style, label))

    def level(self, first, last, value, style, label):
        """A value, from one place on the axis to another."""
        self.levels.append((first, last, value, style, label))

    def draw(self, top, with_labels):
        values = [value for points, *_ in self.lines for _, value in points]
        values += [bar[1] for bar in self.bars] + [level[2] for level in self.levels]
        y, self.bottom = Numbers(max(values)), top + self.height
        self.up = lambda value: self.bottom - y.place(value) * self.height
        yield text(LEFT, top - 10, self.title, "start", more=' font-weight="600"')
        yield text(across(1), top - 10, self.unit, "end", "soft")
        for tick in y.ticks:
            yield path([(LEFT, self.up(tick)), (across(1), self.up(tick))], "grid")
            yield text(LEFT - 8, self.up(tick) + 4, f"{tick:g}", "end", "soft")
        for border in self.x.borders():
            yield path([(across(border), top), (across(border), self.bottom)], "grid")
        if with_labels:
            yield from self.x.labels(self.bottom)
        yield from self.draw_marks(top)
        yield from self.draw_bars()
        yield from self.draw_lines()

    def draw_marks(self, top):
        for place, style, label in self.marks:
            x = across(self.x.place(place))
            yield f'<g class="{style}">{path([(x, top), (x, self.bottom)], "dashed")}'
            yield text(x + 3, self.bottom - 5, label, "start", style) + "</g>"

    def draw_bars(self):
        for place, value, style, label in self.bars:
            x, height, width = across(self.x.place(place)), self.up(value), 0.7 * self.x.unit()
            yield (f'<rect class="{style} bar" x="{number(x - width / 2)}" y="{number(height)}" '
                   f'width="{number(width)}" height="{number(self.bottom - height)}"/>')
            yield text(x, height - 5, label)
        for first, last, value, style, label in self.levels:
            height, half = self.up(value), self.x.unit() / 2
            start, end = across(self.x.place(first)) - half, across(self.x.place(last)) + half
            yield f'<g class="{style}">{path([(start, height), (end, height)], "dashed")}'
            yield text((start + end) / 2, height - 5, label, style=style) + "</g>"

    def draw_lines(self):
        ends = []
        for points, style, label, kind in self.lines:
            runs = [[(across(self.x.place(at)), self.up(value)) for at, value in run]
                    for run in self.x.runs(points)]
            yield f'<g class="{style}">' + "".join(path(run, kind) for run in runs if len(run) > 1)
            if len(runs) > 1:
                dots = "".join(f"M{number(x)} {number(y)}h0" for run in runs for x, y in run)
                yield f'<path class="{kind} dots" d="{dots}"/>'
            yield "</g>"
            ends.append((runs[-1][-1][1] + 4, style, label))
        lowest = -math.inf
        for height, style, label in sorted(ends):
            lowest = max(height, lowest + 14)
            yield text(across(1) + 8, lowest, label, "start", style)


class Figure:
    """`source` says where it stands in its paper, `described` what is to be seen."""

    def __init__(self, title, source, described):
        self.title, self.source, self.described, self.panels = title, source, described, []

    def panel(self, title, x, unit, height):
        self.panels.append(Panel(title, x, unit, height))
        return self.panels[-1]

    def svg(self):
        """Panels over the same axis show its labels once."""
        body, top = [text(LEFT, 24, self.title, "start", more=' font-size="15"'),
                     text(across(1), 24, self.source, "end", "soft")], TOP
        for panel, below in zip(self.panels, [*self.panels[1:], None]):
            with_labels = not below or below.x is not panel.x
            body += panel.draw(top, with_labels)
            top += panel.height + (panel.x.rows * ROW if with_labels else 0) + GAP
        height = top - GAP + 16
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            f' width="{WIDTH}" height="{height}" role="img" aria-labelledby="title described"'
            ' font-family="system-ui, sans-serif" font-size="11">',
            f'<title id="title">{html.escape(self.title)}</title>',
            f'<desc id="described">{html.escape(self.described)}</desc>',
            "<style>",
            "text,.bar,.page{fill:currentColor}path{fill:none;stroke:currentColor}",
            ".line{stroke-width:1.5}.dots{stroke-width:4;stroke-linecap:round}",
            ".wide{stroke-width:7;stroke-linecap:round;stroke-linejoin:round;opacity:.25}",
            ".dashed{stroke-dasharray:5 4}",
            colours(LIGHT),
            "@media (prefers-color-scheme:dark){" + colours(DARK) + "}",
            "</style>",
            '<rect class="page" width="100%" height="100%"/>',
            *body, "</svg>", ""])

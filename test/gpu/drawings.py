"""Drawings for reports, as SVG: predicted over measured, lines, and bars."""

import math

COLOURS = ["#2a9d8f", "#c1443c", "#457b9d", "#e9a23b", "#7b5ea7", "#3a3a3a", "#8ab17d", "#d17ba0", "#8d6e63",
           "#00838f", "#9e9d24"]
LEFT, TOP, WIDTH, HEIGHT, RIGHT = 80, 40, 520, 360, 220


def text(x, y, words, anchor="start", size=11, colour="#222"):
    words = str(words).replace("&", "&amp;").replace("<", "&lt;")
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
            f'fill="{colour}">{words}</text>')


def save(path, title, parts, height=HEIGHT):
    whole = LEFT + WIDTH + RIGHT, TOP + height + 50
    path.write_text("\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole[0]} {whole[1]}" font-family="sans-serif">',
        f'<rect width="{whole[0]}" height="{whole[1]}" fill="#fff"/>', text(LEFT, 22, title, size=14), *parts,
        "</svg>"]) + "\n")
    print(f"wrote {path}")


class Axis:
    """From numbers to a place between 0 and 1, with ticks."""

    def __init__(self, numbers, logarithmic, least=None):
        self.map = math.log10 if logarithmic else float
        low, high = min(numbers) if least is None else least, max(numbers)
        if logarithmic:
            low, high = low / 1.15, high * 1.15
            decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
            some = (1, 2, 5) if high / low < 300 else (1,)
            self.ticks = [m * 10.0 ** d for d in decades for m in some if low <= m * 10.0 ** d <= high]
        else:
            high = high if high > low else low + 1
            step = 10.0 ** math.floor(math.log10((high - low) / 2))
            step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 6)
            self.ticks = [n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
        self.low, self.high = self.map(low), self.map(high)

    def at(self, number):
        return (self.map(number) - self.low) / (self.high - self.low)


def frame(x, y, names):
    """Grid, ticks and the names of both axes."""
    parts = []
    for tick in x.ticks:
        at = LEFT + x.at(tick) * WIDTH
        parts += [f'<path d="M{at:.1f} {TOP}v{HEIGHT}" stroke="#e4e4e4"/>',
                  text(at, TOP + HEIGHT + 16, f"{tick:g}", "middle")]
    for tick in y.ticks:
        at = TOP + (1 - y.at(tick)) * HEIGHT
        parts += [f'<path d="M{LEFT} {at:.1f}h{WIDTH}" stroke="#e4e4e4"/>', text(LEFT - 6, at + 4, f"{tick:g}", "end")]
    parts += [text(LEFT + WIDTH / 2, TOP + HEIGHT + 36, names[0], "middle"),
              f'<g transform="translate(20 {TOP + HEIGHT / 2}) rotate(-90)">{text(0, 0, names[1], "middle")}</g>']
    return parts


def place(x, y, point):
    return LEFT + x.at(point[0]) * WIDTH, TOP + (1 - y.at(point[1])) * HEIGHT


def legend(names):
    return [text(LEFT + WIDTH + 14, TOP + 12 + 17 * row, name, colour=COLOURS[row % len(COLOURS)])
            for row, name in enumerate(names)]


def scatter(path, title, names, groups):
    """Dots (x, y) of each group on logarithmic axes; on the line is what was predicted right."""
    numbers = [number for dots in groups.values() for dot in dots for number in dot]
    axis = Axis(numbers, True)
    parts = frame(axis, axis, names) + legend(groups)
    parts.append(f'<path d="M{LEFT} {TOP + HEIGHT}L{LEFT + WIDTH} {TOP}" stroke="#888" stroke-dasharray="4 3"/>')
    for row, dots in enumerate(groups.values()):
        drawn = "".join("M{:.1f} {:.1f}h0".format(*place(axis, axis, dot)) for dot in dots)
        parts.append(f'<path d="{drawn}" stroke="{COLOURS[row % len(COLOURS)]}" stroke-opacity="0.6" '
                     'stroke-width="4.4" stroke-linecap="round"/>')
    save(path, title, parts)


def lines(path, title, names, series, logarithmic=False, least=0):
    """Lines of (x, y); of those whose name ends in "predicted" dashed ones in the colour of the one before."""
    x = Axis([dot[0] for dots in series.values() for dot in dots], logarithmic)
    y = Axis([dot[1] for dots in series.values() for dot in dots], False, least)
    parts, row = frame(x, y, names), -1
    for name, dots in series.items():
        dashed = name.endswith("predicted")
        row += not dashed
        colour = COLOURS[max(row, 0) % len(COLOURS)]
        path_of = "L".join("{:.1f} {:.1f}".format(*place(x, y, dot)) for dot in sorted(dots))
        parts.append(f'<path d="M{path_of}" fill="none" stroke="{colour}" stroke-width="1.6"'
                     + (' stroke-dasharray="5 3"/>' if dashed else "/>"))
    parts += legend([name for name in series if not name.endswith("predicted")])
    if any(name.endswith("predicted") for name in series):
        parts.append(text(LEFT + WIDTH + 14, TOP + HEIGHT, "dashed: predicted"))
    save(path, title, parts)


def bars(path, title, rows, series):
    """For each row (its name, a number or None for each of the series) a group of bars, with their numbers."""
    largest = [max(values[number] or 0 for _, values in rows) for number in range(len(series))]
    thick, parts, y = 13, legend(series), TOP
    for name, values in rows:
        parts.append(text(LEFT + 46, y + thick * len(series) / 2 + 4, name, "end"))
        for number, value in enumerate(values):
            if value is not None:
                long = value / largest[number] * (WIDTH - 120)
                parts += [f'<rect x="{LEFT + 54}" y="{y:.1f}" width="{long:.1f}" height="{thick - 2}" '
                          f'fill="{COLOURS[number]}"/>', text(LEFT + 58 + long, y + thick - 4, f"{value:.0f}", size=10)]
            y += thick
        y += 8
    save(path, title, parts, height=y - TOP)

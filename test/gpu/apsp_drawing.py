"""A drawing of measured and predicted times over n, for apsp_report.py."""

COLOURS = {"min": "#2a9d8f", "sorted": "#457b9d", "full": "#e9a23b", "buckets": "#c1443c",
           "forecast": "#222222"}
LEFT, TOP, WIDTH, HEIGHT = 80, 60, 620, 330


def draw(path, title, claim, series, dots):
    """Lines {name: {n: seconds}} and measured dots {n: seconds}."""
    sizes = sorted(dots)
    largest = max(max(line[n] for n in sizes) for line in (*series.values(), dots))
    scale = 1e3 if largest >= 1e-3 else 1e6
    span = max(sizes[-1] - sizes[0], 1)

    def place(n, seconds):
        return (f"{LEFT + (n - sizes[0]) / span * WIDTH:.1f} "
                f"{TOP + (1 - seconds / largest) * HEIGHT:.1f}")

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 450" '
             'font-family="sans-serif" font-size="12"><rect width="820" height="450" fill="#fff"/>',
             f'<text x="{LEFT}" y="22" font-size="14">{title}</text>',
             f'<text x="{LEFT}" y="42" font-size="10" fill="#666">{claim}</text>']
    for tick in range(6):
        value = largest * tick / 5
        y = TOP + (1 - tick / 5) * HEIGHT
        parts.append(f'<path d="M{LEFT} {y:.1f}h{WIDTH}" stroke="#ddd"/><text x="{LEFT - 8}" '
                     f'y="{y + 4:.1f}" text-anchor="end">{value * scale:.3g}</text>')
        n = sizes[0] + span * tick / 5
        parts.append(f'<text x="{LEFT + WIDTH * tick / 5:.1f}" y="{TOP + HEIGHT + 18}" '
                     f'text-anchor="middle">{n:.0f}</text>')
    parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 38}" text-anchor="middle">'
                 f'nodes n, time in {"ms" if scale == 1e3 else "us"}</text>')
    for row, (name, line) in enumerate(series.items()):
        points = "L".join(place(n, line[n]) for n in sizes)
        parts.append(f'<path d="M{points}" fill="none" stroke="{COLOURS[name]}" '
                     f'stroke-width="1.5"/><text x="716" y="{TOP + 12 + 18 * row}" '
                     f'fill="{COLOURS[name]}">{name}</text>')
    for n in sizes:
        x, y = place(n, dots[n]).split()
        parts.append(f'<circle cx="{x}" cy="{y}" r="2.2" fill="#222"/>')
    parts.append(f'<text x="716" y="{TOP + 12 + 18 * len(series)}">• measured</text></svg>')
    with open(path, "w") as file:
        file.write("\n".join(parts) + "\n")

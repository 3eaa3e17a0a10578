"""page.py HTML JSON: the page of --explain=html is well formed, loads nothing, can be read aloud, and
shows the numbers of the JSON, rounded."""
import html.parser
import json
import pathlib
import re
import sys

VOID = {"meta", "br", "img", "link"}
MILLISECONDS = {"s": 1e3, "ms": 1, "us": 1e-3, "ns": 1e-6}


class Page(html.parser.HTMLParser):
    """Tags that are open, the text of each element, and the cells of each table."""

    def __init__(self, text):
        super().__init__()
        self.open, self.pictures, self.texts, self.tables, self.cells = [], [], {}, {}, None
        self.feed(text)
        self.close()
        assert not self.open, f"{self.open} are never closed"

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name in ("href", "src", "xlink:href"):
            assert name not in attributes, f"the page loads {attributes[name]}"
        assert tag not in ("script", "link", "iframe"), f"the page has a <{tag}>"
        if tag == "svg":
            self.pictures.append(attributes)
        if tag == "table":
            self.rows = self.tables.setdefault(attributes["class"], [])
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self.texts.setdefault(tag, []).append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        if not self.open:
            return
        self.texts[self.open[-1]][-1] += data
        if self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def shows(text, number):
    """The text is the number, rounded to the last digit that the text has."""
    digits = text.removesuffix(" %")
    last = 10.0 ** -len(digits.partition(".")[2])
    if digits == text and "." not in digits:  # zeros at the end may stand for unknown digits
        last = 10.0 ** max(0, len(digits) - max(2, len(digits.rstrip("0"))))
    assert abs(float(digits) - number) <= 0.5001 * last, f"{text} does not show {number}"


def time_of(text, milliseconds):
    number, unit = text.split()
    shows(number, milliseconds / MILLISECONDS[unit])


text = pathlib.Path(sys.argv[1]).read_text()
report = json.loads(pathlib.Path(sys.argv[2]).read_text())
page = Page(text)
assert "url(" not in text and "@import" not in text, "the style loads something"

headline = page.texts["h1"][0]
found = re.match(r"(.*) on (.*): (\S+) GStencil/s, (\S+ \S+) a step", headline)
assert found and found[1] == report["stencil"] and found[2] == report["gpu"], headline
shows(found[3], report["gstencils_per_s"])
time_of(found[4], report["predicted_ms"])

rows = page.tables["resources"][1:]
times = report["times_ms"]
assert len(rows) == len(times), f"{len(rows)} rows for {len(times)} times"
for row, (name, milliseconds) in zip(rows, times.items()):
    time_of(row[4], milliseconds)
    shows(row[5], 100 * milliseconds / report["predicted_ms"])
for row, level in zip(rows, report["levels"]):
    shows(row[1], level["bytes_per_point"])
    shows(row[3], level["bandwidth_bytes_per_s"] / 1e9)

milliseconds = {each["schedule"]: each["predicted_ms"] for each in report["candidates"]}
for row in page.tables.get("next", [[]])[1:]:
    time_of(row[2], milliseconds[row[0]])
assert len(page.tables.get("reasons", [[]])) - 1 <= len(report["rejected"])
for line in report["advice"] + report["cautions"]:
    assert line in page.texts["dd"], f"the page does not say: {line}"

assert page.pictures, "the page has no picture"
for picture in page.pictures:
    assert picture.get("role") == "img" and picture.get("aria-labelledby"), picture
assert len(page.texts["desc"]) == len(page.pictures) and all(page.texts["desc"])
assert all(len(row) == len(rows[0]) for rows in page.tables.values() for row in rows)
print(f"{len(rows)} resources, {len(page.pictures)} pictures")

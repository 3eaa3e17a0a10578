"""Report: what --explain says."""
import functools
import html
import json
from typing import Any, Sequence

from ._program import Source


class Report:
    """Prints as text and shows itself as a page in a notebook; `data` has the numbers."""

    def __init__(self, source: Source, options: Sequence[str]):
        self._source, self._options = source, options
        self.text = self._explain("text")

    def _explain(self, form: str) -> str:
        return self._source.emit(*self._source.device, *self._options, f"--explain={form}")

    @functools.cached_property
    def data(self) -> Any:
        return json.loads(self._explain("json"))

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        page = html.escape(self._explain("html"), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%; height:60em; border:0"></iframe>'

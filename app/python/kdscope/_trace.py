"""Recorded runs."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from kdscope import _core
from kdscope._arrays import as_numbers, from_device, texts_of

_page_height = 640  # pixels of a page in a notebook


class Check(NamedTuple):
    """A property that was checked after a step."""

    name: str
    statement: str
    passed: bool
    detail: str  #: what differs if it failed


class Step(Mapping[str, "np.ndarray[Any, Any]"]):
    """A step of a recorded run, and the state immediately after it: arrays by name.

    step["tags"] is an array that cannot be written to, without a copy: a view of the state, which it keeps. The first
    access makes the state, in time and memory of the order of all arrays.
    """

    index: int  #: its number in the run
    name: str  #: "sort"
    path: tuple[str, ...]  #: phases, outermost first; ends with the name
    title: str  #: a sentence
    level: int  #: level of the tree, -1 for none
    wrote: tuple[str, ...]  #: names of the arrays that the step wrote
    checks: tuple[Check, ...]

    def __init__(self, trace: _core.Trace, index: int) -> None:
        self._trace = trace
        self._state: _core.State | None = None
        self.index = index
        members = trace.step(index)
        self.name, self.path, self.title = members["name"], members["path"], members["title"]
        self.level, self.wrote = members["level"], members["wrote"]
        self.checks = tuple(Check(*each) for each in members["checks"])

    def _after(self) -> _core.State:
        if self._state is None:
            self._state = self._trace.state(self.index)
        return self._state

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        """Return an array after this step, of shape (indices,) or (indices, values per index).

        Raises KeyError if there is none of that name, or no step up to this one wrote it.
        """
        try:
            return self._after().array(name)
        except ValueError as error:
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._after().names())

    def __len__(self) -> int:
        return len(self._after().names())

    def __contains__(self, name: object) -> bool:
        return name in self._after().names()

    def __repr__(self) -> str:
        return f"<kdscope.Step {self.index}: {' / '.join(self.path)}>"


class Steps(Sequence[Step]):
    """The steps of a recorded run."""

    def __init__(self, trace: _core.Trace) -> None:
        self._trace = trace

    def __len__(self) -> int:
        return self._trace.step_count

    @overload
    def __getitem__(self, index: int) -> Step: ...

    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...

    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return [Step(self._trace, i) for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        return Step(self._trace, number)

    def __repr__(self) -> str:
        return f"<kdscope.Steps: {len(self)}>"


class Trace:
    """A recorded run, as record() and open() return it. A notebook shows it as an interactive page."""

    steps: Steps
    builder: str  #: id of the algorithm
    title: str
    citation: str
    parameters: dict[str, str]  #: complete
    search: dict[str, str]  #: the search that was recorded; empty for a build
    n: int  #: points
    m: int  #: dimensions
    backend: str  #: "cpu" or "cuda"
    device: str
    version: str  #: of kdscope
    tree_hash: int  #: 64 bits; equal trees have equal hashes on every machine

    def __init__(self, core: _core.Trace) -> None:
        self._core = core
        self.steps = Steps(core)
        for name, value in core.header().items():
            setattr(self, name, value)

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        points = f"{self.n} points in {self.m} dimensions"
        return f"<kdscope.Trace: {self.title} ({self.builder}), {points}, {len(self)} steps>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to a file that kdscope.open() and the workbench open, HDF5. Raises OSError."""
        self._core.save(os.fspath(path))

    def page(self) -> str:
        """Return the run as an HTML page with its tables, trees and pictures, which needs no network.

        Of runs with more than 200 steps it shows 200. Raises ValueError in builds of kdscope without md4c.
        """
        return self._core.page()

    def _repr_html_(self) -> str:
        try:
            page = self.page()
        except ValueError as error:
            return f"<pre>{html.escape(repr(self))}\n{html.escape(str(error))}</pre>"
        return (
            f'<iframe title="{html.escape(self.title)}" style="width: 100%; height: {_page_height}px; border: 0" '
            f'sandbox="allow-scripts" srcdoc="{html.escape(page)}"></iframe>'
        )


def _recordable(points: Any) -> np.ndarray[Any, Any]:
    """Return points as float32 or int32. Numbers in lists are rounded; arrays must be exact."""
    given = np.asarray(from_device(points))
    if given.dtype.kind in "iu" and (given.size == 0 or (given.min() >= -(2**31) and given.max() < 2**31)):
        return np.ascontiguousarray(given, np.int32)
    numbers = as_numbers(given)
    if numbers.dtype != np.float64:
        return numbers
    with np.errstate(over="ignore"):
        rounded = numbers.astype(np.float32)
    wrong = np.argwhere((rounded != numbers) & np.isfinite(numbers))
    if isinstance(points, (list, tuple)) or len(wrong) == 0:
        return rounded
    place = tuple(int(i) for i in wrong[0])
    raise ValueError(
        f"points[{', '.join(map(str, place))}] is {numbers[place]}, which is no float32, and a recording shows "
        "coordinates as the builder has them; give points.astype(numpy.float32) to round them"
    )


def record(
    points: Any,
    builder: str = "wald",
    parameters: dict[str, Any] | None = None,
    *,
    backend: str = "cpu",
    search: dict[str, Any] | None = None,
    memory_budget: int = 0,
    most_steps: int = 0,
) -> Trace:
    """Build once, and keep the state after every step.

    Parameters
    ----------
    points : array_like, shape (n, m)
        float32 or int32; larger integers that fit become int32. Arrays of float64 are refused unless every coordinate
        is a float32, because the recording shows coordinates as the builder has them. Numbers in lists are rounded.
    builder : str, optional
        Id of the construction algorithm, see kdscope.builders().
    parameters : dict, optional
        Parameters of the builder that differ from its defaults.
    backend : {"cpu", "cuda", "auto"}, optional
        Where to build.
    search : dict, optional
        A search to record on the finished tree instead of the build: {"question": "nearest", "query": "1,2", "k": 3}.
    memory_budget : int, optional
        Bytes that the recording may take; 0 for half of the free memory.
    most_steps : int, optional
        End after this many steps; 0 for no limit.

    Raises
    ------
    ValueError
        Another shape, a coordinate that is not finite or no float32, points that the builder does not take, an unknown
        builder or parameter.
    MemoryError
        The recording exceeds the budget.
    """
    numbers = _recordable(points)
    if numbers.ndim != 2 or numbers.shape[1] == 0:
        raise ValueError(f"points have shape {numbers.shape}; give one row per point")
    core = _core.record(numbers, builder, texts_of(parameters), backend, texts_of(search), memory_budget, most_steps)
    return Trace(core)


def open(path: str | os.PathLike[str]) -> Trace:
    """Read a recorded run from a file of Trace.save(), kdscope-cli or the workbench.

    Nothing in a file is trusted. Raises ValueError for files that are no trace, and OSError for those that cannot be
    read.
    """
    return Trace(_core.load_trace(os.fspath(path)))

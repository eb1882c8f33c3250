"""The construction algorithms."""

from __future__ import annotations

from typing import NamedTuple

from kdscope import _core


class Builder(NamedTuple):
    """A construction algorithm that takes points."""

    id: str  #: what KDTree() and record() take: "rank"
    title: str
    citation: str
    summary: str  #: two sentences at most
    least_dimensions: int
    most_dimensions: int
    most_points: int


def builders() -> list[Builder]:
    """Return the builders that take points, in the order of their ids."""
    return [Builder(*each) for each in _core.builders()]

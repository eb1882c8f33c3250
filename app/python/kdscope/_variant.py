"""Builders with stages of one's own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from kdscope import _core
from kdscope._arrays import texts_of
from kdscope._trace import Trace


@dataclass(frozen=True)
class WrongElement:
    """The first element at which a variant differs from the original."""

    step: int
    array: str
    index: int | None  #: None if the arrays differ in size or type
    expected: str
    found: str


@dataclass(frozen=True, repr=False)
class VariantResult:
    """What came of a variant. It is true if the variant recorded the same as the original."""

    text: str  #: the outcome in one sentence
    equal: bool
    used: bool  #: False if no launch used a stage of the file, so that nothing was tried
    crash: str  #: how its process ended, in one sentence; empty if it ran to its end
    first_wrong: WrongElement | None
    warnings: tuple[str, ...]  #: of the compiler
    trace: Trace | None  #: the variant's recording; None if it recorded no step
    original: Trace

    def __bool__(self) -> bool:
        return self.equal

    def __repr__(self) -> str:
        return f"<kdscope.VariantResult: the variant {self.text}>"


def variant(
    file: str | os.PathLike[str],
    data: str = "",
    parameters: dict[str, Any] | None = None,
    *,
    backend: str = "cpu",
    seconds: float = 10,
) -> VariantResult:
    """Compile a variant, record it in a process of its own, and compare it with the original.

    `kdscope-cli variant new wald update_tags --out my.cu` writes a file to begin with.

    Parameters
    ----------
    file : path
        The variant's source.
    data : str, optional
        The points, as `kdscope-cli --data` takes them. Default: ten points.
    parameters : dict, optional
        Parameters of the builder that differ from its defaults.
    backend : {"cpu", "cuda"}, optional
        On the CPU, a variant runs with AddressSanitizer, and in several orders of its lanes.
    seconds : float, optional
        The variant is stopped after this time.

    Raises
    ------
    ValueError
        The file is no variant or does not compile, with the compiler's messages; there is no kit to compile with, which
        the package kdscope-tools has.
    """
    members = _core.variant(os.fspath(file), data, texts_of(parameters), backend, seconds)
    wrong = members["first_wrong"]
    return VariantResult(
        members["text"],
        members["equal"],
        members["used"],
        members["crash"],
        None if wrong is None else WrongElement(*wrong),
        tuple(members["warnings"]),
        None if members["trace"] is None else Trace(members["trace"]),
        Trace(members["original"]),
    )

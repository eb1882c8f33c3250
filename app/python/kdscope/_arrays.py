"""Arrays of points as the compiled part takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from kdscope import _core

_kept = frozenset(map(np.dtype, (np.float32, np.float64, np.int32)))


def from_device(points: Any) -> Any:
    """Return points that lie in the memory of a device as they can be read here; others as they are.

    Raises TypeError for those of a CUDA device.
    """
    on_cuda = hasattr(points, "__cuda_array_interface__")
    if not on_cuda and hasattr(points, "__dlpack_device__"):
        kind = points.__dlpack_device__()[0]
        if kind == 1:
            return points if hasattr(points, "__array__") else np.from_dlpack(points)
        on_cuda = True
    if not on_cuda:
        return points
    raise TypeError(
        "the points lie in the memory of a device, and "
        + ("KDTree searches on the host" if _core.has_cuda else "this build of kdscope has no CUDA")
        + "; copy them to the host first, for example with .get() or .cpu()"
    )


def as_numbers(points: Any) -> np.ndarray[Any, Any]:
    """Return a contiguous array of float32, float64 or int32 numbers, without a copy if points is one.

    Smaller types become the next larger one of these, and larger integers become float64, as scipy has it. Raises
    TypeError for complex numbers and points of a CUDA device, and ValueError for what is no number.
    """
    array: np.ndarray[Any, Any] = points if type(points) is np.ndarray else np.asarray(from_device(points))
    if array.dtype in _kept:
        return array if array.flags.c_contiguous else np.ascontiguousarray(array)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "c":
        raise TypeError("KDTree does not work with complex data")
    if kind == "f" and size <= 4:
        return np.ascontiguousarray(array, np.float32)
    if kind == "b" or (kind in "iu" and size <= (4 if kind == "i" else 2)):
        return np.ascontiguousarray(array, np.int32)
    return np.ascontiguousarray(array, np.float64)


def texts_of(parameters: dict[str, Any] | None) -> dict[str, str]:
    """Return parameters as texts, as the builders read them: True becomes "true"."""
    return {
        str(name): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in (parameters or {}).items()
    }

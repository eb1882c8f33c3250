"""Arrays of points as the compiled part takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from kdscope import _core

_kept = frozenset(map(np.dtype, (np.float32, np.float64, np.int32)))


def from_device(points: Any) -> Any:
    """Return points that lie in the memory of a device as an array of the host; others as they are.

    DLPack on the host is read without a copy, and arrays with __cuda_array_interface__ are copied behind the work of
    their stream. Raises TypeError where this build of kdscope has no CUDA, and for devices of other kinds.
    """
    interface = getattr(points, "__cuda_array_interface__", None)
    if interface is None:
        if not hasattr(points, "__dlpack_device__"):
            return points
        if points.__dlpack_device__()[0] == 1:
            return points if hasattr(points, "__array__") else np.from_dlpack(points)
    elif _core.has_cuda:
        shape, kind = list(interface["shape"]), interface["typestr"]
        strides = interface.get("strides")
        if strides is not None and tuple(strides) != np.empty(shape, kind).strides:
            raise ValueError("points in the memory of a device must be contiguous; copy them there first")
        return _core.from_cuda(shape, kind, interface["data"][0], interface.get("stream") or 0)
    raise TypeError(
        "the points lie in the memory of a device, and "
        + ("have no __cuda_array_interface__" if _core.has_cuda else "this build of kdscope has no CUDA")
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

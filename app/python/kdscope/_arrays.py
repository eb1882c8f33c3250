"""Arrays of points as the compiled part takes them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kdscope import _core

_kept = frozenset(map(np.dtype, (np.float32, np.float64, np.int32)))
# Devices by their number in DLPack: the host, and CUDA with memory of its own or managed
_dlpack_host, _dlpack_cuda = 1, (2, 13)


class DevicePoints(NamedTuple):
    """Points in the memory of a CUDA device, contiguous."""

    address: int
    shape: list[int]
    type: np.dtype[Any]
    stream: int  # whose work makes them; 0 for none
    owner: Any  # keeps the memory


def _is_contiguous(shape: list[int], strides: Any, size: int) -> bool:
    if 0 in shape:
        return True
    for extent, stride in zip(reversed(shape), reversed(list(strides))):
        if extent > 1 and stride != size:
            return False
        size *= extent
    return True


def _checked(address: Any, shape: Any, kind: Any, strides: Any, stream: Any, owner: Any) -> DevicePoints:
    """Check what another library says of its array on a device. Raises ValueError."""
    begin = "the array in the memory of a device "
    if not isinstance(shape, (tuple, list)) or not all(isinstance(n, (int, np.integer)) and n >= 0 for n in shape):
        raise ValueError(f"{begin}has the shape {shape!r}; its library must give a tuple of numbers")
    extents = [int(extent) for extent in shape]
    try:
        numbers = np.dtype(str(kind))
    except TypeError:
        raise ValueError(f"{begin}has the unknown type {kind!r}; convert it to float32 or int32") from None
    if numbers.kind not in "biuf" or not numbers.isnative:
        raise ValueError(f"{begin}has elements of type {kind!r}; convert it to float32 or int32")
    if strides is not None and (
        not isinstance(strides, (tuple, list))
        or len(strides) != len(extents)
        or not _is_contiguous(extents, strides, numbers.itemsize)
    ):
        raise ValueError(
            f"{begin}is not contiguous: shape {tuple(extents)}, strides {strides}; copy it there first, for example "
            "with cupy.ascontiguousarray() or .contiguous()"
        )
    if not isinstance(address, (int, np.integer)) or address < (0 if 0 in extents else 1):
        raise ValueError(f"{begin}has no address; it may have been freed, so make it again")
    if stream is not None and (not isinstance(stream, (int, np.integer)) or stream < 1):
        raise ValueError(f"{begin}names the stream {stream!r}; its library must give None, 1, 2 or an address")
    return DevicePoints(int(address), extents, numbers, int(stream or 0), owner)


def on_device(points: Any) -> DevicePoints | None:
    """Return points that lie in the memory of a CUDA device; None for others.

    They have __cuda_array_interface__ or DLPack, which is used without a copy. Raises ValueError for arrays that are
    not contiguous or that their library describes wrongly, and TypeError for devices of other kinds and where this
    build of kdscope has no CUDA.
    """
    interface = getattr(points, "__cuda_array_interface__", None)
    found = None
    if interface is not None:
        keys = interface if isinstance(interface, dict) else ()
        missing = [key for key in ("shape", "typestr", "data") if key not in keys]
        if missing:
            raise ValueError(f"__cuda_array_interface__ of the points has no {missing[0]!r}; its library must give it")
        if interface.get("mask") is not None:
            raise ValueError("the points in the memory of a device are masked; give an array without a mask")
        data = interface["data"]
        found = _checked(
            data[0] if isinstance(data, (tuple, list)) and data else data,
            interface["shape"],
            interface["typestr"],
            interface.get("strides"),
            interface.get("stream"),
            points,
        )
    elif hasattr(points, "__dlpack_device__"):
        kind = points.__dlpack_device__()[0]
        if kind == _dlpack_host:
            return None
        if kind not in _dlpack_cuda:
            raise TypeError(
                f"the points lie in the memory of a device that is no CUDA device (number {int(kind)} in DLPack); copy "
                "them to the host first"
            )
        if _core.has_cuda:
            # 1 is CUDA's default stream, behind whose work they are read
            lent = _core.LentArray(points.__dlpack__(stream=1))
            found = _checked(lent.address, lent.shape, lent.type, lent.strides, 1, lent)
    else:
        return None
    if not _core.has_cuda:
        raise TypeError(
            "the points lie in the memory of a device, and this build of kdscope has no CUDA; copy them to the host "
            "first, for example with .get() or .cpu()"
        )
    return found


def from_device(points: Any) -> Any:
    """Return points that lie in the memory of a device as an array of the host; others as they are.

    DLPack on the host is read without a copy, and arrays of a CUDA device are copied behind the work of their stream.
    Errors are those of on_device().
    """
    there = on_device(points)
    if there is not None:
        return _core.from_cuda(there.shape, there.type.str, there.address, there.stream)
    if hasattr(points, "__dlpack_device__") and not hasattr(points, "__array__"):
        return np.from_dlpack(points)
    return points


def as_numbers(points: Any) -> np.ndarray[Any, Any]:
    """Return a contiguous array of float32, float64 or int32 numbers, without a copy if points is one.

    Smaller types become the next larger one of these, and larger integers become float64, as scipy has it. Raises
    TypeError for complex numbers, ValueError for what is no number, and the errors of on_device().
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

"""Trees, points and answers that stay in the memory of a CUDA device."""

from __future__ import annotations

from typing import Any

import numpy as np

from kdscope import _core
from kdscope._arrays import as_numbers, on_device, texts_of

_searched = (np.dtype(np.float32), np.dtype(np.int32))


class CudaArray:
    """An array in the memory of a CUDA device, for CuPy, PyTorch, Numba and others.

    cupy.asarray(a), torch.as_tensor(a, device="cuda") and torch.from_dlpack(a) read it without a copy. Its elements are
    complete, so nobody has to wait for a stream.

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy.dtype
    device : int
        The number of the device.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    device: int

    def __init__(self, memory: _core.CudaMemory, shape: tuple[int, ...], dtype: Any) -> None:
        self._memory = memory
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self.device = memory.device

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._memory.address, False),
            "strides": None,
            "stream": None,
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.device

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None
    ) -> Any:
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the array is lent where it is, without a copy; copy it with the library that reads it")
        return _core.lend_array(self._memory, self._memory.address, list(self.shape), self.dtype.str, 2, self.device)

    def __array__(self, *arguments: Any, **options: Any) -> Any:
        raise TypeError("the array lies in the memory of a CUDA device; get() copies it to the host")

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("the array has no dimension, and so no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<kdscope.CudaArray of shape {self.shape}, {self.dtype}, on device {self.device}>"

    def get(self) -> np.ndarray[Any, Any]:
        """Return a copy on the host."""
        if 0 in self.shape:
            return np.empty(self.shape, self.dtype)
        return _core.from_cuda(list(self.shape), self.dtype.str, self._memory.address, 0)


def _named(points: Any, is_query: bool) -> tuple[Any, tuple[int, ...], np.dtype[Any], Any]:
    """Return points as the compiled part names them, their shape, their type, and what keeps their memory."""
    there = on_device(points)
    if there is None:
        array = as_numbers(points)
        address, stream, owner = array.ctypes.data, 0, array
        shape, kind = array.shape, array.dtype
    else:
        address, stream, owner = there.address, there.stream, there.owner
        shape, kind = tuple(there.shape), there.type
    what = "the queries" if is_query else "the points"
    if kind not in _searched:
        raise TypeError(f"{what} are of type {kind}; a tree on a device has float32 or int32, so convert them")
    if not shape or (len(shape) != 2 and not is_query):
        raise ValueError(f"{what} have the shape {shape}; give one row of coordinates per point")
    rows = int(np.prod(shape[:-1]))
    return (address, rows, shape[-1], kind.kind == "f", there is not None, stream), shape, kind, owner


class CudaTree:
    """A kd-tree in the memory of a CUDA device, to look up the points near any point.

    Points, queries and answers are arrays of the device, without a copy through the host: objects with
    __cuda_array_interface__ or DLPack, such as those of CuPy, PyTorch and Numba. For builders other than "rank", the
    host reads a copy of the points beside that. Points and queries may also be arrays of numpy. For any other norm,
    float64 and searches within a radius, use KDTree.

    Parameters
    ----------
    points : array of float32 or int32, shape (n, m)
        Contiguous. They are read behind the work of the stream that their library names, and copied within the device,
        so later changes of the array change no answer.
    builder : str, optional
        Id of the construction algorithm, see kdscope.builders(). Default: as for KDTree.
    parameters : dict, optional
        Parameters of the builder that differ from its defaults.

    Attributes
    ----------
    n, m : int
        The number of points, and of dimensions.
    dtype : numpy.dtype
        Of the coordinates.
    builder : str
        The builder that made the tree.
    build_ms : float
        The time of the build, points already in place.
    device : int
        The number of the device.

    Raises
    ------
    ValueError
        Another shape, an array that is not contiguous, a coordinate that is not finite, points that the builder does
        not take, an unknown builder or parameter.
    TypeError
        Another type; a build of kdscope without CUDA.
    MemoryError, RuntimeError
        No memory; no CUDA device.

    Examples
    --------
    >>> import cupy, kdscope
    >>> points = cupy.random.random((1000000, 3), cupy.float32)
    >>> distances, indices = kdscope.CudaTree(points).query(points, k=8)
    >>> mean_distances = cupy.asarray(distances).mean(axis=1)
    """

    n: int
    m: int
    dtype: np.dtype[Any]
    builder: str
    build_ms: float
    device: int

    def __init__(self, points: Any, *, builder: str | None = None, parameters: dict[str, Any] | None = None) -> None:
        named, shape, self.dtype, owner = _named(points, False)
        if not _core.has_cuda:
            raise TypeError("this build of kdscope has no CUDA; use KDTree, or install a build with CUDA")
        if 0 in shape:
            raise ValueError(f"the points have the shape {shape}; give at least one point of one dimension")
        self.n, self.m = shape
        self._tree = _core.CudaTree(named, builder or "", texts_of(parameters))
        self.builder = self._tree.builder
        self.build_ms = self._tree.build_ms
        self.device = self._tree.device

    def query(self, x: Any, k: int = 1, distance_upper_bound: float = np.inf) -> tuple[CudaArray, CudaArray]:
        """Find the nearest points.

        Parameters
        ----------
        x : array of the type of the points, last dimension self.m
            The queries, on a device or on the host.
        k : int, optional
            The number of nearest points to return, at most 128 (64 in trees of "hu").
        distance_upper_bound : float, optional
            Return only points nearer than this.

        Returns
        -------
        d : CudaArray of float32
            The Euclidean distances, nearest first. If x has the shape tuple + (self.m,), d has the shape tuple + (k,);
            for k == 1, the last dimension is left out. Missing points have infinite distances.
        i : CudaArray of int64
            The index of each point, in the same shape; equally distant ones ascend. Missing points have self.n.

        Raises
        ------
        ValueError
            x of other dimensions, not contiguous or not finite; k out of range; a bound that is NaN.
        TypeError
            x of another type than the points.
        MemoryError, RuntimeError
            No memory on the device; the device fails.
        """
        if not isinstance(k, (int, np.integer)):
            raise ValueError("k must be an integer; for a list of ranks, take columns of the answer")
        if not 1 <= k < 2**31:
            raise ValueError(f"k is {k}; give 1 or more")
        bound = float(distance_upper_bound)
        if np.isnan(bound):
            raise ValueError("distance_upper_bound is NaN; give a number")
        named, shape, kind, owner = _named(x, True)
        if shape[-1] != self.m:
            raise ValueError(f"x must consist of vectors of length {self.m} but has shape {shape}")
        if kind != self.dtype:
            raise TypeError(f"the queries are of type {kind} and the points of {self.dtype}; convert the queries")
        distances, indices = self._tree.nearest(named, int(k), bound)
        rows = shape[:-1] if k == 1 else (*shape[:-1], int(k))
        return CudaArray(distances, rows, np.float32), CudaArray(indices, rows, np.int64)

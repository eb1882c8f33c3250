"""Searches of points, with the interface of scipy.spatial.KDTree."""

from __future__ import annotations

import operator
import os
from typing import Any

import numpy as np

from kdscope import _core
from kdscope._arrays import as_numbers, texts_of


def _threads(workers: int | None) -> int:
    if workers is None or workers == 1:
        return 1
    threads = operator.index(workers)
    if threads == -1:
        of_machine = os.cpu_count()
        if of_machine is None:
            raise NotImplementedError("Cannot determine the number of CPUs; give a number of workers")
        return of_machine
    if threads < 1:
        raise ValueError(f"Invalid number of workers {workers}; give -1 for all threads of the machine, or 1 or more")
    return threads


def _check_eps(eps: float) -> None:
    if not eps >= 0:
        raise ValueError(f"eps is {eps}; give a number that is not negative")


class KDTree:
    """A kd-tree to look up the points near any point.

    Signatures, shapes, types and results are those of scipy.spatial.KDTree. They differ in this:

    - Points with equal distances come by their index.
    - eps is accepted, and results are exact: they are the best that an approximation may return.
    - The points keep their type if it is float32, float64 or int32. Distances are computed in float64 from the
      coordinates as they are given, in the order of the dimensions.
    - Points must be finite. boxsize is refused.

    Parameters
    ----------
    data : array_like, shape (n, m)
        The points. float32, float64 and int32 are used without a copy if they are contiguous, and copied once
        into the order of the tree, so later changes of the array change no answer; float16 becomes float32,
        smaller integers int32, and larger ones float64. Arrays of a CUDA device are copied to the host.
        Builders take float32 and int32: from float64 points they get an image, scaled and rounded, from which
        only the order of the tree follows, and no answer.
    leafsize, compact_nodes, balanced_tree, copy_data : optional
        As in scipy; they change no answer, and have no effect.
    boxsize : None or 0
        Other values raise ValueError: space does not repeat itself here.
    builder : str, optional
        Id of the construction algorithm, see kdscope.builders(). Default: "rank" if it takes the points (1 to 8
        dimensions), otherwise the usual one for their dimensions.
    parameters : dict, optional
        Parameters of the builder that differ from its defaults.
    backend : {"cpu", "cuda", "auto"}, optional
        Where to build; searches run on the host.

    Attributes
    ----------
    data : ndarray, shape (n, m)
        The points as they were given.
    n, m : int
        The number of points, and of dimensions.
    maxes, mins : ndarray of float64, shape (m,)
        The largest and the smallest coordinate in each dimension.
    size : int
        The number of boxes in the tree.
    leafsize : int
        As it was given.
    builder : str
        The builder that made the tree; empty without points.

    Raises
    ------
    ValueError
        Another shape, a coordinate that is not finite, points that the builder does not take, an unknown builder or
        parameter.
    TypeError
        Complex numbers; points in the memory of a device that this build of kdscope does not reach.
    MemoryError, RuntimeError
        No memory; no CUDA device.

    Examples
    --------
    >>> import numpy as np, kdscope
    >>> x, y = np.mgrid[0:5, 2:8]
    >>> tree = kdscope.KDTree(np.c_[x.ravel(), y.ravel()])
    >>> distances, indices = tree.query([[0, 0], [2.2, 2.9]], k=1)
    >>> indices
    array([ 0, 13])
    """

    data: np.ndarray[Any, Any]
    n: int
    m: int
    maxes: np.ndarray[Any, np.dtype[np.float64]]
    mins: np.ndarray[Any, np.dtype[np.float64]]
    size: int
    leafsize: int
    builder: str

    def __init__(
        self,
        data: Any,
        leafsize: int = 10,
        compact_nodes: bool = True,
        copy_data: bool = False,
        balanced_tree: bool = True,
        boxsize: Any = None,
        *,
        builder: str | None = None,
        parameters: dict[str, Any] | None = None,
        backend: str = "cpu",
    ) -> None:
        if boxsize is not None and np.any(boxsize):
            raise ValueError("boxsize is not supported; copy the points near the borders to the other side instead")
        if leafsize < 1:
            raise ValueError("leafsize must be at least 1")
        points = as_numbers(data)
        if points.ndim != 2:
            raise ValueError(f"data must be 2 dimensions, and has shape {points.shape}; give one row per point")
        if points.shape[1] == 0:
            raise ValueError("the points have no dimension; give one column per dimension")
        self._search = _core.Search(points, builder or "", texts_of(parameters), backend)
        self.data = points.copy() if copy_data else points
        self.n, self.m = points.shape
        self.maxes, self.mins = self._search.maxes, self._search.mins
        self.size = max(1, self._search.boxes)
        self.leafsize = int(leafsize)
        self.builder = self._search.builder

    def __repr__(self) -> str:
        return f"<kdscope.KDTree of {self.n} points in {self.m} dimensions, {self.data.dtype}, built by {self.builder}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (self.data, self.leafsize, self.builder))

    def _queries(self, x: Any) -> np.ndarray[Any, Any]:
        queries = as_numbers(x)
        if queries.ndim == 0 or queries.shape[-1] != self.m:
            raise ValueError(f"x must consist of vectors of length {self.m} but has shape {queries.shape}")
        return queries

    def query(
        self,
        x: Any,
        k: Any = 1,
        eps: float = 0,
        p: float = 2,
        distance_upper_bound: float = np.inf,
        workers: int | None = 1,
    ) -> tuple[Any, Any]:
        """Find the nearest points.

        Parameters
        ----------
        x : array_like, last dimension self.m
            The queries.
        k : int or sequence of int, optional
            The number of nearest points to return, or a list of the k-th nearest to return, starting from 1.
        eps : nonnegative float, optional
            Accepted; the result is exact.
        p : float, 1 <= p <= infinity, optional
            Which Minkowski norm to use.
        distance_upper_bound : float, optional
            Return only points nearer than this.
        workers : int, optional
            The number of threads; -1 for all of the machine.

        Returns
        -------
        d : float or array of float64
            The distances, nearest first. If x has shape tuple + (self.m,), d has shape tuple + (k,); for k == 1, the
            last dimension is left out. Missing points have infinite distances.
        i : integer or array of integers
            The index of each point in self.data, in the same shape. Missing points are indicated with self.n.

        Raises
        ------
        ValueError
            x of other dimensions or not finite; k, eps, p or workers out of range.
        """
        sought: int
        columns = None
        squeeze = False
        if k is None:
            raise ValueError("k must be an integer or a sequence of integers")
        if isinstance(k, (int, np.integer)):
            sought = int(k)
            squeeze = sought == 1
        else:
            columns = np.asarray(k)
            if columns.dtype.kind not in "iu" or columns.ndim != 1 or columns.size == 0:
                raise ValueError("k must be an integer or a sequence of integers")
            sought = int(columns.max())
            if columns.min() < 1:
                raise ValueError(f"k is {list(columns)}; the nearest is number 1")
        if sought < 1:
            raise ValueError(f"k is {sought}; give 1 or more")
        queries = self._queries(x)
        _check_eps(eps)
        distances, indices = self._search.nearest(queries, sought, squeeze, p, distance_upper_bound, _threads(workers))
        if columns is not None:
            return distances[..., columns - 1], indices[..., columns - 1]
        if squeeze and queries.ndim == 1:
            return distances[()], indices[()]
        return distances, indices

    def _radii(self, queries: np.ndarray[Any, Any], r: Any) -> np.ndarray[Any, Any]:
        radii = np.asarray(r, np.float64)
        shape = queries.shape[:-1]
        if radii.ndim == 0:
            return radii.reshape(1)
        return np.ascontiguousarray(np.broadcast_to(radii, shape)).reshape(-1)

    def query_ball_point(
        self,
        x: Any,
        r: Any,
        p: float = 2.0,
        eps: float = 0,
        workers: int | None = 1,
        return_sorted: bool | None = None,
        return_length: bool = False,
    ) -> Any:
        """Find all points within distance r of x.

        Parameters
        ----------
        x : array_like, shape tuple + (self.m,)
            The queries.
        r : array_like of float
            The radius, of the shape of x without its last dimension, or to be broadcast to it.
        p : float, 1 <= p <= infinity, optional
            Which Minkowski norm to use.
        eps : nonnegative float, optional
            Accepted; the result is exact.
        workers : int, optional
            The number of threads; -1 for all of the machine.
        return_sorted : bool, optional
            Whether indices ascend. If None, they do if there are several queries.
        return_length : bool, optional
            Return the number of points in place of their indices.

        Returns
        -------
        results : list, array of lists, or (array of) integers
            For one query, a list of indices; for several, an object array of the shape of x without its last dimension.

        Raises
        ------
        ValueError
            x of other dimensions or not finite; r of another shape or NaN; p, eps or workers out of range.
        """
        queries = self._queries(x)
        radii = self._radii(queries, r)
        _check_eps(eps)
        threads, is_single = _threads(workers), queries.ndim == 1
        if return_length:
            counts = self._search.count_within(queries, radii, p, threads)
            return counts[()] if is_single else counts
        is_sorted = not is_single if return_sorted is None else bool(return_sorted)
        lists = self._search.within(queries, radii, p, threads, is_sorted)
        if is_single:
            return lists[0]
        results = np.empty(len(lists), object)
        results[:] = lists
        return results.reshape(queries.shape[:-1])

    def query_ball_tree(self, other: KDTree, r: float, p: float = 2.0, eps: float = 0) -> list[list[int]]:
        """Find, for each point of this tree, all points of another one within distance r.

        Returns a list of lists: element i has the indices in other.data of the points near self.data[i]. Parameters and
        errors are those of query_ball_point().
        """
        _check_eps(eps)
        return other._search.within(self._points_for(other), np.array([r], np.float64), p, 1, True)

    def query_pairs(self, r: float, p: float = 2.0, eps: float = 0, output_type: str = "set") -> Any:
        """Find all pairs of points in this tree whose distance is at most r.

        Returns a set of pairs (i, j) with i < j; with output_type="ndarray", an array of integers of shape (pairs, 2).
        Other parameters and errors are those of query_ball_point().
        """
        if output_type not in ("set", "ndarray"):
            raise ValueError("Invalid output type; give 'set' or 'ndarray'")
        _check_eps(eps)
        offsets, others = self._search.within_arrays(self.data, np.array([r], np.float64), p, 1)
        points = np.repeat(np.arange(self.n), np.diff(offsets))
        is_pair = points < others
        pairs = np.stack([points[is_pair], others[is_pair]], axis=1)
        return set(map(tuple, pairs.tolist())) if output_type == "set" else pairs

    def sparse_distance_matrix(
        self, other: KDTree, max_distance: float, p: float = 2.0, output_type: str = "dok_matrix"
    ) -> Any:
        """Compute the distances of all points here to all points there, where they are at most max_distance.

        Returns a matrix of shape (self.n, other.n) in the form of output_type: "dok_array", "coo_array", "dok_matrix"
        or "coo_matrix", which need scipy; "dict" with keys (i, j); or "ndarray", a record array with the fields i, j
        and v. Other parameters and errors are those of query_ball_tree().
        """
        if output_type not in ("dok_array", "coo_array", "dok_matrix", "coo_matrix", "dict", "ndarray"):
            raise ValueError("Invalid output type; give 'dok_array', 'coo_array', 'dict' or 'ndarray'")
        offsets, there = other._search.within_arrays(
            self._points_for(other), np.array([max_distance], np.float64), p, 1
        )
        here = np.repeat(np.arange(self.n), np.diff(offsets))
        sizes = np.abs(self.data[here].astype(np.float64) - other.data[there])
        if p == np.inf:
            distances = sizes.max(axis=1, initial=0)
        else:
            distances = (sizes**p).sum(axis=1) ** (1 / p)
        if output_type == "dict":
            return dict(zip(zip(here.tolist(), there.tolist()), distances.tolist()))
        if output_type == "ndarray":
            records = np.empty(
                len(here), np.dtype([("i", np.intp), ("j", np.intp), ("v", np.float64)], align=True)
            )
            records["i"], records["j"], records["v"] = here, there, distances
            return records
        from scipy import sparse  # type: ignore[import]

        coo = getattr(sparse, output_type.replace("dok", "coo"))
        matrix = coo((distances, (here, there)), shape=(self.n, other.n))
        return matrix.todok() if output_type.startswith("dok") else matrix

    def count_neighbors(
        self, other: KDTree, r: Any, p: float = 2.0, weights: Any = None, cumulative: bool = True
    ) -> Any:
        """Count the pairs of a point here and a point there whose distance is at most r.

        Parameters
        ----------
        other : KDTree
            The other tree; it may be this one.
        r : float or one-dimensional array of floats
            The radii. If cumulative is False, they are the edges of bins, and must be non-decreasing.
        p : float, 1 <= p <= infinity, optional
            Which Minkowski norm to use.
        weights : tuple, array_like or None, optional
            A pair counts as the product of its points' weights. A tuple has those of this tree and of the other one,
            each may be None; an array has those of both, which then must be the same tree.
        cumulative : bool, optional
            Whether element i counts all pairs up to r[i], or only those above r[i - 1].

        Returns
        -------
        result : scalar or 1-D array
            Integers; with weights, float64.

        Raises
        ------
        ValueError
            Trees of other dimensions, radii that are NaN or of more dimensions or do not ascend, weights of another
            number.
        """
        radii = np.asarray(r, np.float64)
        if radii.ndim > 1:
            raise ValueError("r must be either a single value or a one-dimensional array of values")
        edges = radii.reshape(-1)
        own = others = None
        if isinstance(weights, tuple):
            own, others = (None if each is None else self._weights(each) for each in weights)
        elif weights is not None:
            if self is not other:
                raise ValueError("Two different trees are used. Specify weights for both in a tuple.")
            own = others = self._weights(weights)
        self._points_for(other)
        if np.isnan(edges).any():
            raise ValueError("a radius is NaN; give numbers")
        if not cumulative and (np.diff(edges) < 0).any():
            raise ValueError("r must be non-decreasing for non-cumulative counting.")
        order = np.argsort(edges, kind="stable")
        bins = self._search.count_pairs(other._search, edges[order], p, own, others, 1)
        if cumulative:
            sums = np.empty_like(bins)
            sums[order] = np.cumsum(bins)
            if edges.size > 1:  # equal radii count the same
                sums[order] = sums[order][np.searchsorted(edges[order], edges[order], side="right") - 1]
            bins = sums
        return bins[0] if radii.ndim == 0 else bins

    def _points_for(self, other: KDTree) -> np.ndarray[Any, Any]:
        if self.m != other.m:
            raise ValueError("Trees passed to this method have different dimensionality")
        return self.data

    @staticmethod
    def _weights(weights: Any) -> np.ndarray[Any, Any]:
        numbers = np.ascontiguousarray(weights, np.float64)
        if numbers.ndim != 1:
            raise ValueError("weights must be one-dimensional, one per point")
        return numbers


def _rebuilt(data: np.ndarray[Any, Any], leafsize: int, builder: str) -> KDTree:
    return KDTree(data, leafsize, builder=builder or None)

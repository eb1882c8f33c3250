"""Tests arrays in the memory of a CUDA device: what other libraries say of theirs, and trees that stay there.

OnDevice needs a device and its driver; it makes its arrays by the driver's own functions, so neither CuPy nor PyTorch.
"""

import ctypes
import gc
import sys
import unittest

import numpy as np

import kdscope
from kdscope import _core


class Described:
    """An array that is only described."""

    def __init__(self, **changes):
        whole = {"shape": (4, 3), "typestr": "<f4", "data": (4096, False), "version": 3, **changes}
        self.__cuda_array_interface__ = {key: value for key, value in whole.items() if value != "left out"}


class ByDlpack:
    """An array that has DLPack alone. kind: of the device, as DLPack numbers them."""

    def __init__(self, owner, address, shape, typestr, kind):
        self.given = owner, address, shape, typestr, kind, 0

    def __dlpack_device__(self):
        return self.given[4], 0

    def __dlpack__(self, stream=None):
        return _core.lend_array(*self.given)


class Interfaces(unittest.TestCase):
    def test_wrong_descriptions_are_refused_in_one_sentence(self):
        for changes, text in (
            ({"shape": "left out"}, "no 'shape'"),
            ({"typestr": "left out"}, "no 'typestr'"),
            ({"data": "left out"}, "no 'data'"),
            ({"shape": 12}, "shape 12; its library must give a tuple"),
            ({"shape": (4, -3)}, r"shape \(4, -3\)"),
            ({"shape": (4.0, 3)}, "must give a tuple of numbers"),
            ({"typestr": "float"}, None),  # numpy knows it
            ({"typestr": "<q9"}, "unknown type '<q9'"),
            ({"typestr": ">f4"}, "of type '>f4'; convert it"),
            ({"typestr": "<c8"}, "of type '<c8'; convert it"),
            ({"typestr": "|O"}, "convert it"),
            ({"strides": (24, 4)}, r"not contiguous: shape \(4, 3\), strides \(24, 4\)"),
            ({"strides": (4, 16)}, "not contiguous"),
            ({"strides": (4,)}, "not contiguous"),
            ({"strides": 12}, "not contiguous"),
            ({"typestr": None}, "unknown type None"),
            ({"data": (-4096, False)}, "has no address"),
            ({"data": (0, False)}, "has no address"),
            ({"data": (None, False)}, "has no address"),
            ({"data": None}, "has no address"),
            ({"data": ()}, "has no address"),
            ({"stream": 0}, "stream 0; its library must give None, 1, 2 or an address"),
            ({"stream": -1}, "stream -1"),
            ({"stream": "fast"}, "stream 'fast'"),
            ({"mask": Described()}, "masked"),
        ):
            for kind in (kdscope.KDTree, kdscope.CudaTree, kdscope.record):
                with self.subTest(changes=changes, kind=kind.__name__):
                    if text is None:
                        with self.assertRaises((TypeError, ValueError, RuntimeError)):
                            kind(Described(**changes))
                        continue
                    with self.assertRaisesRegex(ValueError, text) as refused:
                        kind(Described(**changes))
                    self.assertNotIn("\n", str(refused.exception))

        nothing = Described()
        nothing.__cuda_array_interface__ = 7
        with self.assertRaisesRegex(ValueError, "no 'shape'"):
            kdscope.KDTree(nothing)

    def test_well_described_arrays_get_as_far_as_the_device(self):
        for changes in (
            {},
            {"strides": None},
            {"strides": (12, 4)},
            {"shape": (1, 3), "strides": (999, 4)},  # no row follows the only one
            {"typestr": "<i4", "stream": 1},
            {"stream": None, "mask": None, "version": 2},
        ):
            for kind in (kdscope.KDTree, kdscope.CudaTree):
                with self.subTest(changes=changes, kind=kind.__name__):
                    if _core.has_cuda:  # the address is nobody's
                        refused = (RuntimeError, ValueError), "no CUDA device can be used|not in the memory of a CUDA"
                    else:
                        refused = TypeError, "memory of a device, and this build of kdscope has no CUDA; copy them"
                    with self.assertRaisesRegex(*refused):
                        kind(Described(**changes))

    def test_other_devices_are_refused(self):
        points = np.zeros((4, 3), np.float32)
        other = ByDlpack(points, points.ctypes.data, [4, 3], "<f4", 10)  # ROCm
        for kind in (kdscope.KDTree, kdscope.CudaTree):
            with self.assertRaisesRegex(TypeError, "no CUDA device .number 10 in DLPack.; copy them to the host"):
                kind(other)

    def test_arrays_go_through_dlpack_without_a_copy(self):
        points = np.arange(24, dtype=np.float32).reshape(4, 6)
        for array in (points, points[1:], points[:, ::2], points.T, points.astype(np.int64), points[:0]):
            with self.subTest(shape=array.shape, strides=array.strides):
                lent = _core.LentArray(array.__dlpack__())
                self.assertEqual(tuple(lent.shape), array.shape)
                self.assertEqual(lent.type, array.dtype.str)
                if array.size:
                    self.assertEqual(lent.address, array.ctypes.data)
                    self.assertEqual(tuple(lent.strides), array.strides)
        for array in (points, points.astype(np.int32), points.astype(np.int64)):
            before = sys.getrefcount(array)
            seen = np.from_dlpack(ByDlpack(array, array.ctypes.data, list(array.shape), array.dtype.str, 1))
            self.assertTrue(np.shares_memory(seen, array))
            np.testing.assert_array_equal(seen, array)
            self.assertEqual(seen.dtype, array.dtype)
            self.assertEqual(sys.getrefcount(array), before + 1)
            del seen
            gc.collect()
            self.assertEqual(sys.getrefcount(array), before)
        tree = kdscope.KDTree(ByDlpack(points, points.ctypes.data, [4, 6], "<f4", 1))
        self.assertTrue(np.shares_memory(tree.data, points))

    def test_a_capsule_is_used_once_and_kept_as_long(self):
        points = np.zeros((4, 3), np.float32)
        before = sys.getrefcount(points)
        capsule = _core.lend_array(points, points.ctypes.data, [4, 3], "<f4", 1, 0)
        self.assertEqual(sys.getrefcount(points), before + 1)
        lent = _core.LentArray(capsule)
        with self.assertRaisesRegex(ValueError, "no unused capsule"):
            _core.LentArray(capsule)
        del capsule
        self.assertEqual(sys.getrefcount(points), before + 1)
        del lent
        self.assertEqual(sys.getrefcount(points), before)
        unused = _core.lend_array(points, points.ctypes.data, [4, 3], "<f4", 1, 0)
        del unused
        self.assertEqual(sys.getrefcount(points), before)
        with self.assertRaisesRegex(ValueError, "no integers and no floats"):
            _core.LentArray(np.zeros(3, complex).__dlpack__())

    def test_other_mistakes_in_points(self):
        for points, error, text in (
            (np.zeros((4, 3)), TypeError, "type float64.*float32 or int32"),
            ([[1.5, 2.5]], TypeError, "type float64"),
            (np.zeros(3, np.float32), ValueError, r"shape \(3,\); give one row"),
            (np.zeros((2, 4, 3), np.int32), ValueError, r"shape \(2, 4, 3\)"),
        ):
            with self.assertRaisesRegex(error, text):
                kdscope.CudaTree(points)
        if not _core.has_cuda:
            with self.assertRaisesRegex(TypeError, "has no CUDA; use KDTree"):
                kdscope.CudaTree(np.zeros((4, 3), np.float32))


class Driver:
    """A device's memory by the functions of its driver, in the context that CUDA's runtime uses."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        self("cuInit", 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self("cuCtxSetCurrent", context)

    def __call__(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise OSError(f"{name} fails with {status}")

    def free_bytes(self):
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value


try:
    driver = Driver()
    no_device = "" if _core.has_cuda else "this build of kdscope has no CUDA"
except OSError as lacking:
    no_device = f"there is no CUDA device: {lacking}"


class There:
    """A copy of an array of numpy on the device."""

    def __init__(self, array, stream=None):
        address = ctypes.c_uint64()
        driver("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(1, array.nbytes)))
        self.address = address.value
        whole = np.ascontiguousarray(array)
        driver("cuMemcpyHtoD_v2", address, ctypes.c_void_p(whole.ctypes.data), ctypes.c_size_t(whole.nbytes))
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (self.address, True),
            "stream": stream,
            "version": 3,
        }

    def __del__(self):
        driver("cuMemFree_v2", ctypes.c_uint64(self.address))


def by_dlpack(array):
    there = There(array)
    return ByDlpack(there, there.address, list(array.shape), array.dtype.str, 2)


@unittest.skipIf(no_device, no_device)
class OnDevice(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(46)

    def points(self, n, m, kind):
        """Multiples of a quarter: their squared distances are exact in float32, and many are equal."""
        numbers = self.random.integers(-500, 500, (n, m))
        return numbers.astype(np.int32) if kind == np.int32 else (numbers / 4).astype(np.float32)

    def expect(self, tree, queries, asked, k=1, bound=np.inf):
        """Answers on the device are those of the host."""
        d, i = tree.query(asked, k, bound)
        near, order = kdscope.KDTree(self.host).query(queries, k, distance_upper_bound=bound)
        self.assertEqual((d.shape, i.shape), (np.shape(near), np.shape(order)))
        self.assertEqual((d.dtype, i.dtype), (np.float32, np.int64))
        np.testing.assert_array_equal(i.get(), order)
        np.testing.assert_array_equal(d.get(), np.asarray(near, np.float32))

    def test_answers_are_those_of_the_host(self):
        for kind in (np.float32, np.int32):
            for m in (1, 2, 3, 5):
                self.host = self.points(5000, m, kind)
                queries = self.points(1500, m, kind)
                for given in (There(self.host), by_dlpack(self.host), self.host):
                    tree = kdscope.CudaTree(given)
                    self.assertEqual((tree.n, tree.m, tree.dtype), (5000, m, kind))
                    for asked in (There(queries), There(queries, 1), There(queries, 2), by_dlpack(queries), queries):
                        with self.subTest(kind=kind, m=m, given=type(given), asked=type(asked)):
                            self.expect(tree, queries, asked, 4)
                with self.subTest(kind=kind, m=m):
                    self.expect(tree, queries, There(queries))
                    self.expect(tree, queries, There(queries), 4, 30)
                    self.expect(tree, queries, There(queries), 4, 0)
                    self.expect(tree, queries[0], There(queries[0]), 3)
                    self.expect(tree, queries[0], There(queries[0]))
                    grid = queries[:1200].reshape(4, 300, m)
                    self.expect(tree, grid, There(grid), 3)
                    self.expect(tree, queries[:0], There(queries[:0]), 3)

    def test_missing_points(self):
        self.host = self.points(5, 3, np.float32)
        tree = kdscope.CudaTree(There(self.host))
        d, i = tree.query(There(self.host), 7)
        self.assertTrue((i.get()[:, 5:] == 5).all() and np.isinf(d.get()[:, 5:]).all())
        self.assertEqual(sorted(i.get()[0, :5]), list(range(5)))

    def test_builders_give_the_same(self):
        self.host = self.points(3000, 3, np.float32)
        for builder in ("rank", "wald", "hu", "wehr", "brown", "textbook"):
            tree = kdscope.CudaTree(There(self.host), builder=builder)
            self.assertEqual(tree.builder, builder)
            self.assertGreater(tree.build_ms, 0)
            d, i = tree.query(There(self.host), 3)
            near, order = kdscope.KDTree(self.host).query(self.host, 3)
            np.testing.assert_array_equal(i.get(), order)

    def test_answers_are_lent_to_others(self):
        self.host = self.points(100, 2, np.float32)
        d, i = kdscope.CudaTree(There(self.host)).query(There(self.host), 2)
        for answer in (d, i):
            interface = answer.__cuda_array_interface__
            self.assertEqual(interface["shape"], (100, 2))
            self.assertEqual(answer.__dlpack_device__(), (2, 0))
            lent = _core.LentArray(answer.__dlpack__(stream=1))
            self.assertEqual((lent.address, tuple(lent.shape)), (interface["data"][0], (100, 2)))
            self.assertEqual(lent.type, interface["typestr"])
            np.testing.assert_array_equal(kdscope.KDTree(answer).data, answer.get())
            with self.assertRaisesRegex(TypeError, "get.. copies it"):
                np.asarray(answer)
            with self.assertRaisesRegex(BufferError, "without a copy"):
                answer.__dlpack__(copy=True)
        # The distances, as points of two dimensions
        self.assertEqual(kdscope.CudaTree(d).query(d)[1].shape, (100,))
        lent = _core.LentArray(d.__dlpack__())
        expected = d.get()
        del d, answer
        gc.collect()
        np.testing.assert_array_equal(_core.from_cuda(lent.shape, lent.type, lent.address, 0), expected)

    def test_later_changes_change_no_answer(self):
        self.host = self.points(500, 3, np.float32)
        there = There(self.host)
        tree = kdscope.CudaTree(there)
        driver("cuMemsetD8_v2", ctypes.c_uint64(there.address), 0, ctypes.c_size_t(self.host.nbytes))
        self.expect(tree, self.host, There(self.host), 2)

    def test_memory_is_given_back(self):
        self.host = self.points(200_000, 3, np.float32)
        there = There(self.host)
        tree = kdscope.CudaTree(there)
        tree.query(there, 8)
        before = driver.free_bytes()
        for _ in range(30):
            tree.query(there, 8)
        gc.collect()
        self.assertLess(abs(before - driver.free_bytes()), 64 << 20)  # one answer has 19 MB

    def test_mistakes(self):
        self.host = self.points(100, 3, np.float32)
        tree = kdscope.CudaTree(There(self.host))
        infinite = self.host.copy()
        infinite[7, 1] = np.nan
        for error, text, call in (
            (ValueError, "coordinate 1 of point 7 is not finite", lambda: kdscope.CudaTree(There(infinite))),
            (ValueError, "coordinate 1 of point 7 is not finite", lambda: tree.query(There(infinite))),
            (ValueError, "vectors of length 3", lambda: tree.query(There(self.host[:, :2]))),
            (TypeError, "queries are of type int32 and the points", lambda: tree.query(self.host.astype(np.int32))),
            (TypeError, "type float64", lambda: tree.query(There(self.host.astype(float)))),
            (ValueError, "k is 0", lambda: tree.query(self.host, 0)),
            (ValueError, "k is 5000", lambda: kdscope.CudaTree(self.points(6000, 3, np.int32)).query(
                self.host.astype(np.int32), 5000)),
            (ValueError, "k must be an integer", lambda: tree.query(self.host, [1, 2])),
            (ValueError, "NaN", lambda: tree.query(self.host, 1, np.nan)),
            (ValueError, "no_such", lambda: kdscope.CudaTree(self.host, builder="no_such")),
            (ValueError, "answers on the host", lambda: kdscope.CudaTree(self.host, builder="zhou-vvh").query(
                self.host)),
            (ValueError, "at least one point", lambda: kdscope.CudaTree(There(self.host[:0]))),
            (ValueError, "not in the memory of a CUDA device", lambda: kdscope.CudaTree(
                Described(data=(self.host.ctypes.data, True)))),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                call()
        self.expect(tree, self.host, There(self.host), 2)


if __name__ == "__main__":
    if "OnDevice" in sys.argv and no_device:
        print(f"skipped: {no_device}")
        sys.exit(77)
    unittest.main()

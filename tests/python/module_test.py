"""Tests the module kdscope against brute force in numpy. Needs numpy alone."""

import gc
import importlib.util
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import numpy as np

import kdscope


def sums(points, queries, p):
    """What is compared, [queries, points]: squares for p = 2, added dimension by dimension as the module does."""
    total = np.zeros((len(queries), len(points)))
    with np.errstate(over="ignore", under="ignore"):
        for d in range(points.shape[1]):
            difference = np.abs(queries[:, d, None].astype(float) - points[None, :, d].astype(float))
            if p == np.inf:
                total = np.maximum(total, difference)
            else:
                total = total + (difference * difference if p == 2 else difference**p)
    return total


def brute(points, queries, p):
    """Distances [queries, points]."""
    total = sums(points, queries, p)
    return total if p in (1, np.inf) else np.sqrt(total) if p == 2 else total ** (1 / p)


def nearest_by_brute(points, queries, k, p, bound):
    distances = brute(points, queries, p)
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]  # stable: ties by index
    near = np.take_along_axis(distances, order, axis=1)
    missing = ~(near < bound)
    near[missing], order[missing] = np.inf, len(points)
    lacking = k - near.shape[1]
    if lacking > 0:
        near = np.pad(near, ((0, 0), (0, lacking)), constant_values=np.inf)
        order = np.pad(order, ((0, 0), (0, lacking)), constant_values=len(points))
    return near, order


def sets():
    random = np.random.default_rng(46)
    for m in (1, 2, 3, 4, 7):
        yield random.random((500, m)).astype(np.float32)
        yield random.random((500, m)) * 1e5 + 4e6  # far from the origin, floats tell few of them apart
        yield random.integers(-20, 20, (500, m)).astype(np.int32)  # many ties
    yield np.full((100, 3), 7.0)
    yield random.integers(0, 3, (300, 2)) * 1e300
    yield random.random((300, 2)) * 1e-310
    yield random.random((40, 20))
    yield random.random((1, 3))


class KDTree(unittest.TestCase):
    def test_nearest_are_those_of_brute_force(self):
        random = np.random.default_rng(1)
        for points in sets():
            tree = kdscope.KDTree(points)
            queries = np.concatenate([points[:40].astype(float), points[-40:] + random.random(points.shape[1]) * 0.3])
            for p in (2, 1, np.inf, 3):
                for k, bound in ((1, np.inf), (8, np.inf), (50, np.inf), (8, 0.3), (len(points) + 3, np.inf)):
                    with self.subTest(shape=points.shape, type=points.dtype, p=p, k=k, bound=bound):
                        d, i = tree.query(queries, k, p=p, distance_upper_bound=bound)
                        near, order = nearest_by_brute(points, queries, k, p, bound)
                        d, i = d.reshape(near.shape), i.reshape(near.shape)
                        if p == 3:  # numpy's powers may differ in the last bit
                            np.testing.assert_allclose(d, near, rtol=1e-14)
                        else:
                            np.testing.assert_array_equal(d, near)
                            np.testing.assert_array_equal(i, order)

    def test_points_within_are_those_of_brute_force(self):
        random = np.random.default_rng(2)
        for points in sets():
            tree = kdscope.KDTree(points)
            queries = points[::7] + random.random(points.shape[1]) * 0.1
            for p in (2, 1, np.inf):
                total = sums(points, queries, p)
                with np.errstate(over="ignore", under="ignore"):
                    border = np.sort(brute(points, queries, p), axis=1)[:, min(5, len(points) - 1)]  # of a point
                    radii = (border, float(np.median(border)), 0, -1, np.inf)
                    reaches = [np.square(r) if p == 2 else np.asarray(r, float) for r in radii]
                for r, reach in zip(radii, reaches):
                    with self.subTest(shape=points.shape, type=points.dtype, p=p):
                        inside = total <= (np.reshape(reach, (-1, 1)) if np.min(r) >= 0 else -1)
                        found = tree.query_ball_point(queries, r, p=p)
                        for query, indices in enumerate(found):
                            self.assertEqual(indices, list(np.flatnonzero(inside[query])))
                        counts = tree.query_ball_point(queries, r, p=p, return_length=True)
                        np.testing.assert_array_equal(counts, inside.sum(axis=1))

    def test_pairs_are_those_of_brute_force(self):
        random = np.random.default_rng(3)
        a, b = random.random((700, 3)), random.integers(0, 2, (300, 3)).astype(np.int32)
        here, there = kdscope.KDTree(a), kdscope.KDTree(b)
        radii = np.array([0.5, 0.1, 0.1, 2, 0.9])
        weights, others = random.random(700), random.random(300)
        for p in (2, 1, np.inf):
            distances = brute(b, a, p)
            expected = [(distances <= r).sum() for r in radii]
            np.testing.assert_array_equal(here.count_neighbors(there, radii, p=p), expected)
            self.assertEqual(here.count_neighbors(there, 0.5, p=p), expected[0])
            heavy = [(np.outer(weights, others) * (distances <= r)).sum() for r in radii]
            np.testing.assert_allclose(here.count_neighbors(there, radii, p=p, weights=(weights, others)), heavy)
            bins = here.count_neighbors(there, np.sort(radii), p=p, cumulative=False)
            np.testing.assert_array_equal(np.cumsum(bins), np.sort(expected))
        with self.assertRaisesRegex(ValueError, "non-decreasing"):
            here.count_neighbors(there, radii, cumulative=False)
        with self.assertRaisesRegex(ValueError, "Two different trees"):
            here.count_neighbors(there, radii, weights=weights)
        pairs = {(i, j) for i in range(700) for j in np.flatnonzero(brute(a, a[i : i + 1], 2)[0] <= 0.05) if i < j}
        self.assertEqual(here.query_pairs(0.05), pairs)
        self.assertEqual(here.query_ball_tree(there, 0.4)[5], list(np.flatnonzero(brute(b, a[5:6], 2)[0] <= 0.4)))

    @unittest.skipUnless(importlib.util.find_spec("scipy"), "scipy is not installed")
    def test_distance_matrices_are_of_the_class_that_was_asked_for(self):
        from scipy import sparse

        points = np.random.default_rng(12).random((60, 2))
        here, there = kdscope.KDTree(points[:40]), kdscope.KDTree(points[40:])
        expected = brute(points[40:], points[:40], 2)
        expected[expected > 0.3] = 0
        for name in ("dok_array", "coo_array", "dok_matrix", "coo_matrix"):
            found = here.sparse_distance_matrix(there, 0.3, output_type=name)
            self.assertIs(type(found), getattr(sparse, name))
            np.testing.assert_allclose(found.toarray(), expected, rtol=1e-14)
        self.assertIs(type(here.sparse_distance_matrix(there, 0.3)), sparse.dok_matrix)
        with self.assertRaisesRegex(ValueError, "Invalid output type"):
            here.sparse_distance_matrix(there, 0.3, output_type="csr_array")

    def test_every_builder_gives_the_same_answers(self):
        points = np.random.default_rng(4).integers(0, 50, (3000, 3)).astype(np.int32)
        expected = kdscope.KDTree(points).query(points, 9)
        ids = [each.id for each in kdscope.builders()]
        self.assertIn("rank", ids)
        for builder in ids:
            tree = kdscope.KDTree(points.astype(np.float32) if builder == "zhou-vvh" else points, builder=builder)
            self.assertEqual(tree.builder, builder)
            for found, right in zip(tree.query(points, 9), expected):
                np.testing.assert_array_equal(found, right)

    def test_batches_and_threads_change_nothing(self):
        points = np.random.default_rng(5).random((20000, 3)).astype(np.float32)
        queries = np.random.default_rng(6).random((5000, 3))
        tree = kdscope.KDTree(points)
        d, i = tree.query(queries, 5)
        for workers in (2, 64, -1, None):
            for found, right in zip(tree.query(queries, 5, workers=workers), (d, i)):
                np.testing.assert_array_equal(found, right)
        for at in range(0, 5000, 500):
            np.testing.assert_array_equal(tree.query(queries[at], 5)[1], i[at])
        np.testing.assert_array_equal(tree.query(points)[1], np.arange(20000))
        one, two = (tree.query_ball_point(queries, 0.03, workers=workers) for workers in (1, 2))
        self.assertEqual(list(one), list(two))

    def test_shapes_and_types(self):
        points = np.random.default_rng(7).random((50, 3)).astype(np.float32)
        tree = kdscope.KDTree(points)
        self.assertIs(tree.data, points)
        self.assertEqual((tree.n, tree.m, tree.leafsize), (50, 3, 10))
        np.testing.assert_array_equal(tree.maxes, points.max(axis=0))
        np.testing.assert_array_equal(tree.mins, points.min(axis=0))
        self.assertEqual(tree.maxes.dtype, np.float64)
        self.assertGreaterEqual(tree.size, 1)
        d, i = tree.query([0.5, 0.5, 0.5])
        self.assertIsInstance(d, float)
        self.assertTrue(np.issubdtype(i, np.signedinteger))
        for shape in ((3,), (4, 3), (2, 4, 3), (0, 3), (2, 0, 3)):
            for k, columns in ((1, ()), (2, (2,)), ([1], (1,)), ([2, 4], (2,)), (60, (60,))):
                d, i = tree.query(np.zeros(shape), k)
                self.assertEqual(np.shape(d), shape[:-1] + columns)
                self.assertEqual(np.shape(i), shape[:-1] + columns)
        self.assertEqual((d.dtype, i.dtype), (np.dtype(np.float64), np.dtype(np.intp)))
        self.assertEqual(tree.query_ball_point(np.zeros((2, 4, 3)), 1).shape, (2, 4))
        self.assertIsInstance(tree.query_ball_point([0, 0, 0], 1), list)
        empty = kdscope.KDTree(np.empty((0, 2)))
        self.assertEqual(empty.query([0, 0])[1], 0)
        self.assertEqual(empty.query_ball_point([0, 0], 1), [])
        self.assertEqual(kdscope.KDTree([[1, 2], [3, 4]]).query([3, 5]), (1.0, 1))
        self.assertEqual(kdscope.KDTree(points[:, ::-1]).data.dtype, np.float32)
        again = pickle.loads(pickle.dumps(tree))
        np.testing.assert_array_equal(again.query(points, 3)[1], tree.query(points, 3)[1])

    def test_each_bad_input_gets_a_sentence(self):
        points = np.random.default_rng(8).random((50, 3))
        tree = kdscope.KDTree(points)
        broken = points.copy()
        broken[4, 1] = np.nan
        for error, text, call in (
            (ValueError, "coordinate 1 of point 4 must be finite", lambda: kdscope.KDTree(broken)),
            (ValueError, "2 dimensions", lambda: kdscope.KDTree([1, 2, 3])),
            (ValueError, "no dimension", lambda: kdscope.KDTree(np.empty((3, 0)))),
            (ValueError, "boxsize is not supported", lambda: kdscope.KDTree(points, boxsize=1)),
            (ValueError, "leafsize", lambda: kdscope.KDTree(points, leafsize=0)),
            (ValueError, "there is no algorithm 'ranc'", lambda: kdscope.KDTree(points, builder="ranc")),
            (ValueError, "colour", lambda: kdscope.KDTree(points, parameters={"colour": 1})),
            (ValueError, "dimensions", lambda: kdscope.KDTree(np.zeros((9, 9)), builder="rank")),
            (TypeError, "complex", lambda: kdscope.KDTree(points + 1j)),
            (TypeError, "complex", lambda: tree.query(points + 1j)),
            (ValueError, "vectors of length 3", lambda: tree.query([1, 2])),
            (ValueError, "finite", lambda: tree.query([1, 2, np.inf])),
            (ValueError, "k must be an integer", lambda: tree.query(points, k=None)),
            (ValueError, "k must be an integer", lambda: tree.query(points, k=[1.5])),
            (ValueError, "k is 0", lambda: tree.query(points, k=0)),
            (ValueError, "number 1", lambda: tree.query(points, k=[0, 1])),
            (ValueError, "eps", lambda: tree.query(points, eps=-1)),
            (ValueError, "p is 0.5", lambda: tree.query(points, p=0.5)),
            (ValueError, "p is nan", lambda: tree.query(points, p=np.nan)),
            (ValueError, "workers", lambda: tree.query(points, workers=0)),
            (ValueError, "NaN", lambda: tree.query_ball_point(points, np.nan)),
            (ValueError, "broadcast", lambda: tree.query_ball_point(points, [1, 2])),
            (ValueError, "dimensionality", lambda: tree.count_neighbors(kdscope.KDTree([[1, 2]]), 1)),
            (ValueError, "number of weights", lambda: tree.count_neighbors(tree, 1, weights=[1, 2])),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                call()

    def test_points_that_are_lent_are_not_copied(self):
        class Lent:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        points = np.random.default_rng(9).random((40, 3)).astype(np.float32)
        tree = kdscope.KDTree(Lent(points))
        self.assertTrue(np.shares_memory(tree.data, points))
        np.testing.assert_array_equal(tree.query(points)[1], np.arange(40))

    def test_ctrl_c_stops_a_build_and_a_search(self):
        program = textwrap.dedent(
            """
            import sys, numpy, kdscope
            points = numpy.random.default_rng(1).random((3_000_000, 3)).astype(numpy.float32)
            tree = kdscope.KDTree(points[:100_000])
            print("begin", flush=True)
            try:
                while True:
                    {call}
            except KeyboardInterrupt:
                print("stopped", tree.query([0.5, 0.5, 0.5])[1] >= 0)
            """
        )
        for call in ("kdscope.KDTree(points, builder='wald')", "tree.query(points, 20, workers=-1)"):
            with subprocess.Popen(
                [sys.executable, "-c", program.format(call=call)], stdout=subprocess.PIPE, text=True
            ) as process:
                self.assertEqual(process.stdout.readline(), "begin\n")
                time.sleep(0.5)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.stdout.read(), "stopped True\n", call)
                self.assertEqual(process.wait(), 0)

    def test_other_threads_go_on_during_a_search(self):
        points = np.random.default_rng(1).random((300_000, 3)).astype(np.float32)
        tree = kdscope.KDTree(points)
        counted, done = [], threading.Event()

        def count():
            while not done.is_set():
                counted.append(1)
                time.sleep(0.001)

        other = threading.Thread(target=count)
        other.start()
        before = len(counted)
        tree.query(points, 16)
        after = len(counted)
        done.set()
        other.join()
        self.assertGreater(after - before, 3)  # with the lock held, none


class Recording(unittest.TestCase):
    def setUp(self):
        self.ten = [[10, 15], [46, 63], [68, 21], [40, 33], [25, 54], [15, 43], [44, 58], [45, 40], [62, 69], [53, 67]]

    def test_steps_have_arrays_that_are_views(self):
        trace = kdscope.record(self.ten, "wald")
        self.assertEqual((trace.builder, trace.n, trace.m), ("wald", 10, 2))
        self.assertEqual(len(trace), len(trace.steps))
        self.assertIn("steps", repr(trace))
        step = trace.steps[3]
        self.assertIn("tags", step)
        self.assertIn("tags", list(step))
        tags = step["tags"]
        self.assertEqual((tags.dtype, tags.shape), (np.dtype(np.uint32), (10,)))
        self.assertFalse(tags.flags.writeable)
        self.assertFalse(tags.flags.owndata)
        self.assertEqual(tags.ctypes.data, step["tags"].ctypes.data)
        kept = tags.copy()
        del trace, step
        gc.collect()
        np.testing.assert_array_equal(tags, kept)

    def test_the_run_is_the_paper_s(self):
        steps = kdscope.record(self.ten, "wald").steps
        last = [step for step in steps if step.name == "update tags"][0]
        np.testing.assert_array_equal(sorted(last["tags"]), [0, 1, 1, 1, 1, 1, 1, 2, 2, 2])
        self.assertTrue(all(check.passed for step in steps for check in step.checks))
        self.assertEqual(steps[-1].index, len(steps) - 1)
        self.assertEqual([step.index for step in steps[1:4]], [1, 2, 3])
        with self.assertRaises(IndexError):
            steps[len(steps)]
        with self.assertRaisesRegex(KeyError, "no array 'tax'"):
            steps[0]["tax"]

    def test_a_file_keeps_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ten.kdtrace")
            trace = kdscope.record(np.array(self.ten, np.float32), "rank")
            trace.save(path)
            again = kdscope.open(path)
            self.assertEqual(again.tree_hash, trace.tree_hash)
            for before, after in zip(trace.steps, again.steps):
                self.assertEqual(before.path, after.path)
                for name in before:
                    np.testing.assert_array_equal(before[name], after[name])
            with self.assertRaises(OSError):
                trace.save(os.path.join(folder, "missing", "ten.kdtrace"))
            broken = os.path.join(folder, "broken.kdtrace")
            with open(broken, "w") as file:
                file.write("no trace")
            with self.assertRaises(ValueError):
                kdscope.open(broken)

    def test_a_notebook_shows_a_page(self):
        html = kdscope.record(self.ten)._repr_html_()
        self.assertTrue(html.startswith("<iframe") or "md4c" in html)
        if html.startswith("<iframe"):
            self.assertIn("srcdoc=", html)
            self.assertNotIn("<script", html)  # all of it is escaped
            self.assertIn("&lt;script", html)
        many = kdscope.record(np.random.default_rng(1).random((4000, 2)).astype(np.float32), "textbook")
        self.assertIsInstance(many._repr_html_(), str)

    def test_a_search_is_recorded(self):
        trace = kdscope.record(self.ten, search={"question": "nearest", "query": "40,40", "k": 2})
        self.assertEqual(trace.search["question"], "nearest")
        distances = kdscope.KDTree(self.ten).query([40, 40], 2)[0]
        np.testing.assert_allclose(trace.steps[-1]["search.found_distance"], distances, rtol=1e-6)

    def test_a_coordinate_of_a_query_that_its_type_does_not_hold_is_refused(self):
        for points, query, words in (
            (np.int32([[1, 2], [3, 4]]), "3e9,1", r"3e\+09, which no 32-bit integer holds; give one from -2147483648"),
            (np.float32([[1, 2], [3, 4]]), "1e39,1", r"1e\+39, which no 32-bit float holds; give one from -3.4e38"),
        ):
            with self.assertRaisesRegex(ValueError, "coordinate 0 of the query is " + words):
                kdscope.record(points, search={"query": query})

    def test_points_that_are_no_floats_are_refused(self):
        with self.assertRaisesRegex(ValueError, r"points\[0, 0\] is 0.1, which is no float32.*astype"):
            kdscope.record(np.array([[0.1, 0.5]]))
        self.assertEqual(kdscope.record([[0.1, 0.5], [0.25, 0.75]]).n, 2)
        with self.assertRaises(MemoryError):
            kdscope.record(np.random.default_rng(1).random((5000, 2)).astype(np.float32), memory_budget=1000)


class Variants(unittest.TestCase):
    def test_a_file_that_is_no_variant_is_refused(self):
        with self.assertRaises((ValueError, OSError)):
            kdscope.variant("/nowhere/my.cu")

    def test_a_wrong_variant_names_the_first_wrong_element(self):
        cli = os.environ.get("KDSCOPE_CLI")
        if not cli:
            self.skipTest("KDSCOPE_CLI does not name kdscope-cli, which writes variants")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "my.cu")
            subprocess.run(
                [cli, "variant", "new", "wald", "update_tags", "--out", path], check=True, stdout=subprocess.DEVNULL
            )
            result = kdscope.variant(path)
            self.assertTrue(result, result.text)
            self.assertTrue(result.used)
            self.assertIsNone(result.first_wrong)
            self.assertEqual(result.trace.tree_hash, result.original.tree_hash)
            with open(path) as file:
                text = file.read()
            changed = text.replace("left_child", "right_child", 1)
            self.assertNotEqual(text, changed)
            with open(path, "w") as file:
                file.write(changed)
            result = kdscope.variant(path)
            self.assertFalse(result)
            wrong = result.first_wrong
            self.assertEqual(wrong.array, "tags")
            self.assertEqual(str(result.original.steps[wrong.step]["tags"][wrong.index]), wrong.expected)
            self.assertEqual(str(result.trace.steps[wrong.step]["tags"][wrong.index]), wrong.found)
            with open(path, "w") as file:
                file.write(text.replace("left_child", "no_such_name", 1))
            with self.assertRaisesRegex(ValueError, "no_such_name"):
                kdscope.variant(path)


class Module(unittest.TestCase):
    def test_names(self):
        self.assertRegex(kdscope.__version__, r"^\d+\.\d+\.\d+$")
        for name in kdscope.__all__:
            self.assertTrue(hasattr(kdscope, name), name)
        for name in ("KDTree", "record", "open", "variant", "builders"):
            self.assertTrue(getattr(kdscope, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()

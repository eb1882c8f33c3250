#!/usr/bin/env python3
"""Measures kdscope.KDTree beside scipy.spatial.KDTree and beside the C++ call. No verdict depends on a time.

beside_scipy.py BENCH_HOST_SEARCH_TIMES [POINTS] [TURNS]: the program that CMake builds of host_search_times.cpp.
PYTHONPATH names the built module. Both of a pair run in turn, in the other order every second time, and medians are
printed with the least and the greatest.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import kdscope

program = sys.argv[1]
n = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
turns = int(sys.argv[3]) if len(sys.argv) > 3 else 5
k, workers = 8, 2


def ms(call):
    before = time.perf_counter()
    result = call()
    return (time.perf_counter() - before) * 1000, result


def row(name, times, unit="ms"):
    print(f"{name:<44} {statistics.median(times):10.1f} {unit}  ({min(times):.1f} to {max(times):.1f})")


def beside_scipy(name, points):
    try:
        from scipy.spatial import KDTree as Peer
    except ImportError:
        print("scipy is not installed: install python3-scipy to measure beside it")
        return
    times = {(which, part): [] for which in ("kdscope", "scipy") for part in ("build", "query", "both")}
    pair = [("kdscope", kdscope.KDTree), ("scipy", Peer)]
    for turn in range(turns):
        for which, kind in pair[:: -1 if turn % 2 else 1]:
            build, tree = ms(lambda: kind(points))
            query, found = ms(lambda: tree.query(points, k, workers=workers))
            times[which, "build"].append(build)
            times[which, "query"].append(query)
            times[which, "both"].append(build + query)
            if which == "kdscope":
                ours = found
    print(f"\n{name}: {n} points, k = {k}, workers = {workers}; distances of the two agree to "
          f"{np.max(np.abs(ours[0] - found[0]) / np.maximum(found[0], 1e-300)):.1e}")
    for (which, part), taken in times.items():
        row(f"{which}, {part}", taken)
    ours, peers = (statistics.median(times[which, "both"]) for which in ("kdscope", "scipy"))
    print(f"share of scipy's time: {ours / peers:.2f}")


def beside_cpp(points):
    module, library = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "points")
        points.tofile(path)

        def cpp():
            run = subprocess.run(
                [program, path, str(points.shape[1]), str(k), str(workers), "3"],
                check=True, capture_output=True, text=True,
            )
            # This process is warm, too
            library.append(sum(map(float, run.stdout.splitlines()[-1].split())))

        def python():
            build, tree = ms(lambda: kdscope.KDTree(points))
            module.append(build + ms(lambda: tree.query(points, k, workers=workers))[0])

        for turn in range(turns):
            for measure in (cpp, python)[:: -1 if turn % 2 else 1]:
                measure()
    print(f"\nmodule and C++ call, build and query of {len(points)} points")
    row("module", module)
    row("C++ call", library)
    print(f"overhead {100 * (statistics.median(module) / statistics.median(library) - 1):+.1f} %")


def small(points):
    tree = kdscope.KDTree(points)
    repeats = 2000
    taken = []
    for _ in range(turns * 5):
        before = time.perf_counter()
        for _ in range(repeats):
            tree.query(points, k)
        taken.append((time.perf_counter() - before) / repeats * 1e6)
    print(f"\n{len(points)} points, all of them queries")
    row("module, query", taken, "us")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "points")
        points.tofile(path)
        run = subprocess.run(
            [program, path, str(points.shape[1]), str(k), "1", "2000"], check=True, capture_output=True, text=True
        )
    row("C++ call, query", [float(line.split()[1]) * 1000 for line in run.stdout.splitlines()][200:], "us")


random = np.random.default_rng(7)
points = random.random((n, 3))
beside_scipy("float64", points)
beside_scipy("float32", points.astype(np.float32))
beside_cpp(points.astype(np.float32))
small(random.random((10, 3)).astype(np.float32))

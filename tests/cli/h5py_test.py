#!/usr/bin/env python3
"""Reads a trace with h5py by the layout that trace_file.hpp documents, and holds every state against `show --json`.

usage: h5py_test.py PROGRAM. Goes on in another interpreter where this one cannot import h5py. Ends with 77 (skipped)
where no interpreter can or the program has no trace files, and with 1 (failed) where KDSCOPE_EXPECTS_H5PY is set.
"""
import json
import os
import subprocess
import sys
import tempfile


def skip(reason):
    print("KDSCOPE_SKIPPED:", reason)
    sys.exit(1 if os.environ.get("KDSCOPE_EXPECTS_H5PY") else 77)


def other_interpreter():
    """Returns an interpreter that imports h5py. The system's packages may not be those of the first python3 on PATH."""
    folders = ["/usr/bin", *os.environ.get("PATH", "").split(os.pathsep), "/usr/local/bin"]
    for candidate in (os.path.join(folder, "python3") for folder in folders):
        imports = [candidate, "-c", "import h5py"]
        if os.access(candidate, os.X_OK) and subprocess.run(imports, stderr=subprocess.DEVNULL).returncode == 0:
            return candidate
    return None


try:
    import h5py
    import numpy as np
except ImportError:
    found = other_interpreter()
    if not found:
        skip("no python3 imports h5py")
    os.execv(found, [found, *sys.argv])

cli = sys.argv[1]


def text(attribute):
    """Returns a text attribute as str; h5py reads texts of fixed length as bytes."""
    return attribute.decode()


def states(array):
    """Yields (step, contents) for every version of an array's group."""
    columns = {name: array[name][:].tolist() for name in
               ("step", "keyframe", "size", "value_begin", "first_range", "range_begin", "range_end")}
    contents = np.zeros(0, array["values"].dtype)
    for v, step in enumerate(columns["step"]):
        at = columns["value_begin"][v]
        if columns["keyframe"][v]:
            contents = array["values"][at : columns["value_begin"][v + 1]]
        else:
            shorter = min(len(contents), columns["size"][v])
            contents = np.concatenate([contents[:shorter], np.zeros(columns["size"][v] - shorter, contents.dtype)])
            for r in range(columns["first_range"][v], columns["first_range"][v + 1]):
                begin, end = columns["range_begin"][r], columns["range_end"][r]
                contents[begin:end] = array["values"][at : at + end - begin]
                at += end - begin
        yield step, contents


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "run.kdtrace")
    recorded = subprocess.run(
        [cli, "record", "--data", "uniform:n=2000,dim=2", "--backend", "cpu", "--param", "split=widest", "-o", path],
        capture_output=True, text=True)
    if "HDF5" in recorded.stderr:
        skip("this build has no trace files")
    assert recorded.returncode == 0, recorded.stderr
    shown = json.loads(subprocess.check_output([cli, "show", path, "--all", "--json", "--arrays", "tags,index,points"]))

    with h5py.File(path, "r") as f:
        assert f.attrs["format_version"] == 8
        assert text(f["build"].attrs["commit"]) == shown["build"]["commit"]
        assert "// " in " ".join(f["sources/text"].asstr()[:]) and "wald/update_tags" in f["sources/region"].asstr()[:]
        assert f.attrs["n"] == 2000 and text(f.attrs["algorithm"]) == "wald"
        assert "0x%016x" % f.attrs["tree_hash"] == shown["tree_hash"]
        assert {name: text(value) for name, value in f["parameters"].attrs.items()} == shown["parameters"]
        assert len(f["steps/name"]) == len(shown["steps"])
        begin, path_column = f["steps/path_begin"], f["steps/path"].asstr()
        for i, step in enumerate(shown["steps"]):
            assert list(path_column[begin[i] : begin[i + 1]]) == step["path"]
        compared = 0
        deltas = 0
        for name in ("tags", "index"):
            array = f["arrays"][name]
            deltas += int((array["keyframe"][:] == 0).sum())
            for step, contents in states(array):
                assert contents.tolist() == shown["steps"][step]["rows"][text(array.attrs["label"])], (name, step)
                compared += 1
        points = f["arrays/points"]
        coordinates = points["values"][:].reshape(-1, points.attrs["components"])
        x = np.array(shown["steps"][0]["rows"]["points.x"], np.float32)
        assert coordinates.shape == (2000, 2) and (coordinates[:, 0] == x).all()
        assert compared > 20 and deltas > 0, (compared, deltas)
print("h5py reads", compared, "states,", deltas, "of them deltas")

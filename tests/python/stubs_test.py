"""Checks the module's types: mypy in its strict mode, and stubtest for the stub of the compiled part.

stubs_test.py FOLDER-OF-THE-BUILT-MODULE
"""

import importlib.util
import os
import subprocess
import sys
import tempfile

if importlib.util.find_spec("mypy") is None:
    print("skipped: mypy is not installed")
    sys.exit(1 if os.environ.get("KDSCOPE_EXPECTS_PYTHON") else 77)

built = os.path.abspath(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    cache = os.path.join(folder, "cache")
    environment = {**os.environ, "MYPYPATH": built, "PYTHONPATH": built, "MYPY_CACHE_DIR": cache}
    # The classes of pybind11 have a type of their own, and those that Python cannot make refuse in __init__
    allowed = os.path.join(folder, "allowed")
    with open(allowed, "w") as file:
        file.write("kdscope\\._core\\.(CudaMemory|CudaTree|LentArray|Search|State|Trace)(\\.__init__)?\n")
    for command in (
        ["mypy", "--strict", "--no-warn-unused-ignores", "--python-version", "3.9", "-p", "kdscope"],
        ["mypy.stubtest", "--allowlist", allowed, "--ignore-unused-allowlist", "kdscope._core"],
    ):
        subprocess.run([sys.executable, "-m", *command], cwd=folder, env=environment, check=True)
    # Types that a caller sees
    user = os.path.join(folder, "user.py")
    with open(user, "w") as file:
        file.write(
            "import kdscope\n"
            "tree = kdscope.KDTree([[1, 2]])\n"
            "reveal_type(kdscope.record([[1, 2]]).steps[0]['tags'])\n"
            "reveal_type(tree.n)\n"
            "tree.query([1, 2], colour=3)\n"
        )
    seen = subprocess.run(
        [sys.executable, "-m", "mypy", user], cwd=folder, env=environment, capture_output=True, text=True
    )
    for text in ('Revealed type is "numpy.ndarray', 'Revealed type is "builtins.int"', 'keyword argument "colour"'):
        assert text in seen.stdout, (text, seen.stdout, seen.stderr)

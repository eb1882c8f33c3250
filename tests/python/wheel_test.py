"""Makes a wheel of the built module, installs it in a folder of its own and uses it: wheel_test.py SOURCE BUILD"""

import importlib.util
import os
import subprocess
import sys
import tempfile

for name in ("pip", "setuptools", "wheel"):
    if importlib.util.find_spec(name) is None:
        print(f"skipped: python3-{name} is not installed")
        sys.exit(1 if os.environ.get("KDSCOPE_EXPECTS_PYTHON") else 77)

source, build = map(os.path.abspath, sys.argv[1:3])
with tempfile.TemporaryDirectory() as folder:
    copy = os.path.join(folder, "source")  # setuptools writes beside the sources
    os.makedirs(os.path.join(copy, "app"))
    subprocess.run(["cp", "-r", os.path.join(source, "app/python"), os.path.join(copy, "app/python")], check=True)
    subprocess.run(["cp", os.path.join(source, "CMakeLists.txt"), copy], check=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    environment = {**os.environ, "KDSCOPE_BUILD": build, "PIP_NO_INDEX": "1", "PIP_NO_CACHE_DIR": "1"}
    subprocess.run(
        [*pip, "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", folder, os.path.join(copy, "app/python")],
        check=True, env=environment,
    )
    wheels = [name for name in os.listdir(folder) if name.endswith(".whl")]
    assert len(wheels) == 1 and "linux" in wheels[0], wheels
    there = os.path.join(folder, "there")
    subprocess.run([*pip, "install", "-q", "--no-deps", "--target", there, os.path.join(folder, wheels[0])], check=True,
                   env=environment)
    code = "import kdscope as k; d, i = k.KDTree([[1, 2], [3, 4]]).query([3, 5]); print(k.__file__, float(d), int(i))"
    used = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env={**os.environ, "PYTHONPATH": there}, check=True, capture_output=True, text=True,
    )
    assert used.stdout.startswith(there) and used.stdout.endswith(" 1.0 1\n"), used.stdout
    print(wheels[0], os.path.getsize(os.path.join(folder, wheels[0])), "bytes")

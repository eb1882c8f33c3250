"""Builds the compiled part of the module by CMake, for wheels.

The variable KDSCOPE_BUILD names a build folder to use; the default is build/tools-only, which is configured first.
"""

import os
import re
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parents[2]


class ByCMake(build_ext):
    def build_extension(self, extension):
        folder = Path(os.environ.get("KDSCOPE_BUILD") or ROOT / "build/tools-only").resolve()
        if not (folder / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "--preset", "tools-only", "-B", str(folder)], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", str(folder), "--target", "kdscope_python"], check=True)
        target = Path(self.get_ext_fullpath(extension.name))
        built = folder / "app/python/kdscope" / target.name
        if not built.exists():
            raise SystemExit(f"{built} was not built: {folder} is for another Python, or lacks pybind11 or numpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(built), str(target))


version = re.search(r"project\(kdscope VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
setup(version=version, ext_modules=[Extension("kdscope._core", [])], cmdclass={"build_ext": ByCMake})

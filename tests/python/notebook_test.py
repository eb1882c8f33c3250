"""Executes a notebook with nbconvert and looks at what its cells printed: notebook_test.py NOTEBOOK"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile

for name in ("nbconvert", "ipykernel"):
    if importlib.util.find_spec(name) is None:
        print(f"skipped: {name} is not installed; install python3-nbconvert, jupyter-nbconvert and python3-ipykernel")
        sys.exit(1 if os.environ.get("KDSCOPE_EXPECTS_PYTHON") else 77)

with tempfile.TemporaryDirectory() as folder:
    # Jupyter keeps files in these folders, which may not be writable for a test
    own = {name: os.path.join(folder, name) for name in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "XDG_DATA_HOME")}
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.timeout=120",
         "--output-dir", folder, "--output", "executed", sys.argv[1]],
        check=True, env={**os.environ, **own},
    )
    with open(os.path.join(folder, "executed.ipynb")) as file:
        cells = json.load(file)["cells"]

outputs = [output for cell in cells for output in cell.get("outputs", ())]
assert not [output for output in outputs if output["output_type"] == "error"]
pages = ["".join(output["data"]["text/html"]) for output in outputs if "text/html" in output.get("data", {})]
assert len(pages) == 1 and ("<iframe" in pages[0] or "md4c" in pages[0]), "the trace shows no page"
printed = "".join("".join(output.get("text", "")) for output in outputs)
assert "update tags" in printed and "built by rank" in printed, printed
print(f"{len(cells)} cells, {len(outputs)} outputs, a page of {len(pages[0])} bytes")

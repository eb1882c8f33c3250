#!/usr/bin/env python3
"""Runs the faults of tests/variants/planted on a GPU under compute-sanitizer, and prints which tools find which.

    tests/bench/planted_under_sanitizer.py CLI [--jobs N] [--only TEXT] [--keep FOLDER]

CLI: kdscope-cli of a build with CUDA; nvcc and compute-sanitizer have to be there. Each fault is planted into a copy of
its stage, which nvcc compiles once; then it runs once without a tool and once under each of memcheck, racecheck,
initcheck and synccheck. Prints one row of a Markdown table per fault as it ends, then the sums per kind. --jobs: faults
at once (all processors by default). --only: faults whose path contains the text. --keep: a folder for the outputs.
"found" means that the tool reported something; the outputs name what. Exit code 2: something is missing.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
KINDS = ["bounds", "unwritten", "barriers", "ballots", "order"]
PLANTED = pathlib.Path(__file__).resolve().parent.parent / "variants" / "planted"


def blocks_of(path):
    """Returns the blocks of a file by their heads, as tests/variants/planted_fault.hpp reads them."""
    blocks = [("", [])]
    for line in path.read_text(encoding="utf-8").splitlines():
        head = re.fullmatch(r"\[(.*)\]", line)
        if head:
            blocks.append((head[1], []))
        else:
            blocks[-1][1].append(line)
    return [(head, "\n".join(lines)) for head, lines in blocks]


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


def plant(cli, path, folder):
    """Writes the variant with the fault. Returns the command that builds and runs it on the GPU, or an error text."""
    blocks = blocks_of(path)
    of = dict(blocks)
    algorithm, *stage = of["in"].split()
    file = os.path.join(folder, path.stem + ".cu")
    code, text = run([cli, "variant", "new", algorithm] + (stage or ["--builder"]) + ["--out", file])
    if code != 0:
        return None, text
    source = pathlib.Path(file).read_text(encoding="utf-8")
    before = None
    for head, text in blocks:
        if head == "replaced":
            before = text
            if source.count(text) != 1:
                return None, f"the stage has no longer, or twice: {text}"
        elif head == "by":
            source = source.replace(before, text)
    pathlib.Path(file).write_text(source, encoding="utf-8")
    command = [cli, "variant", "build", file, "--data", of["data"], "--backend", "cuda", "--seconds", "300"]
    for word in of.get("with", "").split():
        command += ["--param", word]
    return command, ""


def found_by(tool, code, output):
    """Returns whether a tool reported a fault: its sentence ends with its name, and memcheck's names an access."""
    sentence = r"but '.*' has|that belongs to no array|Invalid __" if tool == "memcheck" else rf"\({tool}\)"
    return code != 0 and re.search(sentence, output) is not None


def try_fault(cli, path, folder):
    """Returns the row of a fault: for each tool "found", "-" or what went wrong."""
    command, error = plant(cli, path, folder)
    outputs = {"planting": error}
    row = {}
    if command:
        code, outputs["alone"] = run(command)
        row["alone"] = {0: "equal", 4: "differs", 7: "not used", 8: "other steps"}.get(code, f"exit code {code}")
        for tool in TOOLS if row["alone"] != "not used" else []:
            code, outputs[tool] = run(command + [f"--sanitize={tool}"])
            row[tool] = "found" if found_by(tool, code, outputs[tool]) else "-"
    with open(os.path.join(folder, path.stem + ".log"), "w", encoding="utf-8") as log:
        for name, text in outputs.items():
            log.write(f"== {name}\n{text}\n")
    return path, row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", help="a folder for the outputs")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    paths = [path for kind in KINDS for path in sorted((PLANTED / kind).glob("*.txt")) if options.only in str(path)]
    if not paths:
        print("planted_under_sanitizer.py: no planted fault has this name", file=sys.stderr)
        sys.exit(2)
    print("| kind | fault | alone | " + " | ".join(TOOLS) + " |\n|---|---|---|" + "---|" * len(TOOLS), flush=True)
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(try_fault, options.cli, p, folder) for p in paths]):
            path, row = done.result()
            rows.append((path.parent.name, row))
            cells = [row.get(name, "?") for name in ["alone"] + TOOLS]
            print(f"| {path.parent.name} | {path.stem} | " + " | ".join(cells) + " |", flush=True)
    print("\n| kind | faults | " + " | ".join(TOOLS) + " | any tool |\n|---|---|" + "---|" * (len(TOOLS) + 1))
    for kind in KINDS + ["all"]:
        of_kind = [row for each, row in rows if kind in (each, "all")]
        sums = [sum(row.get(tool) == "found" for row in of_kind) for tool in TOOLS]
        print(f"| {kind} | {len(of_kind)} | " + " | ".join(map(str, sums)) +
              f" | {sum('found' in row.values() for row in of_kind)} |")


if __name__ == "__main__":
    main()

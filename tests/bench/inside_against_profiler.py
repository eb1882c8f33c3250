#!/usr/bin/env python3
"""Compares what `kdscope-cli inside --cost` counts with what a GPU's profiler counts.

    tests/bench/inside_against_profiler.py CLI [--points N] [--only NAME] [--keep FOLDER] [--counts FOLDER]
    tests/bench/inside_against_profiler.py CLI --only NAME --from FILE [--counts FILE]
    tests/bench/inside_against_profiler.py CLI --list [--counts FOLDER]

CLI: kdscope-cli of a build with CUDA. For each launch of the list below, it counts sectors and bank conflicts on the
CPU, runs the same build or search at full speed on CUDA under ncu, which comes with the CUDA toolkit, and prints both
with their ratio.
--from reads what `ncu --csv` printed elsewhere, for one launch; --counts what `inside --cost --json` printed, also all
files of a folder. --keep writes both files of each launch, which the folder of --counts may be. --list prints the
commands and the counts alone. Exit code 1: a number of sectors differs by more than 5 %; 2: something is missing.
"""
import argparse
import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# Metrics by what is compared with their sum. Atomic operations are `red` if nobody reads their results.
SECTOR_METRICS = {
    "read": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    "write": ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "atomic": ["l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"],
}
CONFLICT_METRICS = ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"]
METRICS = sum(SECTOR_METRICS.values(), CONFLICT_METRICS)
MOST_DIFFERENCE = 0.05


class Launch:
    """A launch of a builder or search, which runs the same ones on both back ends. Recordings on CUDA may have more
    accesses, because some copy what a kernel holds in shared memory. They have a launch per step, as `inside` has."""

    def __init__(self, name, algorithm, step, launch, functor, skip, points=65536, parameters=(), recorded=False,
                 search=()):
        self.name, self.algorithm, self.step, self.launch = name, algorithm, step, launch
        self.functor, self.skip = functor, skip  # of the functor's kernels, so many run before this one
        self.points, self.parameters = points, parameters
        self.recorded, self.search = recorded, list(search)

    def run_options(self, points):
        options = ["--algorithm", self.algorithm, "--data", f"uniform:n={points or self.points},dim=3,seed=1"]
        for parameter in self.parameters:
            options += ["--param", parameter]
        return options + self.search

    def on_cuda(self, cli, points, folder):
        """Returns the command that launches the kernel at full speed."""
        if self.search:
            how = ["query", "--repeat", "1"]
        elif self.recorded:
            how = ["record", "-o", os.path.join(folder, self.name + ".kdtrace")]
        else:
            how = ["build", "--repeat", "1"]
        return [cli] + how + ["--backend", "cuda"] + self.run_options(points)

    def on_cpu(self, cli, points):
        step = [] if self.search else ["--step", self.step]
        return ([cli, "inside"] + step + ["--cost", "--json", "--budget", "20M", "--seconds", "600"] +
                self.run_options(points))


LAUNCHES = [
    Launch("update-tags", "wald", "level 4 / update tags", "update tags", "wald::UpdateTags", 4),
    Launch("relocate", "hu", "level 3 / relocation / pass 0 / relocate", "relocate", "hu::Relocate", 3,
           parameters=["dimensions_at_once=3", "leaf_size=16"]),
    Launch("histogram", "wehr", "level 0 / parallel radix sort / pass 1 / histogram creation", "histogram creation",
           "wehr::HistogramCreation", 1, parameters=["tpb=256", "base=32", "cutoff=256"]),
    Launch("distribution", "wehr", "level 0 / parallel radix sort / pass 1 / distribution", "distribution",
           "wehr::Distribution", 1,
           parameters=["tpb=256", "base=32", "cutoff=256"]),
    # These two are for their bank conflicts, too
    Launch("sort-tiles", "brown", "dimension 0 / sort tiles", "sort tiles", "brown::SortTiles", 0, points=8192,
           parameters=["sort=merge", "parts=1"]),
    Launch("bitonic-tile", "wald", "level 0 / sort", "bitonic tile", "wald::TilePasses", 0, points=8192,
           parameters=["sort=bitonic"]),
    # Ballots; counters and scans in shared memory; threads that read nodes anywhere
    Launch("partition", "brown", "level 6 / dimension 1 / partition", "partition", "brown::WarpPerArray", 0,
           parameters=["warps=64"]),
    Launch("count-bins", "rank", "level 0 / count bins", "count bins", "rank::CountBins", 0),
    Launch("finish", "rank", "level 4 / finish level", "finish level", "rank::FinishSubtrees", 0, recorded=True),
    Launch("search", "wald", "", "find nearest", "FindNearest", 0,
           search=["--search", "stack-free", "--queries", "uniform:n=8192,dim=3,seed=2"]),
]


def missing(what):
    print(f"inside_against_profiler.py: {what}", file=sys.stderr)
    sys.exit(2)


def output_of(command, what):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 4):  # 4: inside found a fault
        missing(f"{what} failed with exit code {done.returncode}: {' '.join(command)}\n{done.stderr[-2000:]}"
                f"{done.stdout[-2000:]}")
    return done.stdout


def counts_of(launch, options):
    """Returns the JSON text of `inside`, from a file if there is one."""
    path = options.counts
    if path and os.path.isdir(path):
        path = os.path.join(path, launch.name + ".json")
    if path:
        with open(path, encoding="utf-8") as file:
            return file.read()
    return output_of(launch.on_cpu(options.cli, options.points), "looking inside")


def profiler_command(cli, ncu, launch, points, folder):
    return [ncu, "--csv", "--log-file", os.path.join(folder, launch.name + ".csv"), "--target-processes", "all",
            "--clock-control", "none", "--kernel-name-base", "demangled",
            "--kernel-name", f"regex:.*{launch.functor}.*", "--launch-skip", str(launch.skip), "--launch-count",
            "1", "--metrics", ",".join(METRICS)] + launch.on_cuda(cli, points, folder)


def profile(cli, ncu, launch, points, folder):
    """Returns the CSV text of ncu for the one launch."""
    log = os.path.join(folder, launch.name + ".csv")
    command = profiler_command(cli, ncu, launch, points, folder)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = open(log, encoding="utf-8").read() if os.path.exists(log) else ""
    if "ERR_NVGPUCTRPERM" in text + done.stdout:
        missing("this user may not read the GPU's performance counters (ERR_NVGPUCTRPERM); run this as root, or see "
                "https://developer.nvidia.com/ERR_NVGPUCTRPERM")
    if done.returncode != 0 and not has_table(text):
        missing(f"ncu failed with exit code {done.returncode}: {' '.join(command)}\n{text[-1500:]}"
                f"{done.stdout[-1500:]}")
    return text


def table_lines(text):
    """Returns the lines of the CSV table, without what ncu prints around it."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.startswith('"ID"') or line.startswith("ID,"):
            return [line for line in lines[number:] if line.strip() and not line.startswith("==")]
    return []


def has_table(text):
    return len(table_lines(text)) > 1


def number_of(text):
    """Returns a number that may have separators between thousands; None for "n/a"."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def read_profile(text, launch):
    """Returns the metrics of the first kernel, its name and its grid, from a table with a row per metric or per
    kernel."""
    rows = list(csv.DictReader(table_lines(text)))
    rows = [row for row in rows if row.get("ID")]
    if not rows:
        missing(f"{launch.name}: ncu profiled no kernel whose name has {launch.functor}, after {launch.skip} others; "
                "was the functor renamed, or does this build have no CUDA?")
    first = [row for row in rows if row["ID"] == rows[0]["ID"]]
    if "Metric Name" in first[0]:
        metrics = {row["Metric Name"]: number_of(row["Metric Value"]) for row in first}
    else:
        metrics = {name: number_of(value) for name, value in first[0].items() if name in METRICS}
    return metrics, first[0].get("Kernel Name", ""), first[0].get("Grid Size", "")


def blocks_of(launch):
    """Returns how many blocks of threads a launch has on CUDA, as cuda_exec.cuh launches it."""
    if launch["kind"] == "threads":
        return (launch["lanes"] + 255) // 256
    return (launch["blocks"] + 7) // 8 if launch["kind"] == "warps" else launch["blocks"]


def read_counts(launch, text):
    """Returns the launch that `inside` counted, and its costs."""
    value = json.loads(text)
    numbers = [i for i, each in enumerate(value["launches"]) if each["name"] == launch.launch]
    if not numbers:
        missing(f"{launch.name}: the step '{launch.step}' has no launch '{launch.launch}'")
    number = numbers[0]
    if value["launches"][number]["left_out"] > 0:
        missing(f"{launch.name}: the budget left accesses out; use fewer points")
    return value["launches"][number], [cost for cost in value["costs"] if cost["launch"] == number]


def sectors_of(costs, access):
    return sum(cost["sectors"] for cost in costs if cost["access"] == access)


def conflicts_of(costs):
    return sum(cost["bank_conflicts"] for cost in costs)


def list_launch(launch, counted, options):
    """Prints a launch's commands and counts."""
    of_launch, costs = read_counts(launch, counted)
    sectors = ", ".join(f"{access} sectors {sectors_of(costs, access)}" for access in SECTOR_METRICS)
    print(f"{launch.name}: {blocks_of(of_launch)} blocks, {sectors}, bank conflicts {conflicts_of(costs)}")
    print("  " + shlex.join(profiler_command(options.cli, "ncu", launch, options.points, "/tmp")))
    print("  " + shlex.join(launch.on_cpu(options.cli, options.points)))


def compare(launch, counted, profiled):
    """Prints the rows of a launch. Returns whether the sectors are close."""
    of_launch, costs = read_counts(launch, counted)
    metrics, kernel, grid = read_profile(profiled, launch)
    blocks, in_grid = blocks_of(of_launch), [int(n) for n in re.findall(r"\d+", grid)]
    if in_grid and in_grid[0] != blocks:
        missing(f"{launch.name}: ncu profiled a grid of {in_grid[0]} blocks, {blocks} were expected: another launch of "
                f"{kernel}")
    close = True

    def row(what, ours, names, decides):
        nonlocal close
        known = [metrics.get(name) for name in names]
        if all(each is None for each in known):
            if ours > 0:
                print(f"{launch.name:14} {what:16} {ours:12.0f} {'-':>12}          not measured by ncu")
                close = close and not decides
            return
        theirs = sum(each or 0 for each in known)
        ratio = ours / theirs if theirs > 0 else (1.0 if ours == 0 else float("inf"))
        near = abs(ratio - 1) <= MOST_DIFFERENCE
        print(f"{launch.name:14} {what:16} {ours:12.0f} {theirs:12.0f} {ratio:8.3f} {'' if near else ' differs'}")
        close = close and (near or not decides)

    for access, names in SECTOR_METRICS.items():
        row(f"{access} sectors", sectors_of(costs, access), names, True)
    row("bank conflicts", conflicts_of(costs), CONFLICT_METRICS, False)
    return close


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--points", type=int, help="in place of each launch's own number")
    parser.add_argument("--only", choices=[launch.name for launch in LAUNCHES])
    parser.add_argument("--keep", help="a folder for the files of each launch")
    parser.add_argument("--from", dest="profile", help="a file that ncu --csv printed")
    parser.add_argument("--counts", help="a file that inside --cost --json printed, or a folder of --keep")
    parser.add_argument("--list", action="store_true", help="commands and counts alone")
    options = parser.parse_args()
    if (options.profile or (options.counts and not os.path.isdir(options.counts))) and not options.only:
        missing("--from and --counts are files of one launch; name it with --only")
    ncu = shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin:/opt/nvidia/nsight-compute")
    if not options.profile and not ncu and not options.list:
        missing("ncu was not found; install Nsight Compute, which the CUDA toolkit has, or read its table with --from")
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    close = True
    if not options.list:
        print(f"{'launch':14} {'what':16} {'inside':>12} {'ncu':>12} {'ratio':>8}")
    for launch in LAUNCHES:
        if options.only not in (None, launch.name):
            continue
        counted = counts_of(launch, options)
        if options.keep:
            with open(os.path.join(folder, launch.name + ".json"), "w", encoding="utf-8") as file:
                file.write(counted)
        if options.list:
            list_launch(launch, counted, options)
            continue
        profiled = (open(options.profile, encoding="utf-8").read() if options.profile else
                    profile(options.cli, ncu, launch, options.points, folder))
        close = compare(launch, counted, profiled) and close
    if not options.keep:
        shutil.rmtree(folder)
    sys.exit(0 if close else 1)


if __name__ == "__main__":
    main()

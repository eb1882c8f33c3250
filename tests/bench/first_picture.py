#!/usr/bin/env python3
"""Measures the time from the start of a program to the first picture of its window. No verdict depends on a time.

first_picture.py TURNS PROGRAM [ARGUMENT...]: needs Xvfb, whose screen is a file that this script watches. A picture is
there when a quarter of the screen is painted in 16 colours or more. Prints, for each turn, the time by the clock and
the time of processors that the program has taken until then, and the load of the machine. On a busy machine, root may
start it by `chrt -r 1`, which lets it go first.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

turns, command = int(sys.argv[1]), sys.argv[2:]
give_up_after = 60  # seconds


def screen_in(path):
    """Return the screen in a file of Xvfb, [height, width] colours, as a view of its memory."""
    header = np.fromfile(path, ">u4", 25)
    size, width, height, bytes_per_line, colours = (int(header[i]) for i in (0, 4, 5, 12, 19))
    start = size + 12 * colours
    return np.memmap(path, np.uint32, "r", start, (height, bytes_per_line // 4))[:, :width]


def shows_picture(screen):
    part = screen[::8, ::4]
    colours, counts = np.unique(part, return_counts=True)
    painted = counts[colours & 0xFFFFFF != 0].sum()
    return 4 * painted >= part.size and len(colours) >= 16


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


with tempfile.TemporaryDirectory() as folder:
    end, own_end = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-br", "-screen", "0", "1280x800x24", "-fbdir", folder, "-displayfd", str(own_end)],
        pass_fds=[own_end], stderr=subprocess.DEVNULL,
    )
    os.close(own_end)
    with os.fdopen(end) as numbers:
        display = numbers.readline().strip()
    taken = []
    try:
        screen = screen_in(os.path.join(folder, "Xvfb_screen0"))
        for _ in range(turns):
            start = time.perf_counter()
            program = subprocess.Popen(command, env={**os.environ, "DISPLAY": f":{display}"})
            try:
                while not shows_picture(screen):
                    if program.poll() is not None or time.perf_counter() - start > give_up_after:
                        sys.exit(f"no picture within {give_up_after} s, or the program has ended")
                    time.sleep(0.002)
                taken.append((time.perf_counter() - start, processor_seconds(program)))
            finally:
                program.terminate()
                program.wait()
            while shows_picture(screen):
                time.sleep(0.01)
            clock, processors = taken[-1]
            print(f"{clock:.3f} s, of processors {processors:.2f} s, load {os.getloadavg()[0]:.1f}", flush=True)
    finally:
        server.terminate()
        server.wait()
clock, processors = (sorted(column) for column in zip(*taken))
print(f"median {statistics.median(clock):.3f} s ({clock[0]:.3f} to {clock[-1]:.3f}), "
      f"of processors {statistics.median(processors):.2f} s ({processors[0]:.2f} to {processors[-1]:.2f})")

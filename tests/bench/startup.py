#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Process start to the first drawn frame of a usable window, demo model, empty folder: medians of ten runs."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 10


def run_once(program, folder, agent_dir):
    environment = {**os.environ, 'TAU_AGENT_DIR': agent_dir,
                   'TAU_BENCH_START': str(time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000)}
    line = subprocess.run([program, folder], env=environment, check=True, capture_output=True, text=True, timeout=60).stdout
    words = line.split()
    return {words[i]: float(words[i + 1]) for i in range(0, len(words), 2)}


def main():
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as agent_dir:
        run_once(sys.argv[1], folder, agent_dir)  # warms the disk cache
        runs = [run_once(sys.argv[1], folder, agent_dir) for _ in range(RUNS)]
    median = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    print(f'start to main():        {median["main"]:7.1f} ms')
    print(f'start to window shown:  {median["presented"]:7.1f} ms')
    print(f'start to first frame:   {median["frame"]:7.1f} ms  (first frame itself {median["frame"] - median["presented"]:.1f} ms)')


main()

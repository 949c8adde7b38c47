#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Process start to the first drawn frame of a usable window, demo model: with an empty session, and with long ones that
are shown at their end. Medians. Arguments: the program, then session files; without these, files of our own are made."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 7
SIZES = (10_000, 100_000)
SHORT = 400   # messages; fills all the rows that a list keeps

RESULT = ''.join(f'src/file-{i}.c:{i * 7}: a line of code with "quotes" and\ttabs, as grep finds it\n' for i in range(60))
ANSWER = ''.join(f'Paragraph {i} has **bold** words, `code` and enough of them to fill some lines.\n\n- a\n- b\n\n' for i in range(16))
USAGE = {'input': 22, 'output': 63, 'cacheRead': 3000, 'cacheWrite': 2080, 'totalTokens': 5165,
         'cost': {'input': 0.000066, 'output': 0.000945, 'cacheRead': 0.0009, 'cacheWrite': 0.0078, 'total': 0.009711}}
CALL = {'type': 'toolCall', 'id': 'c', 'name': 'grep', 'arguments': {'pattern': 'x'}}


def make_answer(*more):
    return {'role': 'assistant', 'content': [{'type': 'text', 'text': ANSWER}, *more], 'api': 'a', 'provider': 'p', 'model': 'm',
            'usage': USAGE, 'stopReason': 'stop', 'timestamp': 1}


def write_session(path, size):
    turn = [{'role': 'user', 'content': [{'type': 'text', 'text': 'Question?'}], 'timestamp': 1}, make_answer(CALL),
            {'role': 'toolResult', 'toolCallId': 'c', 'toolName': 'grep', 'content': [{'type': 'text', 'text': RESULT}],
             'isError': False, 'timestamp': 1}, make_answer()]
    texts = [json.dumps(message, separators=(',', ':')) for message in turn]
    with open(path, 'w', encoding='utf-8') as file:
        file.write('{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/tmp"}\n')
        for i in range(size):
            parent = f'"{i - 1:08x}"' if i > 0 else 'null'
            file.write(f'{{"type":"message","id":"{i:08x}","parentId":{parent},"timestamp":"2026-01-01T00:00:00.000Z",'
                       f'"message":{texts[i % 4]}}}\n')


def run_once(program, folder, agent_dir, session):
    environment = {**os.environ, 'TAU_AGENT_DIR': agent_dir,
                   'TAU_BENCH_START': str(time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000)}
    if session:
        environment['TAU_BENCH_SESSION'] = session
    line = subprocess.run([program, folder], env=environment, check=True, capture_output=True, text=True, timeout=60).stdout
    words = line.split()
    return {words[i]: float(words[i + 1]) for i in range(0, len(words), 2)}


def measure(program, folder, agent_dir, session):
    run_once(program, folder, agent_dir, session)  # warms the disk cache
    runs = [run_once(program, folder, agent_dir, session) for _ in range(RUNS)]
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def print_session(program, folder, agent_dir, session, empty, short):
    size = os.path.getsize(session) / 1e6
    median = measure(program, folder, agent_dir, session)
    print(f'{size:7.1f} MB: to first frame {median["frame"]:7.1f} ms, {median["frame"] / empty["frame"]:.2f} times the empty '
          f'session; memory +{median["memory"] - short["memory"]:.1f} MB more than a short one, '
          f'{100 * (median["memory"] - short["memory"]) / size:.0f} % of the file')


def main():
    program, sessions = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as agent_dir:
        empty = measure(program, folder, agent_dir, None)
        print(f'start to main():        {empty["main"]:7.1f} ms')
        print(f'start to window shown:  {empty["presented"]:7.1f} ms')
        print(f'start to first frame:   {empty["frame"]:7.1f} ms  (first frame itself {empty["frame"] - empty["presented"]:.1f} ms)'
              f', {empty["memory"]:.1f} MB')
        for size in () if sessions else SIZES:
            sessions.append(os.path.join(folder, f'{size}.jsonl'))
            write_session(sessions[-1], size)
        # The first transcript brings fonts, styles and rows with it, however long the session is.
        write_session(os.path.join(folder, 'short.jsonl'), SHORT)
        short = measure(program, folder, agent_dir, os.path.join(folder, 'short.jsonl'))
        print(f'short session:          {short["frame"]:7.1f} ms, memory +{short["memory"] - empty["memory"]:.1f} MB')
        for session in sessions:
            print_session(program, folder, agent_dir, session, empty, short)


main()

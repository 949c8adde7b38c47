#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""P33: kills tau-agent while commands run, and looks for what they have left.

Each of the user's commands is in a group of its own; three seconds after kill -9, and after a proper end, none of the groups
has a process. What went its own way by setsid stays: the next Tau lists it.
"""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

PATIENCE = 60
PROMISED = 3.0

# The first line of each is the number of the process that must be gone.
COMMANDS = {
    'obeys': 'echo $$ > {pids}; sleep 600',
    'deaf': "trap '' TERM HUP; echo $$ > {pids}; while :; do sleep 1; done",
    'deaf child': "(trap '' TERM; while :; do sleep 1; done) & echo $! > {pids}; wait",
}


def start(folder):
    env = dict(os.environ, TAU_AGENT_DIR=str(folder / 'agent'), HOME=str(folder))
    return subprocess.Popen([os.environ['TAU_AGENT_PROGRAM'], '--mode', 'rpc', '--no-session'], cwd=folder, env=env,
                            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def stat_fields(pid):
    """State and group of a process; None if it is gone."""
    try:
        rest = pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()
    except (OSError, IndexError):
        return None
    return rest[0], int(rest[2])


def count_in_group(group):
    found = (stat_fields(path.name) for path in pathlib.Path('/proc').glob('[0-9]*'))
    return sum(1 for fields in found if fields and fields[0] != 'Z' and fields[1] == group)


def wait_for(what, condition):
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f'waited {PATIENCE} s for {what}')
        time.sleep(0.02)
    return value


def read_pid(path):
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0


def check(command, end):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pids = folder / 'pids'
        agent = start(folder)
        request = {'type': 'bash', 'command': command.format(pids=pids)}
        agent.stdin.write((json.dumps(request) + '\n').encode())
        agent.stdin.flush()
        pid = wait_for('the command', lambda: read_pid(pids))
        group = stat_fields(pid)[1]
        assert count_in_group(group) > 0
        end(agent)
        agent.wait(PATIENCE)
        began = time.monotonic()
        wait_for('the end of the group', lambda: count_in_group(group) == 0)
        took = time.monotonic() - began
        print(f'# gone after {took:.2f} s')
        assert took < PROMISED


def kill(agent):
    agent.kill()


def terminate(agent):
    agent.send_signal(signal.SIGTERM)


def close(agent):
    agent.stdin.close()


def main():
    tests = [(f'p33-{name.replace(" ", "-")}-{end.__name__}', command, end)
             for name, command in COMMANDS.items() for end in (kill, terminate, close)]
    print(f'1..{len(tests)}', flush=True)
    for number, (name, command, end) in enumerate(tests, 1):
        try:
            check(command, end)
        except AssertionError as error:
            print(f'# {error}')
            print(f'not ok {number} {name}', flush=True)
        else:
            print(f'ok {number} {name}', flush=True)


main()

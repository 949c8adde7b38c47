#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares tau-agent with recorded runs and recorded provider streams.

The recordings are not part of this repository: $TAU_RECORDED names the folder that holds them, with
oracle/compare.mjs (whole runs against a scripted model server) and fixtures/streams.mjs (streams of
providers). Both need Node 20. One TAP point per run, one per protocol.
"""

import os
import pathlib
import subprocess
import sys


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def point(self, ok, name, details=()):
        self.count += 1
        self.failed += not ok
        print(f'{"ok" if ok else "not ok"} {self.count} {name}')
        for line in details:
            print(f'# {line}')
        if not ok:
            print('\n  '.join([name, *details]), file=sys.stderr)  # the log of a failed test shows this
        sys.stdout.flush()


def compare_runs(tap, script, program, *only):
    """The script prints "ok NAME …" or "DIFF NAME …" for each run, and indented notes after a DIFF."""
    names = sorted(path.parent.name for path in script.parent.glob('*/script.json'))
    done = subprocess.run(['node', script, '--program', program, '--verbose', *only],
                          capture_output=True, text=True, check=False)
    verdict = None
    seen = set()

    def flush():
        if verdict is not None:
            tap.point(*verdict)

    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] in ('ok', 'DIFF') and words[1] in names:
            flush()
            seen.add(words[1])
            verdict = (words[0] == 'ok', f'run {words[1]}', [] if words[0] == 'ok' else [line.strip()])
        elif verdict is not None and line.startswith('  '):
            verdict[2].append(line.strip())
    flush()
    if not seen:
        tap.point(False, 'runs', done.stderr.splitlines()[-20:])


def compare_streams(tap, script, program):
    for api in sorted(path.name for path in (script.parent / 'sse').iterdir() if path.is_dir()):
        names = sorted(f'{api}/{path.name.removesuffix(".expected.json")}'
                       for path in (script.parent / 'sse' / api).glob('*.expected.json'))
        for pieces in ([], ['--pieces', '7']):
            done = subprocess.run(['node', script, '--program', program, *pieces, *names],
                                  capture_output=True, text=True, check=False)
            tap.point(done.returncode == 0 and bool(names), ' '.join(['streams', api, *pieces]),
                      (done.stdout + done.stderr).splitlines()[-20:] if done.returncode else ())


def main():
    recorded = os.environ.get('TAU_RECORDED')
    if not recorded:
        print('1..0 # SKIP not run: recorded')
        return 0

    folder = pathlib.Path(recorded)
    program, additions = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    tap = Tap()
    compare_runs(tap, folder / 'oracle' / 'compare.mjs', program)
    # These were driven by an application inside the program; the script leaves them out unless they are named.
    for name in ('extension-custom-entries', 'tree-branch-label-rpc'):
        compare_runs(tap, folder / 'oracle' / 'compare.mjs', additions, name)
    compare_streams(tap, folder / 'fixtures' / 'streams.mjs', program)
    print(f'1..{tap.count}')
    return 1 if tap.failed else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A count that is wrong would hide every other failure: count-tests.py on logs made by hand."""

import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name('count-tests.py')
TAP = '1..2\nok 1 /a\n'

CASES = [
    ('points of TAP count', [('OK', TAP + 'ok 2 /b\n')], [], '2 passed, 0 failed', 0),
    ('a plain test is one', [('OK', 'some text\n')], [], '1 passed, 0 failed', 0),
    ('a failed point', [('FAIL', TAP + 'not ok 2 /b\n')], [], '1 passed, 1 failed', 1),
    ('an early end', [('ERROR', TAP)], [], '1 passed, 1 failed', 1),
    ('a failed plain test', [('FAIL', '')], [], '0 passed, 1 failed', 1),
    ('a timeout', [('TIMEOUT', None)], [], '0 passed, 1 failed', 1),
    ('skipped points are neither', [('OK', TAP + 'ok 2 /b # SKIP no\n')], [], '1 passed, 0 failed', 0),
    ('several tests', [('OK', TAP), ('OK', ''), ('FAIL', 'not ok 1\n')], [], '2 passed, 1 failed', 1),
    ('a build that failed', [('OK', '')], ['--broken', '1'], '1 passed, 1 failed', 1),
    ('nothing at all is no success', [], [], '0 passed, 0 failed', 1),
]


def run(tests, options):
    with tempfile.NamedTemporaryFile('w', suffix='.json') as log:
        for number, (result, stdout) in enumerate(tests):
            log.write(json.dumps({'name': f'tau:core / x{number}', 'result': result, 'stdout': stdout}) + '\n')
        log.flush()
        done = subprocess.run([sys.executable, SCRIPT, *options, log.name],
                              capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[-1], done.returncode


def main():
    failures = 0
    print(f'1..{len(CASES)}')
    for number, (name, tests, options, line, status) in enumerate(CASES, 1):
        seen = run(tests, options)
        if seen == (line, status):
            print(f'ok {number} {name}')
        else:
            failures += 1
            print(f'not ok {number} {name}\n# expected {(line, status)}, got {seen}')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())

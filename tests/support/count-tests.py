#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up meson's test logs.

count-tests.py [--broken N] TESTLOG.JSON… ends with the line "N passed, N failed" and with status 1
if anything failed. Each point of a test that speaks TAP counts, and each other test is one; a test
that dies or ends early counts as one failure more. N builds that failed count too.

A file second.json beside a log holds the second try of what failed; its results are the ones that
count, and each is named. With --failed the names of failed tests are printed instead.
"""

import argparse
import json
import pathlib
import re
import sys

POINT = re.compile(r'^(not )?ok\b[^#\n]*(#\s*(?:skip|todo))?', re.IGNORECASE | re.MULTILINE)
GOOD = {'OK', 'EXPECTEDFAIL'}


def count_test(test):
    """(passed, failed, skipped) of one line of the log."""
    points = POINT.findall(test.get('stdout') or '')
    if test['result'] == 'SKIP' and not points:
        return 0, 0, 1
    skipped = sum(1 for _, directive in points if directive)
    failed = sum(1 for bad, directive in points if bad and not directive)
    passed = len(points) - skipped - failed
    if test['result'] not in GOOD and test['result'] != 'SKIP' and failed == 0:
        failed = 1
    elif not points:
        passed = 1
    return passed, failed, skipped


def read_log(path):
    """name → line of the log."""
    with open(path, encoding='utf-8') as log:
        return {test['name']: test for test in map(json.loads, log)}


def has_failed(test):
    return count_test(test)[1] > 0


def read_tries(path):
    """The lines of a log, with those of the second try in place of the first."""
    tests = read_log(path)
    second = pathlib.Path(path).with_name('second.json')
    if second.exists():
        for name, test in read_log(second).items():
            print(f'second try: {name}: {test["result"]}')
            tests[name] = test
    return tests.values()


def main():
    parser = argparse.ArgumentParser(description='Add up meson test logs.')
    parser.add_argument('--broken', type=int, default=0, help='builds that failed')
    parser.add_argument('--failed', action='store_true', help='print the names of failed tests')
    parser.add_argument('logs', nargs='*', metavar='TESTLOG.JSON')
    arguments = parser.parse_args()

    if arguments.failed:
        for path in arguments.logs:
            for name, test in read_log(path).items():
                if has_failed(test):
                    print(name.rpartition(' / ')[2])
        return 0

    passed, failed, skipped = 0, arguments.broken, 0
    for path in arguments.logs:
        for test in read_tries(path):
            passed, failed, skipped = (total + count for total, count
                                       in zip((passed, failed, skipped), count_test(test)))
    if skipped:
        print(f'skipped: {skipped}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())

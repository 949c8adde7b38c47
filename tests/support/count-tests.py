#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up meson's test logs.

count-tests.py [--broken N] TESTLOG.JSON… ends with the line "N passed, N failed" and with status 1
if anything failed. Each point of a test that speaks TAP counts, and each other test is one; a test
that dies or ends early counts as one failure more. N builds that failed count too.
"""

import argparse
import json
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


def main():
    parser = argparse.ArgumentParser(description='Add up meson test logs.')
    parser.add_argument('--broken', type=int, default=0, help='builds that failed')
    parser.add_argument('logs', nargs='*', metavar='TESTLOG.JSON')
    arguments = parser.parse_args()

    passed, failed, skipped = 0, arguments.broken, 0
    for path in arguments.logs:
        with open(path, encoding='utf-8') as log:
            for line in log:
                counts = count_test(json.loads(line))
                passed, failed, skipped = (total + count for total, count
                                           in zip((passed, failed, skipped), counts))
    if skipped:
        print(f'skipped: {skipped}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())

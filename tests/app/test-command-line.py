#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program tau as a command: what it prints, how it ends, and how it hands folders to the instance that runs."""

import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'support'))

from tau_window import TauWindow, report, wait_until  # noqa: E402

HEADER = '{"type":"session","version":3,"id":"0190f2d4-0000-7000-8000-000000000001",' \
         '"timestamp":"2026-01-01T00:00:00.000Z","cwd":"%s"}\n'
LEVEL = '{"type":"thinking_level_change","id":"aaaaaaa0","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z",' \
        '"thinkingLevel":"off"}\n'
MESSAGE = '{"type":"message","id":"aaaaaaa1","parentId":"aaaaaaa0","timestamp":"2026-01-01T00:00:01.000Z",' \
          '"message":{"role":"user","content":"Where am I","timestamp":1767225601000}}\n'


def run(window, *arguments):
    return subprocess.run([os.environ['TAU_PROGRAM'], *arguments], env=window.environment, cwd=window.scratch,
                          capture_output=True, text=True, timeout=60)


def frames(window):
    return [window.application.get_child_at_index(i) for i in range(window.application.get_child_count())]


def test_version_and_unknown_flag():
    window = TauWindow()
    assert run(window, '--version').stdout.startswith('tau ')
    ended = run(window, '--bogus')
    assert ended.returncode == 1 and '--bogus' in ended.stderr, ended
    shutil.rmtree(window.scratch)


def test_missing_folder_without_an_instance():
    window = TauWindow()
    ended = run(window, 'not-there')
    assert ended.returncode == 2 and 'not-there' in ended.stderr, ended
    shutil.rmtree(window.scratch)


def test_running_instance_opens_folders():
    with TauWindow({'README.md': 'Hi'}) as window:
        other = window.scratch / 'a folder, ünd ✓'
        other.mkdir()
        before = len(frames(window))
        assert run(window, str(other)).returncode == 0
        window.wait_for_text('a folder, ünd ✓')
        wait_until('a second window', lambda: len(frames(window)) == before + 1)
        assert run(window, 'a folder, ünd ✓').returncode == 0, 'a relative name'
        assert len(frames(window)) == before + 1, 'the folder was open already'
        ended = run(window, 'not-there')
        assert ended.returncode == 2 and 'not-there' in ended.stderr, ended
        (window.scratch / 'file').write_text('no folder')
        assert run(window, 'file').returncode == 2


def test_session_of_a_deleted_folder_opens():
    session = 'sessions/--gone--/2026-01-01T00-00-00-000Z_0190f2d4-0000-7000-8000-000000000001.jsonl'
    text = HEADER % '/nowhere/gone' + LEVEL + MESSAGE
    with TauWindow({'README.md': 'Hi'}, {session: text}) as window:
        window.click('list item', 'Where am I')
        window.wait_for_text('The folder /nowhere/gone is not there')
        window.wait_for('push button', 'Locate folder…')
        window.save_screenshot('command-line-folder-gone')
        assert (window.agent_dir / session).read_text() == text, (window.agent_dir / session).read_text()


def test_session_as_argument():
    with TauWindow({'README.md': 'Hi'}) as window:
        path = window.scratch / 's.jsonl'
        text = HEADER % window.folder + LEVEL + MESSAGE
        path.write_text(text)
        before = len(frames(window))
        assert run(window, str(path)).returncode == 0
        wait_until('a second window', lambda: len(frames(window)) == before + 1)
        window.wait_for_text('Where am I')
        assert run(window, 's.jsonl').returncode == 0, 'a relative name'
        assert len(frames(window)) == before + 1, 'it was open already'
        assert path.read_text() == text


report(globals())

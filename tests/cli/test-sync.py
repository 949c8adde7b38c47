#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A disk that fails when it is asked whether it has what was written: the kernel refuses fsync() to tau-agent.

A filter of system calls (seccomp(2)) does that without any help of the program. What is said is written all the same,
and whoever started the program is told.
"""

import ctypes
import http.server
import json
import os
import pathlib
import platform
import struct
import subprocess
import sys
import tempfile
import threading

FSYNC = {'x86_64': 74, 'aarch64': 82, 'riscv64': 82}.get(platform.machine())
EIO = 5


class Model(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers['Content-Length']))
        parts = [{'index': 0, 'delta': {'content': 'An answer.'}, 'finish_reason': None},
                 {'index': 0, 'delta': {}, 'finish_reason': 'stop'}]
        text = ''.join(f'data: {json.dumps({"id": "r", "model": "m1", "choices": [part]})}\n\n' for part in parts)
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.end_headers()
        self.wfile.write((text + 'data: [DONE]\n\n').encode())


def refuse_fsync():
    """Load the number of the call; if it is fsync, answer EIO; else allow."""
    statements = [(0x20, 0, 0, 0), (0x15, 0, 1, FSYNC), (0x06, 0, 0, 0x00050000 | EIO), (0x06, 0, 0, 0x7fff0000)]
    code = b''.join(struct.pack('HBBI', *statement) for statement in statements)
    buffer = ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(struct.pack('HxxxxxxP', len(statements), ctypes.addressof(buffer)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:
        os._exit(99)


def run(home, port, confine):
    (home / 'agent').mkdir()
    (home / 'project').mkdir()
    (home / 'agent' / 'models.json').write_text(json.dumps({'providers': {'mock': {
        'baseUrl': f'http://127.0.0.1:{port}/v1', 'apiKey': 'k', 'api': 'openai-completions', 'models': [{'id': 'm1'}]}}}))
    environment = dict(os.environ, HOME=str(home), PI_CODING_AGENT_DIR=str(home / 'agent'), PI_OFFLINE='1',
                       XDG_STATE_HOME=str(home / 'state'))
    return subprocess.run([os.environ['TAU_AGENT_PROGRAM'], '--model', 'mock/m1', '-p', 'Say something'], cwd=home / 'project',
                          env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, preexec_fn=confine)


def check(home, ended, status):
    files = list((home / 'agent' / 'sessions').rglob('*.jsonl'))
    assert ended.returncode == status, ended
    assert ended.stdout == 'An answer.\n', ended
    assert len(files) == 1, files
    roles = [json.loads(line).get('message', {}).get('role') for line in files[0].read_text().splitlines()]
    assert [role for role in roles if role] == ['user', 'assistant'], roles


def main():
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print('1..2')
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        ended = run(home, server.server_address[1], None)
        check(home, ended, 0)
        assert 'Error' not in ended.stderr, ended
    print('ok 1 - fsync works')
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        ended = run(home, server.server_address[1], refuse_fsync) if FSYNC is not None else None
        if ended is None or ended.returncode == 99:
            print('ok 2 - P59: fsync fails # SKIP no filter of system calls here')
        else:
            check(home, ended, 1)
            assert 'Input/output error' in ended.stderr, ended
            print('ok 2 - P59: fsync fails')
    server.shutdown()


sys.exit(main())

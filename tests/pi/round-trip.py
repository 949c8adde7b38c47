#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pi itself and tau-agent at the same session files, by turns and at once.

$TAU_PI is the folder that tests/pi/install filled. The model is a server of this program, which answers each prompt with
a command and then with a text.
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

PI = pathlib.Path(os.environ['TAU_PI']) / 'node_modules' / '@mariozechner' / 'pi-coding-agent' / 'dist' / 'cli.js'
PATIENCE = 120


def chunk(delta, finish=None):
    body = {'id': 'r', 'model': 'm1', 'choices': [{'index': 0, 'delta': delta, 'finish_reason': finish}]}
    return f'data: {json.dumps(body)}\n\n'


class Model(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_arguments):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        last = request['messages'][-1]
        if last['role'] == 'tool':
            text = chunk({'role': 'assistant', 'content': 'It was done.'}) + chunk({}, 'stop')
        else:
            call = {'name': 'bash', 'arguments': json.dumps({'command': 'echo "a\u2028b"; printf "ü\\n"'})}
            text = chunk({'role': 'assistant', 'tool_calls': [{'index': 0, 'id': f'call_{len(request["messages"])}',
                                                               'type': 'function', 'function': call}]})
            text += chunk({}, 'tool_calls')
        data = (text + 'data: [DONE]\n\n').encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def environment(home):
    return dict(os.environ, HOME=str(home), PI_CODING_AGENT_DIR=str(home / 'agent'), PI_OFFLINE='1',
                XDG_STATE_HOME=str(home / 'state'))


def run(home, program, session, prompt):
    done = subprocess.run([*program, '--mode', 'json', '--model', 'mock/m1', '--session', str(session), '-p', prompt],
                          cwd=home / 'project', env=environment(home), stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr.decode()[-500:]
    assert b'"agent_end"' in done.stdout, done.stdout[-500:]


def pi(home, session, prompt):
    run(home, ['node', str(PI)], session, prompt)


def tau(home, session, prompt):
    run(home, [os.environ['TAU_AGENT_PROGRAM']], session, prompt)


def read(path):
    """All entries; each line is one object, and each but the first hangs on one before it."""
    lines = path.read_bytes().split(b'\n')
    assert lines.pop() == b'', 'the last line has no end'
    entries = [json.loads(line) for line in lines]
    assert entries[0]['type'] == 'session' and sum(entry['type'] == 'session' for entry in entries) == 1
    ids = set()
    for entry in entries[1:]:
        assert entry['id'] not in ids, f'{entry["id"]} is there twice'
        assert entry['parentId'] is None or entry['parentId'] in ids, f'{entry["id"]} hangs on nothing'
        ids.add(entry['id'])
    return entries


def prompts(entries):
    return [entry['message']['content'][0]['text'] for entry in entries
            if entry['type'] == 'message' and entry['message']['role'] == 'user']


def messages(entries):
    return [entry['message']['role'] for entry in entries if entry['type'] == 'message']


def by_turns(home, programs):
    session = home / 'by-turns.jsonl'
    session.unlink(missing_ok=True)
    known = b''
    for number, program in enumerate(programs):
        program(home, session, f'prompt {number}')
        now = session.read_bytes()
        assert now.startswith(known), 'what was written was changed'
        known = now
    entries = read(session)
    assert prompts(entries) == [f'prompt {number}' for number in range(len(programs))], prompts(entries)
    assert messages(entries) == ['user', 'assistant', 'toolResult', 'assistant'] * len(programs), messages(entries)
    assert all(entry['parentId'] == former['id'] for former, entry in zip(entries[1:], entries[2:]))


def branch_and_name(home):
    """A session with a name, a bookmark and two branches: pi goes on where Tau was, and knows the name."""
    session = home / 'branches.jsonl'
    tau(home, session, 'one')
    tau(home, session, 'two')
    entries = read(session)
    first_answer = next(e['id'] for e in entries if e['type'] == 'message' and e['message'].get('stopReason') == 'stop')
    stamp = '2026-01-02T03:04:05.678Z'
    with session.open('a') as file:
        file.write(json.dumps({'type': 'label', 'id': 'aaaa0001', 'parentId': first_answer, 'timestamp': stamp,
                               'targetId': first_answer, 'label': 'mark'}) + '\n')
        file.write(json.dumps({'type': 'session_info', 'id': 'aaaa0002', 'parentId': 'aaaa0001', 'timestamp': stamp,
                               'name': 'a name'}) + '\n')
    pi(home, session, 'other branch')
    tau(home, session, 'and on')
    entries = read(session)
    assert prompts(entries) == ['one', 'two', 'other branch', 'and on']
    parents = {entry['id']: entry['parentId'] for entry in entries[1:]}
    path, at = [], entries[-1]['id']
    while at is not None:
        path.append(at)
        at = parents[at]
    on_path = [entry for entry in entries if entry.get('id') in path]
    assert prompts(on_path) == ['one', 'other branch', 'and on'], prompts(on_path)


class Held:
    """tau-agent that has a session open."""

    def __init__(self, home, session):
        self.process = subprocess.Popen([os.environ['TAU_AGENT_PROGRAM'], '--mode', 'rpc', '--model', 'mock/m1',
                                         '--session', str(session)], cwd=home / 'project', env=environment(home),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for(self, kind):
        for line in self.process.stdout:
            event = json.loads(line)
            if event['type'] == kind:
                return event
        raise AssertionError(f'{kind} did not come')

    def ask(self, command):
        self.process.stdin.write(json.dumps(command).encode() + b'\n')
        self.process.stdin.flush()
        return self.wait_for('response').get('data')

    def end(self):
        _, errors = self.process.communicate(timeout=PATIENCE)
        return errors.decode()


def at_once(home):
    """pi knows no lease: it writes while Tau has the session. Tau goes on from what it shows, and says so."""
    session = home / 'at-once.jsonl'
    tau(home, session, 'first')
    held = Held(home, session)
    held.ask({'type': 'get_state'})
    pi(home, session, 'from pi')
    held.ask({'type': 'prompt', 'message': 'from Tau'})
    held.wait_for('agent_end')
    pi(home, session, 'from pi again')
    held.ask({'type': 'prompt', 'message': 'from Tau again'})
    held.wait_for('agent_end')
    errors = held.end()
    assert 'Another program wrote' in errors, errors
    entries = read(session)
    assert sorted(prompts(entries)) == ['first', 'from Tau', 'from Tau again', 'from pi', 'from pi again']
    assert len(messages(entries)) == 20


def old_version(home):
    """A list of version 1, migrated by Tau with its first prompt; pi goes on."""
    session = home / 'old.jsonl'
    stamp = '2025-01-02T03:04:05.678Z'
    session.write_text(json.dumps({'type': 'session', 'id': 'old', 'timestamp': stamp, 'cwd': str(home / 'project')}) + '\n'
                       + json.dumps({'type': 'message', 'timestamp': stamp,
                                     'message': {'role': 'user', 'content': [{'type': 'text', 'text': 'long ago'}], 'timestamp': 1}}) + '\n')
    tau(home, session, 'now')
    pi(home, session, 'later')
    entries = read(session)
    assert entries[0]['version'] == 3
    assert prompts(entries) == ['long ago', 'now', 'later']
    assert not session.with_name('old.jsonl.bak').exists()


def main():
    if not PI.is_file():
        print(f'1..0 # SKIP not run: pi (tests/pi/install {os.environ["TAU_PI"]} installs it)')
        return 0

    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Model)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    points = [
        ('tau, pi, tau, pi', lambda home: by_turns(home, [tau, pi, tau, pi])),
        ('pi, tau, pi', lambda home: by_turns(home, [pi, tau, pi])),
        ('branches, name and bookmark', branch_and_name),
        ('p58 pi writes while Tau has the session', at_once),
        ('version 1', old_version),
    ]
    failed = 0
    print(f'1..{len(points)}')
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        (home / 'agent').mkdir()
        (home / 'project').mkdir()
        models = {'providers': {'mock': {'baseUrl': f'http://127.0.0.1:{server.server_port}/v1', 'apiKey': 'k',
                                         'api': 'openai-completions', 'models': [{'id': 'm1', 'name': 'm1', 'contextWindow': 200000}]}}}
        (home / 'agent' / 'models.json').write_text(json.dumps(models))
        for number, (name, function) in enumerate(points, 1):
            try:
                function(home)
                print(f'ok {number} {name}', flush=True)
            except (AssertionError, KeyError, ValueError, subprocess.TimeoutExpired) as error:
                failed += 1
                what = str(error).replace('\n', '\n# ')
                print(f'not ok {number} {name}\n# {type(error).__name__}: {what}', flush=True)
    return 1 if failed else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills tau-agent at random moments of a run with tools, starts it again and looks for what it had said.

Every message that was told on standard output before the kill must be there after the next start, in order and once;
no line of the file may be torn when the run goes on. The second test does the same while a file system of 1 MB fills up
(a tmpfs of our own where mounting is allowed, else a limit on the size of files). TAU_KILLS=500 makes it thorough.
"""

import http.server
import json
import os
import pathlib
import queue
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

KILLS = int(os.environ.get('TAU_KILLS', '15'))
PATIENCE = 120
MEGABYTE = 1024 * 1024
BALLAST = 700 * 1024


def chunk(delta, finish=None):
    body = {'id': 'r', 'model': 'm1', 'choices': [{'index': 0, 'delta': delta, 'finish_reason': finish}]}
    return f'data: {json.dumps(body)}\n\n'


class Model(http.server.BaseHTTPRequestHandler):
    """Asks for two commands and a file, then answers; what it says depends on the request alone."""

    protocol_version = 'HTTP/1.1'
    padding = 0   # bytes that a command prints

    def log_message(self, *_arguments):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        results = 0
        for message in reversed(request['messages']):
            if message['role'] == 'user':
                break
            results += message['role'] == 'tool'
        if results < 3:
            call = [('bash', {'command': f'echo one; sleep 0.01; head -c {self.padding} /dev/zero | tr "\\0" x'}),
                    ('write', {'path': 'f.txt', 'content': 'text'}),
                    ('bash', {'command': 'cat f.txt'})][results]
            text = chunk({'tool_calls': [{'index': 0, 'id': f'call_{time.monotonic_ns()}', 'type': 'function',
                                          'function': {'name': call[0], 'arguments': json.dumps(call[1])}}]})
            text += chunk({}, 'tool_calls')
        else:
            text = chunk({'content': 'Half of it, '}) + chunk({'content': 'and the rest.'}) + chunk({}, 'stop')
        text += 'data: [DONE]\n\n'
        data = text.encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        try:
            half = len(data) // 2
            self.wfile.write(data[:half])
            self.wfile.flush()
            time.sleep(random.uniform(0, 0.02))
            self.wfile.write(data[half:])
        except OSError:
            pass   # it was killed


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass   # a connection of somebody who was killed


class Agent:
    """One life of tau-agent in RPC mode. A thread reads what it says, and ends with it."""

    last = None

    def __init__(self, home, session, limit=None):
        environment = dict(os.environ, HOME=str(home), PI_CODING_AGENT_DIR=str(home / 'agent'), PI_OFFLINE='1',
                           XDG_STATE_HOME=str(home / 'state'))

        def confine():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

        self.errors = open(home / 'errors.txt', 'ab')
        self.process = subprocess.Popen([os.environ['TAU_AGENT_PROGRAM'], '--mode', 'rpc', '--model', 'mock/m1',
                                         '--session', str(session)],
                                        cwd=home / 'project', env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, preexec_fn=confine)
        self.lines = queue.Queue()
        self.messages = []   # told by message_end
        self.answers = {}
        self.idle = threading.Event()
        self.thread = threading.Thread(target=self.read)
        self.thread.start()
        Agent.last = self

    def read(self):
        for line in self.process.stdout:
            if not line.endswith(b'\n'):
                break
            event = json.loads(line)
            if event['type'] == 'message_end':
                self.messages.append(event['message'])
            elif event['type'] == 'agent_end':
                self.idle.set()
            elif event['type'] == 'response':
                self.lines.put(event)

    def ask(self, command):
        self.process.stdin.write(json.dumps(command).encode() + b'\n')
        self.process.stdin.flush()
        answer = self.lines.get(timeout=PATIENCE)
        assert answer['success'], answer
        return answer.get('data')

    def prompt(self):
        self.idle.clear()
        self.ask({'type': 'prompt', 'message': f'Go on. {random.random()}'})

    def live(self, n_messages):
        """Until so many messages were told, however slow this machine is."""
        deadline = time.monotonic() + PATIENCE
        self.prompt()
        while len(self.messages) < n_messages:
            assert time.monotonic() < deadline, 'it said nothing any more'
            if self.idle.wait(0.005):
                self.prompt()

    def kill(self):
        self.process.kill()
        self.end()

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.thread.join(PATIENCE)
        self.process.stdout.close()
        self.errors.close()


def check_file(path, torn_allowed):
    data = path.read_bytes() if path.exists() else b''
    lines = data.split(b'\n')
    ids = set()
    last = lines.pop()
    assert torn_allowed or last == b'', f'torn: {last[:80]!r}'
    for line in lines:
        entry = json.loads(line)
        assert entry['id'] not in ids, f'twice: {entry["id"]}'
        ids.add(entry['id'])


def set_up(home, port):
    (home / 'agent').mkdir(parents=True)
    (home / 'project').mkdir()
    models = {'providers': {'mock': {'baseUrl': f'http://127.0.0.1:{port}/v1', 'apiKey': 'k', 'api': 'openai-completions',
                                     'models': [{'id': 'm1', 'contextWindow': 100000000}]}}}
    (home / 'agent' / 'models.json').write_text(json.dumps(models))
    (home / 'agent' / 'settings.json').write_text('{"retry":{"enabled":false},"compaction":{"enabled":false}}')


def live_and_die(home, path, known, limit=None):
    """One start, a look at what is there, a piece of a run, a kill. Returns what must be there the next time."""
    agent = Agent(home, path, limit)
    messages = agent.ask({'type': 'get_messages'})['messages']
    assert messages[:len(known)] == known, f'{len(known)} messages were told, {len(messages)} are there'
    check_file(path, True)
    known = messages
    agent.live(random.randrange(12))
    time.sleep(random.uniform(0, 0.03))
    agent.kill()
    return known + agent.messages


def finish(home, path, known):
    agent = Agent(home, path)
    messages = agent.ask({'type': 'get_messages'})['messages']
    assert messages[:len(known)] == known, f'{len(known)} messages were told, {len(messages)} are there'
    agent.prompt()
    assert agent.idle.wait(PATIENCE)
    told = len(messages) + len(agent.messages)
    agent.end()
    check_file(path, False)
    on_disk = sum(json.loads(line)['type'] == 'message' for line in path.read_bytes().splitlines())
    assert on_disk == told, f'{told} messages were told, {on_disk} are in the file'


def kill_often(home):
    known, total = [], 0
    for i in range(KILLS):
        if i % 25 == 0:
            if known:
                finish(home, path, known)
            path = home / 'sessions' / f'{i}.jsonl'
            path.parent.mkdir(exist_ok=True)
            total += len(known)
            known = []
        known = live_and_die(home, path, known)
    finish(home, path, known)
    return f'{KILLS} kills, {total + len(known)} messages'


def fill_up(home, small, limit):
    """The session file cannot grow beyond what the file system holds; what is said is kept elsewhere until it can."""
    path = small / 's.jsonl'
    (small / 'ballast').write_bytes(bytes(BALLAST))
    (home / 'errors.txt').touch()
    known, rounds = [], 0
    Model.padding = 40000
    while b'cannot write' not in (home / 'errors.txt').read_bytes():
        known = live_and_die(home, path, known, limit)
        rounds += 1
        assert rounds < 100, 'it never became full'
    Model.padding = 2000   # the limit counts for the journal too
    for _ in range(max(5, KILLS // 10)):
        known = live_and_die(home, path, known, limit)
    full = path.stat().st_size
    Model.padding = 0
    if limit is None:
        subprocess.run(['mount', '-o', 'remount,size=64m', small], check=True)
    finish(home, path, known)
    return f'{len(known)} messages, the file was full with {full} bytes'


def text_of(message):
    content = message['content']
    return content if isinstance(content, str) else ''.join(block.get('text', '') for block in content)


def several_at_once(home):
    """Programs in one folder are killed together: each session has its own words and its own name afterwards."""
    rounds, count = max(2, KILLS // 50), 4
    folder = home / 'sessions'
    folder.mkdir()
    for _ in range(rounds):
        agents = [Agent(home, folder / f'{i}.jsonl') for i in range(count)]
        for i, agent in enumerate(agents):
            agent.ask({'type': 'set_session_name', 'name': f'name {i}'})
            agent.idle.clear()
            agent.ask({'type': 'prompt', 'message': f'I am {i}'})
        assert agents[-1].idle.wait(PATIENCE)
        for agent in agents:
            agent.process.kill()
        for agent in agents:
            agent.end()
    for i in range(count):
        agent = Agent(home, folder / f'{i}.jsonl')
        said = [text_of(message) for message in agent.ask({'type': 'get_messages'})['messages'] if message['role'] == 'user']
        assert said == [f'I am {i}'] * rounds, said
        assert agent.ask({'type': 'get_state'})['sessionName'] == f'name {i}'
        agent.end()
        check_file(folder / f'{i}.jsonl', True)
    return f'{rounds} rounds of {count} programs'


def tap(number, name, function, *arguments):
    try:
        print(f'ok {number} {name} # {function(*arguments)}', flush=True)
        return 0
    except (AssertionError, queue.Empty, OSError, subprocess.SubprocessError) as error:
        print(f'not ok {number} {name}\n# {error!r}', flush=True)
        Agent.last.process.kill()
        return 1


def main():
    if os.environ.get('TAU_OWN_MOUNTS') is None:
        os.environ['TAU_OWN_MOUNTS'] = 'no'
        if subprocess.run(['unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'], capture_output=True, check=False).returncode == 0:
            os.environ['TAU_OWN_MOUNTS'] = 'yes'
            os.execvp('unshare', ['unshare', '-rm', sys.executable, __file__])

    server = Server(('127.0.0.1', 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failed = 0
    print('1..3')
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        set_up(home / 'one', server.server_port)
        failed += tap(1, '/kill/p60-at-random-moments', kill_often, home / 'one')
        set_up(home / 'two', server.server_port)
        small = home / 'two' / 'small'
        small.mkdir()
        limit = None
        if os.environ['TAU_OWN_MOUNTS'] == 'yes':
            subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={MEGABYTE}', 'none', small], check=True)
        else:
            limit = MEGABYTE - BALLAST
            print('# mounting is not allowed here: a limit on the size of files instead')
        failed += tap(2, '/kill/p59-while-the-disk-fills-up', fill_up, home / 'two', small, limit)
        if limit is None:
            subprocess.run(['umount', small], check=True)
        set_up(home / 'three', server.server_port)
        failed += tap(3, '/kill/p62-several-at-once', several_at_once, home / 'three')
    return 1 if failed else 0


sys.exit(main())

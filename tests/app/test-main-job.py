#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The main job in a real window: open a folder, ask, watch tools run, stop, come back after a crash."""

import json
import pathlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'support'))

from tau_window import TauWindow, report, wait_until  # noqa: E402

FILES = {'README.md': '# Widget\n\nCounts things.\n', 'src/count.c': 'int count (void)\n{\n  return 1;\n}\n'}
DEMO = {'TAU_DEMO_SPEED': 'fast'}


class ModelServer:
    """An OpenAI-compatible server on loopback whose answers are given by the test."""

    def __init__(self, answer):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                outer.requests.append(json.loads(self.rfile.read(int(self.headers['content-length']))))
                answer(self, len(outer.requests) - 1)

            def log_message(self, *unused):
                pass

        self.requests = []
        self.server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def models(self):
        """models.json that offers the server, and settings.json that chooses it."""
        provider = {'baseUrl': f'http://127.0.0.1:{self.server.server_port}/v1', 'apiKey': 'key',
                    'api': 'openai-completions', 'models': [{'id': 'test-model', 'name': 'Test model'}]}
        return {'models.json': json.dumps({'providers': {'local': provider}}),
                'settings.json': json.dumps({'defaultProvider': 'local', 'defaultModel': 'test-model',
                                             'retry': {'enabled': False}})}


def start_stream(handler):
    handler.send_response(200)
    handler.send_header('content-type', 'text/event-stream')
    handler.end_headers()


def send(handler, delta=None, finish=None):
    choice = {'index': 0, 'delta': delta or {}, 'finish_reason': finish}
    handler.wfile.write(b'data: ' + json.dumps({'id': 'r', 'choices': [choice]}).encode() + b'\n\n')
    handler.wfile.flush()


def sessions(window):
    return sorted((window.agent_dir / 'sessions').rglob('*.jsonl'))


def entries(window):
    return [json.loads(line) for path in sessions(window) for line in path.read_text().splitlines()]


def roles(window):
    return [entry['message']['role'] for entry in entries(window) if entry['type'] == 'message']


def test_demo_works_on_the_folder():
    with TauWindow(FILES, environment=DEMO) as window:
        window.wait_for_text('project')
        window.save_screenshot('main-first-run')
        window.press('push button', 'Try the demo')
        window.wait_for_text('scripted')
        wait_until('tool results in the session file', lambda: 'toolResult' in roles(window))
        wait_until('the end of the run', lambda: window.find('push button', 'Send'))
        window.save_screenshot('main-demo')
        stops = [entry['message'].get('stopReason') for entry in entries(window)
                 if entry['type'] == 'message' and entry['message']['role'] == 'assistant']
        assert stops[-1] == 'stop', stops
        names = {block['name'] for entry in entries(window) if entry['type'] == 'message'
                 and entry['message']['role'] == 'assistant'
                 for block in entry['message']['content'] if block['type'] == 'toolCall'}
        assert {'bash', 'read', 'edit'} <= names, names
        assert (window.folder / 'README.md').read_text() == FILES['README.md']


def test_refused_key_is_said_with_retry():
    def refuse(handler, n):
        body = json.dumps({'error': {'message': 'Incorrect API key provided'}}).encode()
        handler.send_response(401)
        handler.send_header('content-type', 'application/json')
        handler.send_header('content-length', str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    server = ModelServer(refuse)
    with TauWindow(FILES, server.models) as window:
        window.set_text(window.wait_for('text', 'Message'), 'Hello')
        window.press('push button', 'Send')
        window.wait_for_text('401')
        window.wait_for('push button', 'Retry')
        window.save_screenshot('main-refused')
        window.press('push button', 'Retry')
        wait_until('a second request', lambda: len(server.requests) == 2)
        assert 'user' in roles(window)


def test_killed_while_streaming_loses_no_finished_message():
    release = threading.Event()

    def answer(handler, n):
        start_stream(handler)
        if n == 0:
            send(handler, {'content': 'First answer.'})
            send(handler, finish='stop')
            handler.wfile.write(b'data: [DONE]\n\n')
            return
        send(handler, {'content': 'Second answer, half'})
        release.wait(60)

    server = ModelServer(answer)
    with TauWindow(FILES, server.models) as window:
        window.set_text(window.wait_for('text', 'Message'), 'One')
        window.press('push button', 'Send')
        window.wait_for_text('First answer.')
        wait_until('the end of the run', lambda: window.find('push button', 'Send'))
        window.set_text(window.wait_for('text', 'Message'), 'Two')
        window.press('push button', 'Send')
        window.wait_for_text('Second answer, half')
        window.kill()
        assert roles(window) == ['user', 'assistant', 'user'], roles(window)
        release.set()

        window.start()
        window.click('list item', 'One')
        window.wait_for_text('First answer.')
        window.wait_for_text('Two')
        window.save_screenshot('main-after-crash')


def test_screen_reader_hears_each_message_once():
    """P82: one event a message, when it is finished; none for the tokens."""
    words = [f'word{i} ' for i in range(200)]

    def answer(handler, n):
        start_stream(handler)
        for word in words:
            send(handler, {'content': word})
        send(handler, finish='stop')
        handler.wfile.write(b'data: [DONE]\n\n')

    server = ModelServer(answer)
    with TauWindow(FILES, server.models) as window:
        for _ in range(2):
            with window.listen('object:property-change:accessible-name') as heard:
                window.set_text(window.wait_for('text', 'Message'), 'Go')
                window.press('push button', 'Send')
                wait_until('the end of the answer', lambda: [text for _, text in heard if 'word199' in text])
                wait_until('the end of the run', lambda: window.find('push button', 'Send'))
            spoken = [text.strip() for role, text in heard if role == 'status bar' or 'word1 ' in text]
            assert spoken == [''.join(words).strip()], spoken


def test_stop_ends_a_stream():
    release = threading.Event()

    def answer(handler, n):
        start_stream(handler)
        send(handler, {'content': 'A long answer'})
        release.wait(60)

    server = ModelServer(answer)
    with TauWindow(FILES, server.models) as window:
        window.set_text(window.wait_for('text', 'Message'), 'Go')
        window.press('push button', 'Send')
        window.wait_for_text('A long answer')
        window.save_screenshot('main-streaming')
        window.press('push button', 'Stop')
        window.wait_for('push button', 'Send')
        stops = [entry['message']['stopReason'] for entry in entries(window)
                 if entry['type'] == 'message' and entry['message']['role'] == 'assistant']
        assert stops == ['aborted'], stops
        release.set()


def test_broken_files_are_said_and_left_alone():
    broken = '{"providers": {\n  "x": [}\n}'
    with TauWindow(FILES, {'models.json': broken, 'auth.json': '{', 'settings.json': '[1,'}, DEMO) as window:
        window.wait_for_text('models.json')
        window.wait_for_text('auth.json')
        window.wait_for_text('settings.json')
        window.wait_for_text('line 2')
        window.save_screenshot('main-broken-files')
        window.press('push button', 'Try the demo')
        window.wait_for_text('scripted')
        assert (window.agent_dir / 'models.json').read_text() == broken
        assert (window.agent_dir / 'auth.json').read_text() == '{'
        assert (window.agent_dir / 'settings.json').read_text() == '[1,'


report(globals())

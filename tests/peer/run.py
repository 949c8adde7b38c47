#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Conversations of tau-agent with aimock, a model server that none of us wrote.

run.py TAU_AGENT FOLDER: FOLDER is where tests/peer/install has put it; README.md says how. One TAP point
for each conversation in each of four protocols, for each move from one protocol to another in the middle,
and for what the server is to refuse.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

# Name of the provider → protocol, what follows the server's address, model. Anthropic's is one that thinks as it likes: of one
# with a budget the peer wants thinking before each call of the whole conversation, and Anthropic itself of the last only.
APIS = {
    'chat': ('openai-completions', '/v1', 'mock-gpt'),
    'responses': ('openai-responses', '/v1', 'mock-gpt'),
    'anthropic': ('anthropic-messages', '', 'mock-opus-4-6'),
    'google': ('google-generative-ai', '/v1beta', 'gemini-3-mock'),
}
BUDGET = 'anthropic-budget'

# Conversation → (prompt, what the last answer says, how many tool results there are)
TALKS = {
    'text': ('say hello', 'Hello from the peer, with \u00fc and \U0001f332.', 0),
    'tools': ('use one tool', 'The tool said first.', 1),
    'parallel': ('use two tools', 'Left and right.', 2),
    'thinking': ('think and act', 'Thought and done.', 1),
}


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def point(self, problem, name):
        self.count += 1
        self.failed += bool(problem)
        print(f'{"not ok" if problem else "ok"} {self.count} {name}')
        for line in (problem or '').splitlines():
            print(f'# {line}')
        if problem:
            print(f'{name}: {problem}', file=sys.stderr)  # the log of a failed test shows this
        sys.stdout.flush()


class Place:
    """An agent folder whose models are the peer's, and a project."""

    def __init__(self, folder, program, url):
        self.program = program
        self.project = folder / 'project'
        self.agent = folder / 'agent'
        self.providers = {**APIS, BUDGET: ('anthropic-messages', '', 'mock-haiku-4-5')}
        self.project.mkdir()
        self.agent.mkdir()
        (self.agent / 'settings.json').write_text(json.dumps({'retry': {'enabled': False}}))
        (self.agent / 'models.json').write_text(json.dumps({'providers': {
            name: {
                'baseUrl': url + path, 'api': api, 'apiKey': 'mock',
                'models': [{'id': model, 'name': model, 'reasoning': True, 'input': ['text'],
                            'cost': {'input': 0, 'output': 0, 'cacheRead': 0, 'cacheWrite': 0},
                            'contextWindow': 200000, 'maxTokens': 32000}],
            } for name, (api, path, model) in self.providers.items()}}))

    def ask(self, provider, session, prompt):
        """What is wrong, or None."""
        done = subprocess.run(
            [self.program, '-p', '--provider', provider, '--model', self.providers[provider][2], '--thinking', 'medium',
             '--session', session, prompt],
            cwd=self.project, env={**os.environ, 'TAU_AGENT_DIR': str(self.agent), 'HOME': str(self.agent)},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        return None if done.returncode == 0 else f'exit {done.returncode}: {done.stdout}{done.stderr}'


def read_messages(session):
    entries = [json.loads(line) for line in session.read_text().splitlines()]
    return [entry['message'] for entry in entries if entry['type'] == 'message']


def last_text(messages):
    return ''.join(block.get('text', '') for block in messages[-1]['content'] if block['type'] == 'text')


def check_talk(place, provider, session, talk):
    """Has a conversation and says what is wrong with it, or nothing."""
    prompt, answer, n_results = TALKS[talk]
    before = len(read_messages(session)) if session.exists() else 0
    problem = place.ask(provider, session, prompt)
    if problem:
        return problem
    messages = read_messages(session)[before:]
    results = [message for message in messages if message['role'] == 'toolResult']
    if last_text(messages) != answer:
        return f'the last answer is: {last_text(messages)}'
    if len(results) != n_results or any(result['isError'] for result in results):
        return f'the results are: {results}'
    if [message['stopReason'] for message in messages if message['role'] == 'assistant'][-1] != 'stop':
        return 'the last answer did not stop by itself'
    return None


def check_all_talks(place, tap, folder):
    for provider in APIS:
        for talk in TALKS:
            tap.point(check_talk(place, provider, folder / f'{provider}-{talk}.jsonl', talk), f'{provider} {talk}')


def check_budget(place, tap, folder):
    """Thinking with a budget goes back with its signature, and is left out where the calls came without."""
    for talk in TALKS:
        tap.point(check_talk(place, BUDGET, folder / f'{BUDGET}-{talk}.jsonl', talk), f'{BUDGET} {talk}')


def check_turns(place, tap, folder):
    """All conversations, one behind the other, in one session."""
    for provider in APIS:
        session = folder / f'{provider}-turns.jsonl'
        problems = [check_talk(place, provider, session, talk) for talk in [*TALKS, 'text']]
        tap.point(next(filter(None, problems), None), f'{provider} turns')


def check_moves(place, tap, folder):
    """From each protocol to each other, and back."""
    for first in APIS:
        for second in APIS:
            if first == second:
                continue
            session = folder / f'{first}-{second}.jsonl'
            steps = [(first, 'thinking'), (second, 'parallel'), (first, 'tools'), (second, 'text')]
            problems = [check_talk(place, provider, session, talk) for provider, talk in steps]
            tap.point(next(filter(None, problems), None), f'{first} to {second} and back')


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {
        'content-type': 'application/json', 'authorization': 'Bearer mock', 'x-api-key': 'mock', 'x-goog-api-key': 'mock'})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def check_refusals(tap, url):
    """The peer does look at what it gets."""
    thinking = {'type': 'thinking', 'thinking': 'Hm', 'signature': ''}
    call = {'type': 'tool_use', 'id': 'toolu_1', 'name': 'bash', 'input': {}}
    bad = {
        'anthropic': ('/v1/messages', {
            'model': 'm', 'max_tokens': 9000, 'thinking': {'type': 'enabled', 'budget_tokens': 1024},
            'messages': [{'role': 'user', 'content': 'say hello'}, {'role': 'assistant', 'content': [thinking, call]},
                         {'role': 'user', 'content': [{'type': 'tool_result', 'tool_use_id': 'toolu_1', 'content': 'x'}]}]}),
        'chat': ('/v1/chat/completions', {'model': 'm'}),
        'responses': ('/v1/responses', []),
        'google': ('/v1beta/models/m:streamGenerateContent?alt=sse', {'contents': [{'role': 'user', 'parts': 'x'}]}),
    }
    for provider, (path, body) in bad.items():
        status = post(url + path, body)
        tap.point(None if status in (400, 422) else f'status {status}', f'{provider}: the peer refuses nonsense')


def not_run(why):
    print(f'1..0 # SKIP not run: aimock ({why})')
    return 0


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    aimock = pathlib.Path(sys.argv[2]) / 'node_modules' / '@copilotkit' / 'aimock'
    if not aimock.is_dir():
        return not_run(f'tests/peer/install {sys.argv[2]} installs it')

    tap = Tap()
    try:
        peer = subprocess.Popen(['node', pathlib.Path(__file__).parent / 'peer.mjs', aimock],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    except OSError:
        return not_run('no Node')
    with peer, tempfile.TemporaryDirectory() as name:
        url = peer.stdout.readline().strip()
        folder = pathlib.Path(name)
        place = Place(folder, program, url)
        check_all_talks(place, tap, folder)
        check_budget(place, tap, folder)
        check_turns(place, tap, folder)
        check_moves(place, tap, folder)
        check_refusals(tap, url)
        peer.stdin.close()
    print(f'1..{tap.count}')
    return 1 if tap.failed else 0


if __name__ == '__main__':
    sys.exit(main())

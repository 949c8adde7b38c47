#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rules about the source tree that no compiler checks.

test-layers.py SOURCE_ROOT prints TAP: one point for each rule over the tree, then one for each
rule over a small tree that breaks it, so that a rule that has gone blind is noticed.
"""

import pathlib
import re
import sys
import tempfile

# Layer → the other layers it may include. Everything up to "session" is the library tau-core.
MAY_INCLUDE = {
    'core/base': '',
    'core/message': 'core/base',
    'core/markdown': 'core/base',
    'core/config': 'core/base',
    'core/llm': 'core/message core/config core/base',
    'core/tool': 'core/message core/base',
    'core/agent': 'core/llm core/tool core/message core/base',
    'core/session': 'core/agent core/llm core/tool core/message core/markdown core/config core/base',
    'app': 'core/session core/tool core/message core/markdown core/config core/llm core/base',
    'cli': 'core/session core/tool core/llm core/message core/config core/base',
    'guard': '',  # a program of its own that includes nothing
    '': 'app core/base',  # main.c
}

# Packages: what an include line looks like, and which files may have it.
PACKAGES = [
    ('libsoup', r'<libsoup/', lambda path: path == 'core/llm/tau-http-stream.c'),
    ('json-glib', r'<json-glib/', lambda path: not path.startswith('app/')),
    ('GTK', r'<(gtk|gdk|gsk|adwaita|gtksourceview)[/.]',
     lambda path: not path.startswith(('core/', 'cli/'))),
]

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<][^">]+[">])', re.MULTILINE)
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.DOTALL)
TRANSLATED = re.compile(r'(?<![A-Za-z0-9_])(?:_|N_|C_|NC_|ngettext|g_dngettext)\s*\(')
TRANSLATED_UI = re.compile(r'translatable="(?:yes|true|1)"')
TAG = 'SPDX-License-Identifier: MIT'
TAGGED_SUFFIXES = {'.c', '.h', '.py', '.ui', '.css', '.xml', '.svg', '.in', '.sh', '.supp'}
GENERATED = {'config.h'}
PROGRAMS = {'tau-agent', 'tau-guard', 'tau-core', 'tau-app', 'tau-test-support'}


def layer_of(path):
    """The layer of a path below src/: its folder, or for app and cli the first part of it."""
    parts = path.split('/')
    if len(parts) == 1:
        return ''
    return '/'.join(parts[:2]) if parts[0] == 'core' else parts[0]


def sources(root, folder):
    """(path below folder, text) of each C file there."""
    base = root / folder
    for file in sorted(base.rglob('*.[ch]')):
        yield file.relative_to(base).as_posix(), file.read_text(encoding='utf-8')


def check_layers(root):
    for path, text in sources(root, 'src'):
        mine = layer_of(path)
        if mine not in MAY_INCLUDE:
            yield f'src/{path}: not in any layer'
            continue
        for line in INCLUDE.findall(text):
            name = line.strip('"<>')
            if line[0] != '"' or name in GENERATED:
                continue
            theirs = layer_of(name)
            if theirs != mine and theirs not in MAY_INCLUDE[mine].split():
                yield f'src/{path}: {mine or "main"} may not include "{name}"'


def check_packages(root):
    for path, text in sources(root, 'src'):
        for line in INCLUDE.findall(text):
            for package, pattern, allowed in PACKAGES:
                if re.match(pattern, line) and not allowed(path):
                    yield f'src/{path}: {package} has no place here ({line})'


def check_include_paths(root):
    for folder, bases in (('src', ['src']), ('tests', ['src', 'tests'])):
        for path, text in sources(root, folder):
            own = [f'tests/{path}/..'] if folder == 'tests' else []  # what one folder of tests shares
            for line in INCLUDE.findall(text):
                name = line.strip('"<>')
                if line[0] == '<' or name in GENERATED or name.endswith('-resources.h'):
                    continue
                if not any((root / base / name).resolve().is_file() for base in bases + own):
                    yield f'{folder}/{path}: "{name}" is not a path from {" or ".join(bases)}/'


def is_tagged_kind(file):
    if 'fixtures' in file.parts:
        return False
    if file.suffix in TAGGED_SUFFIXES:
        return True
    return file.suffix == '' and file.read_bytes()[:2] == b'#!'


def check_tags(root):
    files = [file for file in root.iterdir() if file.is_file()]
    for folder in ('src', 'ui', 'data', 'po', 'tests', '.ci'):
        files += (root / folder).rglob('*')
    for file in sorted(files):
        if not file.is_file() or '__pycache__' in file.parts or not is_tagged_kind(file):
            continue
        head = file.read_text(encoding='utf-8').splitlines()[:4]
        if not any(TAG in line for line in head):
            yield f'{file.relative_to(root)}: no "{TAG}" in its first lines'


def check_map(root):
    """src/README.md names each folder, with a slash behind it, and no file that is not there."""
    text = (root / 'src/README.md').read_text(encoding='utf-8')
    src = root / 'src'
    folders = [file.relative_to(src).as_posix() for file in src.rglob('*') if file.is_dir()]
    for folder in sorted(folders):
        if '__pycache__' not in folder and f'{folder}/' not in text:
            yield f'src/README.md: does not name the folder {folder}/'

    names = {file.name for part in ('src', 'ui', 'tests') for file in (root / part).rglob('*')}
    names |= {file.name for file in root.iterdir()}
    stems = {name.split('.')[0] for name in names} | PROGRAMS
    for word in sorted(set(re.findall(r'[a-z][a-z0-9-]*\.(?:[chsy]+|ui|css|build)\b', text))):
        if word not in names:
            yield f'src/README.md: there is no {word}'
    for word in sorted(set(re.findall(r'\btau-[a-z0-9-]*[a-z0-9]', text))):
        if word not in stems:
            yield f'src/README.md: there is no {word}'


def check_translations(root):
    """POTFILES.in lists exactly the files with text for people; data/ files are merged by meson."""
    lines = (root / 'po/POTFILES.in').read_text(encoding='utf-8').splitlines()
    listed = {line.strip() for line in lines if line.strip() and not line.startswith('#')}
    found = {f'src/{path}' for path, text in sources(root, 'src')
             if TRANSLATED.search(COMMENT.sub('', text))}
    found |= {file.relative_to(root).as_posix() for file in (root / 'ui').rglob('*.ui')
              if TRANSLATED_UI.search(file.read_text(encoding='utf-8'))}
    for path in sorted(found - listed):
        yield f'po/POTFILES.in: lacks {path}, which has text for people'
    for path in sorted(listed - found):
        if not path.startswith('data/'):
            yield f'po/POTFILES.in: {path} has no text for people'
        elif not (root / path).is_file():
            yield f'po/POTFILES.in: there is no {path}'


def check_dependencies(root):
    """The table in README.md gives each package of the list with the same reason."""
    readme = (root / 'README.md').read_text(encoding='utf-8')
    for line in (root / 'data/debian-packages.txt').read_text(encoding='utf-8').splitlines():
        if line and line[0] not in '#[':
            package, reason = line.split(maxsplit=1)
            if f'| {package} | {reason} |' not in readme:
                yield f'README.md: lacks "| {package} | {reason} |"'


TAGGED = f'/* {TAG} */\n'

# A tree that keeps every rule …
GOOD = {
    'src/README.md': 'core/ core/base/ core/llm/ app/: tau-json.c, tau-http-stream',
    'src/core/base/tau-json.h': TAGGED + '#include <json-glib/json-glib.h>\n',
    'src/core/base/tau-json.c': TAGGED + '#include "core/base/tau-json.h"\n#include "config.h"\n',
    'src/core/llm/tau-http-stream.c': TAGGED + '#include "core/base/tau-json.h"\n#include <libsoup/soup.h>\n',
    'src/app/tau-window.c': TAGGED + '#include "core/llm/tau-model.h"\n#include <gtk/gtk.h>\n'
                                     'char *text = _("Send"); /* not _("this") */\n',
    'src/core/llm/tau-model.h': TAGGED,
    'po/POTFILES.in': f'# {TAG}\nsrc/app/tau-window.c\nui/window.ui\n',
    'data/debian-packages.txt': f'# {TAG}\n[build]\ngcc  compiles\n',
    'README.md': '| gcc | compiles |\n',
    'ui/window.ui': f'<!-- {TAG} -->\n<property translatable="yes">Stop</property>\n',
    'tests/test-x.c': TAGGED + '#include "core/base/tau-json.h"\n',
}

# … and for each rule changes that break it, each of which must be noticed.
BAD = [
    (check_layers, {'src/core/base/tau-json.h': '#include "core/llm/tau-model.h"\n'}),
    (check_layers, {'src/app/tau-window.c': '#include "core/agent/tau-agent.h"\n'}),
    (check_layers, {'src/core/tool/tau-tool.h': '#include "core/llm/tau-model.h"\n'}),
    (check_layers, {'src/elsewhere/tau-x.c': ''}),
    (check_packages, {'src/core/llm/tau-model.h': '#include <libsoup/soup.h>\n'}),
    (check_packages, {'src/app/tau-window.c': '#include <json-glib/json-glib.h>\n'}),
    (check_packages, {'src/core/llm/tau-model.h': ' # include <gtk/gtk.h>\n'}),
    (check_packages, {'src/cli/tau-print-mode.c': '#include <adwaita.h>\n'}),
    (check_include_paths, {'src/core/base/tau-json.c': '#include "tau-json.h"\n'}),
    (check_include_paths, {'tests/test-x.c': '#include "core/base/tau-gone.h"\n'}),
    (check_tags, {'src/core/base/tau-json.c': '#include "core/base/tau-json.h"\n'}),
    (check_tags, {'tests/run': '#!/bin/bash\n'}),
    (check_map, {'src/core/tool/tau-tool.c': ''}),
    (check_map, {'src/README.md': 'core/ core/base/ core/llm/ app/: tau-gone.c'}),
    (check_map, {'src/README.md': 'core/ core/base/ core/llm/ app/: tau-gone'}),
    (check_translations, {'src/app/tau-other.c': 'char *text = C_("verb", "Open");\n'}),
    (check_translations, {'ui/row.ui': '<property translatable="yes">Retry</property>\n'}),
    (check_translations, {'po/POTFILES.in': 'src/app/tau-window.c\nui/window.ui\nsrc/gone.c\n'}),
    (check_dependencies, {'data/debian-packages.txt': '[build]\ngcc  compiles\nmeson  builds\n'}),
]


def complaints_in_tree(check, files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding='utf-8')
        return list(check(root))


class Tap:
    def __init__(self):
        self.points = 0
        self.failures = 0

    def point(self, passed, name, lines=()):
        self.points += 1
        self.failures += not passed
        print(f'{"ok" if passed else "not ok"} {self.points} {name}')
        for line in lines:
            print(f'# {line}')


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    checks = [check_layers, check_packages, check_include_paths, check_tags, check_map,
              check_translations, check_dependencies]
    tap = Tap()
    for check in checks:
        complaints = list(check(root))
        tap.point(not complaints, f'tree: {check.__name__}', complaints)
    for check in checks:
        complaints = complaints_in_tree(check, GOOD)
        tap.point(not complaints, f'self-test: {check.__name__} accepts a good tree', complaints)
    for number, (check, changes) in enumerate(BAD):
        complaints = complaints_in_tree(check, {**GOOD, **changes})
        tap.point(bool(complaints), f'self-test: {check.__name__} notices bad tree {number}')
    print(f'1..{tap.points}')
    return 1 if tap.failures else 0


if __name__ == '__main__':
    sys.exit(main())

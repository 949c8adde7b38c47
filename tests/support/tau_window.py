# SPDX-License-Identifier: MIT
"""Drives the program tau as a person would, over the accessibility bus.

For tests run by support/with-display: starts $TAU_PROGRAM with an agent folder of its own, finds
widgets by role and name, presses them, types, and saves what the screen shows as PNG.
"""

import contextlib
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

# Warnings shall be fatal in the program, not in this driver: the accessibility bus warns of objects that went away.
PROGRAM_DEBUG = os.environ.pop('G_DEBUG', '')

import gi  # noqa: E402

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, GLib  # noqa: E402

PATIENCE = 40.0  # seconds; sanitizer builds share a busy machine


def run_loop(milliseconds):
    """Lets messages of the bus in for a while, returning early when one came."""
    context = GLib.MainContext.default()
    source = GLib.timeout_add(milliseconds, lambda: GLib.SOURCE_CONTINUE)
    context.iteration(True)
    while context.iteration(False):
        pass
    GLib.source_remove(source)


def wait_until(what, condition):
    """Returns the first true value of condition(); fails with the text after PATIENCE seconds."""
    timer = GLib.get_monotonic_time()
    while True:
        value = condition()
        if value:
            return value
        if GLib.get_monotonic_time() - timer > PATIENCE * 1e6:
            raise AssertionError(f'waited {PATIENCE:.0f} s for: {what}')
        run_loop(50)


def role_of(node):
    """The name of an object's role; newer at-spi calls a push button a button."""
    role = node.get_role_name()
    return 'push button' if role == 'button' else role


def save_screen(path, width, height):
    """Writes the upper left part of the screen as PNG. The file of Xvfb is in format XWD."""
    data = pathlib.Path(os.environ['TAU_TEST_SCREEN']).read_bytes()
    fields = struct.unpack('>25I', data[:100])
    header_size, stride, n_colors = fields[0], fields[12], fields[19]
    start = header_size + 12 * n_colors
    rows = bytearray()
    for y in range(min(height, fields[5])):
        row = data[start + y * stride:start + y * stride + 4 * min(width, fields[4])]
        rgb = bytearray(len(row) // 4 * 3)
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        rows += b'\0' + rgb

    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))

    size = struct.pack('>IIBBBBB', min(width, fields[4]), min(height, fields[5]), 8, 2, 0, 0, 0)
    pathlib.Path(path).write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', size)
                                   + chunk(b'IDAT', zlib.compress(bytes(rows), 6)) + chunk(b'IEND', b''))


class TauWindow:
    """One running tau. Use as a context manager: the program and its folders go away at the end."""

    def __init__(self, files=None, agent_files=None, environment=None):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix='tau-window-'))
        self.folder = self.scratch / 'project'
        self.agent_dir = self.scratch / 'agent'
        for base, contents in ((self.folder, files or {}), (self.agent_dir, agent_files or {})):
            base.mkdir()
            for name, text in contents.items():
                (base / name).parent.mkdir(parents=True, exist_ok=True)
                (base / name).write_text(text, encoding='utf-8')
        self.environment = {**os.environ, 'G_DEBUG': PROGRAM_DEBUG, 'TAU_AGENT_DIR': str(self.agent_dir), **(environment or {})}
        self.process = None
        self.application = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *unused):
        self.stop()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def start(self, *arguments):
        """Starts the program on the folder and waits until it is on the bus."""
        self.process = subprocess.Popen([os.environ['TAU_PROGRAM'], *arguments, str(self.folder)],
                                        env=self.environment)
        self.application = wait_until('tau on the accessibility bus', self._find_application)

    def _find_application(self):
        assert self.process.poll() is None, f'tau ended with status {self.process.returncode}'
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child is not None and child.get_process_id() == self.process.pid:
                return child
        return None

    def stop(self):
        """Ends the program if it still runs."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)

    def kill(self):
        """Takes the program away in the middle of what it does."""
        self.process.kill()
        self.process.wait(PATIENCE)

    @contextlib.contextmanager
    def listen(self, event):
        """Collects the role and the name of whoever tells of that event while the block runs."""
        heard = []

        def told(what):
            try:
                heard.append((role_of(what.source), what.source.get_name() or ''))
            except GLib.Error:
                pass   # it is gone already

        listener = Atspi.EventListener.new(told)
        listener.register(event)
        try:
            yield heard
        finally:
            run_loop(50)
            listener.deregister(event)

    def nodes(self, parent=None):
        """All accessible objects below parent, depth first. Objects may vanish while we look."""
        waiting = [parent or self.application]
        while waiting:
            node = waiting.pop()
            yield node
            try:
                children = [node.get_child_at_index(i) for i in range(node.get_child_count())]
            except GLib.Error:
                continue
            waiting += [child for child in reversed(children) if child is not None]

    def find(self, role, name=None):
        """The first visible object of that role whose name is name (or any); None if there is none.

        GTK 4.8 sets the state SHOWING on windows only, so VISIBLE has to do.
        """
        for node in self.nodes():
            try:
                if role_of(node) != role or (name is not None and node.get_name() != name):
                    continue
                if not node.get_state_set().contains(Atspi.StateType.VISIBLE):
                    continue
                return node
            except GLib.Error:
                continue
        return None

    def texts(self):
        """The names and texts of everything that can be seen, joined: what a reader would read."""
        lines = []
        for node in self.nodes():
            try:
                lines.append(node.get_name() or '')
                if node.get_text_iface() is not None:
                    lines.append(Atspi.Text.get_text(node, 0, -1))
            except GLib.Error:
                continue
        return '\n'.join(lines)

    def wait_for(self, role, name=None):
        """Waits for an object and returns it."""
        return wait_until(f'{role} “{name}”', lambda: self.find(role, name))

    def wait_for_text(self, text):
        """Waits until the text can be read somewhere in the window."""
        wait_until(f'the text “{text}”', lambda: text in self.texts())

    def press(self, role, name):
        """Presses a button, activates a row, …: the object's first action."""
        node = self.wait_for(role, name)
        wait_until(f'{role} “{name}” sensitive',
                   lambda: node.get_state_set().contains(Atspi.StateType.SENSITIVE))
        assert node.get_action_iface().do_action(0), f'{role} “{name}” has no action'

    def click(self, role, name):
        """Clicks into the middle of an object with the pointer. The test's display has no window manager: the window
        stands at the screen's corner."""
        node = self.wait_for(role, name)
        box = wait_until(f'{role} “{name}” laid out', lambda: self._extents(node))
        assert Atspi.generate_mouse_event(box.x + box.width // 2, box.y + box.height // 2, 'b1c')

    @staticmethod
    def _extents(node):
        box = node.get_component_iface().get_extents(Atspi.CoordType.WINDOW)
        return box if box.width > 0 and box.height > 0 else None

    def set_text(self, node, text):
        """Replaces what a text field holds."""
        assert node.get_editable_text_iface().set_text_contents(text)

    def key(self, keyval):
        """Presses and releases a key in the window that has the focus."""
        assert Atspi.generate_keyboard_event(keyval, None, Atspi.KeySynthType.SYM)

    def save_screenshot(self, name, width=1200, height=800):
        """Saves the screen as NAME.png in $TAU_SCREENSHOT_DIR; returns the path."""
        folder = pathlib.Path(os.environ['TAU_SCREENSHOT_DIR'])
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f'{name}.png'
        save_screen(path, width, height)
        return path


def report(names):
    """Runs the functions test_… among the names of a module; prints TAP. $TAU_TEST_ONLY chooses by a part of the name."""
    chosen = os.environ.get('TAU_TEST_ONLY', '')
    tests = [(name, test) for name, test in names.items() if name.startswith('test_') and chosen in name]
    failed = 0
    print(f'1..{len(tests)}', flush=True)
    for number, (name, test) in enumerate(tests, 1):
        try:
            test()
            print(f'ok {number} {name}', flush=True)
        except Exception as error:  # one test's failure must not hide the others
            failed += 1
            print(f'# {error!r}\nnot ok {number} {name}', flush=True)
    sys.exit(1 if failed else 0)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The house as the checks see it: layers, rooms, files, includes. Read by the programs beside it."""

import os
import re
import subprocess

LAYERS = ('app', 'ui', 'render', 'compute', 'kernels')  # from the top
BELOW = {
    'app': ('ui', 'render', 'compute', 'kernels'),
    'ui': ('render', 'compute'),
    'render': ('compute',),
    'compute': ('kernels',),
    'kernels': (),
}
SOURCE = re.compile(r'\.(c|h|cu|cuh|inc)$')
HEADER = re.compile(r'\.(h|cuh|inc)$')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
MOST_FILES = 40
HERE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))


class Room:
    """A folder with sources. `may` are the rooms of its layer that it may know; ANY stands for all of them."""

    ANY = '*'

    def __init__(self, name, floor, may, line):
        self.name, self.floor, self.may, self.line = name, floor, may, line
        self.layer = name.split('/')[0]
        self.files = []

    @property
    def inner(self):
        """The name as includes write it: without the layer, and empty for the layer's root."""
        return self.name[len(self.layer) + 1:]

    def allows(self, other):
        return other == self.name or other in self.may or Room.ANY in self.may


class Trouble(Exception):
    """A list of rooms that cannot be read."""


def project_files(root):
    """What git knows or would add below root, and all where there is no git."""
    try:
        run = subprocess.run(['git', '-C', root, 'rev-parse', '--show-toplevel'], capture_output=True, text=True)
        top = run.stdout.strip() if run.returncode == 0 else ''
    except FileNotFoundError:
        top = ''
    if top and os.path.samefile(top, root):
        listed = subprocess.run(['git', '-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                                capture_output=True, text=True, check=True).stdout.split('\0')
        found = {name for name in listed if name and os.path.isfile(os.path.join(root, name))}
    else:
        found = set()
        for folder, folders, names in os.walk(root):
            if folder == root:
                folders[:] = [name for name in folders if not name.startswith(('build', '.git'))]
            found.update(os.path.relpath(os.path.join(folder, name), root) for name in names)
    return sorted(found)


def read_rooms(path):
    """The rooms of a list: name -> Room, in its order. A line is `FLOOR LAYER/ROOM: ROOM ROOM ...`."""
    rooms = {}
    with open(path, encoding='utf-8') as stream:
        for number, line in enumerate(stream, 1):
            line = line.split('#')[0].strip()
            if not line:
                continue
            form = re.fullmatch(r'(\d+)\s+([a-z0-9/-]+)\s*:\s*(.*)', line)
            if form is None:
                raise Trouble(f'{path}:{number}: a room is "FLOOR LAYER/ROOM: ROOM ROOM ...", not "{line}"')
            floor, name, may = int(form[1]), form[2], form[3].split()
            layer = name.split('/')[0]
            if layer not in LAYERS:
                raise Trouble(f'{path}:{number}: there is no layer {layer}/')
            if name in rooms:
                raise Trouble(f'{path}:{number}: {name} is listed twice')
            # The root of a layer goes by the layer's name, any other room without it.
            whole = [other if other in (Room.ANY, layer) else layer + '/' + other for other in may]
            rooms[name] = Room(name, floor, whole, number)
    return rooms


class House:
    def __init__(self, root, rooms=None):
        self.root = root
        self.list = os.path.join('tests', 'lint', 'rooms')
        self.rooms = read_rooms(os.path.join(root, self.list)) if rooms is None else rooms
        self.files = [name for name in project_files(root) if name.split('/')[0] in LAYERS and '/' in name]
        self.sources = [name for name in self.files if SOURCE.search(name)]
        self.unlisted = []
        self.headers = {}
        for name in self.sources:
            folder = os.path.dirname(name)
            if folder in self.rooms:
                self.rooms[folder].files.append(name)
            elif folder not in self.unlisted:
                self.unlisted.append(folder)
            if HEADER.search(name):
                self.headers.setdefault(os.path.basename(name), []).append(name)

    def read(self, name):
        with open(os.path.join(self.root, name), encoding='utf-8', errors='replace') as stream:
            return stream.read()

    def find(self, name, header):
        """The file that an include of a file means, or None: the build makes it, or there is none."""
        base = os.path.basename(header)
        meant = self.headers.get(base, [])
        if not meant:
            return None
        layer = name.split('/')[0]
        for folder in [os.path.dirname(name), layer] + list(BELOW[layer]):
            if os.path.normpath(os.path.join(folder, header)) in meant:
                return os.path.normpath(os.path.join(folder, header))
        return meant[0]

    def includes(self):
        """Every include of a file of the house: (file, line number, as written, the file that it means)."""
        for name in self.sources:
            text = self.read(name)
            for found in INCLUDE.finditer(text):
                target = self.find(name, found[1])
                if target is not None:
                    yield name, text.count('\n', 0, found.start()) + 1, found[1], target


def room_of(name):
    return os.path.dirname(name)


def circle(arrows):
    """A way from a room back to itself in arrows (room -> rooms), or None."""
    done, path = set(), []

    def walk(room):
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return None
        path.append(room)
        for other in sorted(arrows.get(room, ())):
            found = walk(other)
            if found:
                return found
        path.pop()
        done.add(room)
        return None

    for room in sorted(arrows):
        found = walk(room)
        if found:
            return found
    return None


def in_circles(arrows):
    """All rooms that can be reached from themselves."""
    def reach(start):
        seen, todo = set(), [start]
        while todo:
            for other in arrows.get(todo.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen
    return sorted(room for room in arrows if room in reach(room))

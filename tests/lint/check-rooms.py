#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rooms of the house: every folder with sources is listed in tests/lint/rooms with the rooms that it may know, all
of lower floors. Refuses what is against that list, and an arrow of the list that nothing needs.
usage: check-rooms.py [ROOT]"""

import os
import re
import sys

from arrows import Arrows, Finding
from house import HERE, MOST_FILES, House, Room, Trouble, circle, room_of

SOURCE_IN_MESON = re.compile(r"'([^'\n]*\.(?:c|h|cu|cuh|inc))'")


def check_list(house):
    """The list itself: downwards only, each room there, none too full."""
    for room in house.rooms.values():
        where = f'{house.list}:{room.line}'
        for other in room.may:
            if other == Room.ANY:
                continue
            if other not in house.rooms:
                yield f'{where}: {room.name} -> {other}: there is no such room'
            elif house.rooms[other].floor >= room.floor or house.rooms[other].layer != room.layer:
                yield f'{where}: {room.name} -> {other} does not lead to a lower floor'
        if not room.files:
            yield f'{where}: {room.name}/ has no sources'
        if len(room.files) > MOST_FILES:
            yield f'{room.name}/: {len(room.files)} files; more than {MOST_FILES} are a reason for another room'
    for folder in house.unlisted:
        yield f'{folder}/ has sources and is not in {house.list}'


def check_includes(house, arrows):
    """How includes are written, and which headers are for whom."""
    for path, line, written, target in arrows.includes:
        here, there = room_of(path), room_of(target)
        layer, other = here.split('/')[0], there.split('/')[0]
        base = os.path.basename(target)
        inner = target[len(other) + 1:]
        if here == there and written != base:
            yield Finding(path, line, base, f'"{written}" is of this room: "{base}"')
        elif here != there and written != inner:
            yield Finding(path, line, base, f'"{written}" is of {there}: "{inner}"')
        if here != there and layer == other and re.search(r'-private\.(h|cuh)$', base):
            yield Finding(path, line, base, f'"{written}" is private to {there}')
        if layer != other and re.search(r'-internal\.(h|cuh)$', base):
            yield Finding(path, line, base, f'"{written}" is for the rooms of {other}/ only')


def check_meson(house):
    """A room is built by its own meson.build."""
    known = set(house.sources)
    for name in house.files:
        if os.path.basename(name) != 'meson.build':
            continue
        folder = os.path.dirname(name)
        for number, line in enumerate(house.read(name).split('\n'), 1):
            if 'c_pch:' in line:      # what is compiled beforehand, of resources/
                continue
            for found in SOURCE_IN_MESON.findall(line.split('#')[0]):
                path = os.path.normpath(os.path.join(folder, found))
                if '/' in found and (path in known or found.startswith('../')):
                    yield f'{name}:{number}: \'{found}\' is of another room'


def check_arrows(house, arrows):
    """Arrows that nothing needs, and rooms that call each other in a circle."""
    for room in house.rooms.values():
        for other in room.may:
            if other != Room.ANY and other in house.rooms and other not in arrows.needed.get(room.name, ()):
                yield f'{house.list}:{room.line}: nothing needs {room.name} -> {other} any more'
    found = circle(arrows.calls)
    if found:
        yield 'rooms call each other in a circle: ' + ' -> '.join(found)


def main():
    try:
        house = House(sys.argv[1] if len(sys.argv) > 1 else HERE)
    except (OSError, Trouble) as error:
        print(error)
        return 1
    if not house.sources:
        print(f'no sources found below {house.root}')
        return 1
    arrows = Arrows(house)
    complaints = list(check_list(house)) + list(check_meson(house))
    for found in (check_includes(house, arrows), arrows.of_includes(), arrows.of_names(), arrows.of_promises()):
        complaints += [str(finding) for finding in found]
    complaints += check_arrows(house, arrows)
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main())

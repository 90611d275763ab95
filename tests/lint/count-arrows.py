#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts what runs from room to room, and what of it runs against tests/lint/rooms. Ends with 1 where anything does.
usage: count-arrows.py [--list] [ROOT]       --list: also which"""

import sys

from arrows import Arrows
from house import HERE, House, Trouble, in_circles, room_of


def main():
    arguments = [word for word in sys.argv[1:] if word != '--list']
    try:
        house = House(arguments[0] if arguments else HERE)
    except (OSError, Trouble) as error:
        print(error)
        return 2
    arrows = Arrows(house)
    edges = {(path, target) for path, _, _, target in arrows.includes}
    across = {edge for edge in edges if room_of(edge[0]) != room_of(edge[1])}
    uses = {(path, name) for path, name, _ in arrows.uses()}
    back_includes, back_names = list(arrows.of_includes()), list(arrows.of_names())
    promises = list(arrows.of_promises())
    circles = in_circles(arrows.needed)
    listed = sum(len(room.may) for room in house.rooms.values())

    def line(number, text):
        print(f'{number:6,}  {text}')

    line(len(house.sources), f'files in {len(house.rooms)} rooms; the list has {listed} arrows')
    line(len(edges), f'includes of one file by another, {len(across):,} of them of another room')
    line(len(arrows.symbols.declared), f'names declared for others, {len(uses):,} uses of them by files of other rooms')
    line(len(back_includes), 'includes against the list')
    line(len(back_names), 'uses of names against the list')
    line(len(circles), 'rooms in circles' + (': ' + ' '.join(circles) if circles else ''))
    line(len(promises), 'names promised by a header of one room and written in another')
    if '--list' in sys.argv:
        for finding in back_includes + back_names + promises:
            print(finding)
    return 1 if back_includes or back_names or circles else 0


if __name__ == '__main__':
    sys.exit(main())

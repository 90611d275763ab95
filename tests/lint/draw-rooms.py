#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws docs/rooms.svg from tests/lint/rooms: layers as bands, rooms as boxes by floor, arrows but for those that
follow from others.
usage: draw-rooms.py [ROOT]            writes the picture
       draw-rooms.py --check [ROOT]    says whether the picture is what it would write"""

import math
import os
import random
import re
import sys

from house import HERE, LAYERS, House, Room, Trouble

WIDTH, EDGE = 1200, 24
LEFT, RIGHT = 130, 1170          # where boxes may be
BOX, FLOOR, GAP = 34, 66, 16     # height of a box, from row to row, between boxes
LINE = 8                         # room for a line that passes a row
MOST = 860                       # what the boxes of a row may take, so that lines pass it
PASSING = 4                      # files by which a count may lag behind
FONT = "Cantarell, 'Noto Sans', 'DejaVu Sans', sans-serif"
INK, SOFT = '#241f31', '#5e5c64'
COLOURS = {'app': ('#e8e0f5', '#613583'), 'ui': ('#dbe8fb', '#1a5fb4'), 'render': ('#d8f3e0', '#1f7f54'),
           'compute': ('#fff3cf', '#8a6203'), 'kernels': ('#fde0d2', '#b03f00')}
WIDE = {'i': 5, 'j': 5, 'l': 5, 'r': 7, 't': 7, '/': 6, 'm': 15, 'w': 13}   # what letters need, but for 9
SAYS = {'app': 'entry points', 'ui': 'widgets', 'render': 'pictures', 'compute': 'what is computed',
        'kernels': 'how it is computed'}
PICTURE = os.path.join('docs', 'rooms.svg')


def reduced(rooms):
    """room -> rooms below it, without the arrows that follow from two others."""
    may = {room.name: set(room.may) - {Room.ANY} for room in rooms}

    def reach(name):
        found = set()
        for other in may[name]:
            found |= {other} | reach(other)
        return found
    return {name: {other for other in others if not any(other in reach(third) for third in others - {other})}
            for name, others in may.items()}


class Node:
    """A box, or where a line passes a row."""

    def __init__(self, name, floor, width):
        self.name, self.floor, self.width = name, floor, width
        self.span = width + GAP if name else LINE
        self.up, self.down = [], []
        self.x = 0.0


class Plan:
    """Where the rooms of a layer stand: floors by the list, sideways so that few lines cross. A floor of many rooms is
    several rows."""

    def __init__(self, rooms):
        below = reduced(rooms)
        self.rooms = {room.name: room for room in rooms}
        self.nodes, self.floors = {}, []
        for row in rows_of(rooms, below):
            self.floors.append([Node(room.name, len(self.floors), box_width(room)) for room in row])
            self.nodes.update((node.name, node) for node in self.floors[-1])
        self.lines = []
        for name, others in sorted(below.items()):
            for other in sorted(others):
                self.lines.append(self.line(self.nodes[name], self.nodes[other]))
        self.order()
        self.place()

    def line(self, start, end):
        chain = [start]
        for floor in range(start.floor - 1, end.floor, -1):
            chain.append(Node(None, floor, 0))
            self.floors[floor].append(chain[-1])
        chain.append(end)
        for upper, lower in zip(chain, chain[1:]):
            upper.down.append(lower)
            lower.up.append(upper)
        return chain

    def crossings(self):
        total = 0
        for lower, upper in zip(self.floors, self.floors[1:]):
            at = {id(node): number for number, node in enumerate(lower)}
            ends = [at[id(below)] for node in upper for below in sorted(node.down, key=lambda n: at[id(n)])]
            total += sum(a > b for number, a in enumerate(ends) for b in ends[number + 1:])
        return total

    def order(self):
        """Each floor by the mean of its neighbours, from several beginnings; the fewest crossings stay."""
        best, chance = None, random.Random(7)
        for _ in range(60):
            for floor in self.floors:
                key = {id(node): chance.random() for node in floor}
                floor.sort(key=lambda node: key[id(node)])
            for sweep in range(12):
                upwards = sweep % 2 == 0
                for floor in self.floors if upwards else self.floors[::-1]:
                    for other in self.floors:
                        for number, node in enumerate(other):
                            node.x = (number + 0.5) / len(other)
                    floor.sort(key=lambda node: mean(node.down if upwards else node.up, node.x))
                cost = self.crossings()
                if best is None or cost < best[0]:
                    best = cost, [list(floor) for floor in self.floors]
        self.floors = best[1]

    def place(self):
        middle = (LEFT + RIGHT) / 2
        for floor in self.floors:
            x = middle - sum(node.span for node in floor) / 2
            for node in floor:
                node.x = x + node.span / 2
                x += node.span
        for sweep in range(80):
            floors = self.floors if sweep % 2 == 0 else self.floors[::-1]
            for floor in floors:
                wanted = [mean(node.up + node.down, middle) for node in floor]
                spread(floor, wanted)
        ends = [(node.x - node.span / 2, node.x + node.span / 2) for floor in self.floors for node in floor]
        shift = middle - (min(end[0] for end in ends) + max(end[1] for end in ends)) / 2
        for floor in self.floors:
            for node in floor:
                node.x += shift
            if floor[0].x - floor[0].span / 2 < LEFT - 1 or floor[-1].x + floor[-1].span / 2 > RIGHT + 1:
                raise Trouble('a row with %s is wider than the picture: tests/lint/draw-rooms.py has to allow it fewer '
                              'boxes (MOST)' % next(node.name for node in floor if node.name))


def rows_of(rooms, below):
    """Rows from below. Who has many rooms below it stands in a lower row of its floor, who is below many in an upper:
    fewer lines pass the others."""
    above = {room.name: sum(room.name in others for others in below.values()) for room in rooms}
    rows = []
    for floor in range(max(room.floor for room in rooms) + 1):
        of_floor = sorted((room for room in rooms if room.floor == floor),
                          key=lambda room: (above[room.name] - len(below[room.name]), room.name))
        width = sum(box_width(room) + GAP for room in of_floor)
        share = width / math.ceil(width / MOST)
        rows.append([])
        for room in of_floor:
            if rows[-1] and sum(box_width(other) + GAP for other in rows[-1]) + box_width(room) / 2 > share:
                rows.append([])
            rows[-1].append(room)
    return rows


def mean(nodes, otherwise):
    return sum(node.x for node in nodes) / len(nodes) if nodes else otherwise


def spread(floor, wanted):
    """Boxes as near as can be to where they are wanted, in their order and without touching."""
    groups = []
    for node, x in zip(floor, wanted):
        groups.append([[node], x, node.span])
        while len(groups) > 1 and left(groups[-1]) < right(groups[-2]):
            last, before = groups.pop(), groups.pop()
            nodes = before[0] + last[0]
            share = len(last[0]) / len(nodes)
            groups.append([nodes, before[1] * (1 - share) + last[1] * share, before[2] + last[2]])
    x = LEFT
    starts = []
    for group in groups:
        x = max(x, left(group))
        starts.append(x)
        x += group[2]
    end = RIGHT
    for number in range(len(groups) - 1, -1, -1):
        starts[number] = min(starts[number], end - groups[number][2])
        end = starts[number]
    for group, x in zip(groups, starts):
        for node in group[0]:
            node.x = x + node.span / 2
            x += node.span


def left(group):
    return group[1] - group[2] / 2


def right(group):
    return group[1] + group[2] / 2


def label(room):
    return room.inner or room.layer + '/'


def box_width(room):
    # As wide as the widest of the fonts writes it.
    return round(sum(WIDE.get(letter, 9) for letter in label(room)) + 54)


def text(x, y, size, what, colour=INK, more=''):
    return f'<text x="{round(x)}" y="{round(y)}" font-size="{size}" fill="{colour}"{more}>{what}</text>'


def curve(points):
    """Through points from above, upright at each of them."""
    path = f'M{points[0][0]} {points[0][1]}'
    for (x, y), (to_x, to_y) in zip(points, points[1:]):
        if x == to_x:
            path += f' V{to_y}'
        else:
            bend = round((to_y - y) * 0.5)
            path += f' C{x} {y + bend} {to_x} {to_y - bend} {to_x} {to_y}'
    return path


def port(node, line, lines, below):
    """Where a line leaves or enters a box: side by side in the order of where they go."""
    others = sorted((one[1].x if below else one[-2].x, number) for number, one in enumerate(lines)
                    if one[0 if below else -1] is node)
    step = min(16.0, (node.width - 20) / max(1, len(others)))
    place = [number for _, number in others].index(lines.index(line))
    return round(node.x + (place - (len(others) - 1) / 2) * step)


def draw_layer(layer, rooms, y, out):
    """A band with its rooms, from y downwards; returns where it ends."""
    fill, colour = COLOURS[layer]
    drawn = [room for room in rooms if Room.ANY not in room.may]
    plan = Plan(drawn)
    height = (len(plan.floors) - 1) * FLOOR + BOX + 30
    files = sum(len(room.files) for room in rooms)
    out.append(f'<rect x="{EDGE}" y="{y}" width="{WIDTH - 2 * EDGE}" height="{height}" rx="10" fill="{fill}" '
               f'stroke="{colour}" stroke-width="1.5"/>')
    out.append(text(44, y + 31, 19, layer, colour, ' font-weight="700"'))
    if len(rooms) > 1:
        out.append(text(44, y + 50, 12, SAYS[layer], SOFT))
        out.append(text(44, y + 70, 12, f'{len(drawn)} rooms', SOFT))
        out.append(text(44, y + 86, 12, f'<tspan class="all">{files}</tspan> files', SOFT))
    bottom = y + height - 15

    def top_of(node):
        return bottom - BOX - node.floor * FLOOR

    for line in plan.lines:
        start, end = line[0], line[-1]
        points = [(port(start, line, plan.lines, True), top_of(start) + BOX)]
        for node in line[1:-1]:
            points += [(round(node.x), top_of(node)), (round(node.x), top_of(node) + BOX)]
        points.append((port(end, line, plan.lines, False), top_of(end) - 5))
        out.append(f'<path d="{curve(points)}" fill="none" stroke="{colour}" stroke-width="1.4" stroke-opacity="0.75" '
                   f'marker-end="url(#{layer})"/>')
    for name, node in plan.nodes.items():
        room, x, top = plan.rooms[name], round(node.x - node.width / 2), top_of(node)
        out.append(f'<rect x="{x}" y="{top}" width="{node.width}" height="{BOX}" rx="7" fill="#ffffff" '
                   f'stroke="{colour}"/>')
        out.append(text(x + 12, top + 22, 14, label(room), INK, ' font-weight="600"'))
        out.append(text(x + node.width - 11, top + 22, 12, len(room.files), SOFT, ' text-anchor="end" class="n"'))
    return y + height


def draw(house):
    body = []
    y = 62
    for layer in LAYERS:
        rooms = [room for room in house.rooms.values() if room.layer == layer]
        if not rooms:
            continue
        if y > 62:
            body.append(f'<path d="M84 {y - 21} V{y - 4}" stroke="{SOFT}" stroke-width="2.4" marker-end="url(#a)"/>')
        y = draw_layer(layer, rooms, y, body) + 24
    for line in ('An arrow says what a room may include and use. Arrows that follow from two others are left out; all '
                 'of them are in tests/lint/rooms.',
                 'Between layers: app knows all, ui knows render and compute, render knows compute, compute knows '
                 'kernels.'):
        body.append(text(EDGE, y + 8, 12.5, line, SOFT))
        y += 19
    height = y + 12
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" font-family="{FONT}">',
            '<!-- SPDX-License-Identifier: GPL-3.0-or-later; made by tests/lint/draw-rooms.py -->', '<defs>']
    for name, colour in [('a', SOFT)] + [(layer, COLOURS[layer][1]) for layer in LAYERS]:
        head.append(f'<marker id="{name}" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="5.5" markerHeight="5.5" '
                    f'orient="auto"><path d="M0 0.5 L10 5 L0 9.5 z" fill="{colour}"/></marker>')
    head += ['</defs>', f'<rect width="{WIDTH}" height="{height}" rx="14" fill="#fafafa"/>',
             text(EDGE, 40, 20, 'The rooms of Eigenscope', INK, ' font-weight="700"'),
             text(WIDTH - EDGE, 40, 12.5, 'a number is how many files a room holds', SOFT, ' text-anchor="end"')]
    return '\n'.join(head + body + ['</svg>', ''])


COUNT = re.compile(r'(class="n">)(\d+)')
TOTAL = re.compile(r'(class="all">)\d+')


def is_like(there, made):
    """The same picture; counts of files may lag a little, or who adds a file would have to draw it anew."""
    bare = [COUNT.sub(r'\1', TOTAL.sub(r'\1', picture)) for picture in (there, made)]
    counts = zip(COUNT.findall(there), COUNT.findall(made))
    return bare[0] == bare[1] and all(abs(int(old[1]) - int(new[1])) <= PASSING for old, new in counts)


def main():
    arguments = [word for word in sys.argv[1:] if word != '--check']
    try:
        house = House(arguments[0] if arguments else HERE)
    except (OSError, Trouble) as error:
        print(error)
        return 1
    try:
        path, made = os.path.join(house.root, PICTURE), draw(house)
    except Trouble as error:
        print(error)
        return 1
    if '--check' not in sys.argv:
        with open(path, 'w', encoding='utf-8') as stream:
            stream.write(made)
        return 0
    there = house.read(PICTURE) if os.path.exists(path) else ''
    if is_like(there, made):
        return 0
    print(f'{PICTURE} is not what tests/lint/rooms says: run tests/lint/draw-rooms.py')
    return 1


if __name__ == '__main__':
    sys.exit(main())

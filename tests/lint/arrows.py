# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs from room to room: includes, names, calls; judged by the arrows of the list."""

import os

from house import BELOW, room_of
from symbols import Symbols


class Finding:
    """Something that is against the list, in a file; line 0: nowhere in particular. name: the header or name meant."""

    def __init__(self, path, line, name, says):
        self.path, self.line, self.name, self.says = path, line, name, says

    def __str__(self):
        return f'{self.path}:{self.line}: {self.says}' if self.line else f'{self.path}: {self.says}'


class Arrows:
    def __init__(self, house):
        self.house = house
        self.symbols = Symbols(house)
        self.includes = list(house.includes())
        # A header at the root of kernels/ promises what a back end or kernels/host keeps: the home is the promise.
        self.needed = {}        # room -> rooms of its layer that it includes or uses
        self.calls = {}         # room -> rooms of its layer that define what it uses
        for path, _, _, target in self.includes:
            self.note(self.needed, path, target)
        for path, name, home in self.uses():
            self.note(self.needed, path, home)
            if name.lstrip('_').startswith(('es_', 'esk_')):
                self.note(self.calls, path, home)

    @staticmethod
    def note(arrows, path, target):
        here, there = room_of(path), room_of(target)
        if here != there and here.split('/')[0] == there.split('/')[0]:
            arrows.setdefault(here, set()).add(there)

    def uses(self):
        """As Symbols.uses (), with the promises of kernels/ kept at home."""
        for path, name, home in self.symbols.uses():
            promised = [header for header in self.symbols.declared.get(name, ()) if room_of(header) == 'kernels']
            if promised:
                home = promised[0]
                if room_of(path) == 'kernels':
                    continue
            yield path, name, home

    def allowed(self, path, target):
        here, there = room_of(path), room_of(target)
        layer, other = here.split('/')[0], there.split('/')[0]
        if layer != other:
            return other in BELOW[layer]
        return here not in self.house.rooms or self.house.rooms[here].allows(there)

    def of_includes(self):
        """Includes without an arrow."""
        for path, line, written, target in self.includes:
            if not self.allowed(path, target) and path.split('/')[0] == target.split('/')[0]:
                yield Finding(path, line, os.path.basename(target),
                              f'{room_of(path)} has no arrow to {room_of(target)}: "{written}"')

    def of_names(self):
        """Names used without an arrow. A type may be announced in several rooms: one that is allowed will do."""
        homes = {}
        for path, name, home in self.uses():
            homes.setdefault((path, name), []).append(home)
        for (path, name), found in sorted(homes.items()):
            if not any(self.allowed(path, home) for home in found):
                yield Finding(path, 0, name, f'{room_of(path)} has no arrow to {room_of(found[0])}: {name}')

    def of_promises(self):
        """What a header declares and another room defines. Those of kernels/ may lie anywhere below it, and a private
        header, which promises nothing to others, may name what its room may use."""
        for name, header, source in self.symbols.promises():
            private = header.endswith('-private.h') and self.allowed(header, source)
            if room_of(header) != 'kernels' and not private:
                yield Finding(header, 0, name, f'{name} is promised here and written in {source}')

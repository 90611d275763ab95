#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether two folders of results hold the same: every file byte for byte, but for times and for who computed it.

usage: compare-results.py FOLDER FOLDER...      (all against the first)
"""
import csv
import json
import pathlib
import sys

# The steps are those of the first process, and so is what it says of them.
TIMES = {'ms', 'processes', 'real_time_factor', 'work', 'bound', 'times', 'advice'}


def without_times(node, inside=None):
    """The tree of a result.json without times, what is said of them, and the sums of files that tell them."""
    if isinstance(node, list):
        return [without_times(item, inside) for item in node
                if not (isinstance(item, dict) and item.get('name') in ('steps', 'steps.csv', 'waiting'))]
    if not isinstance(node, dict):
        return node
    return {key: without_times(value, key) for key, value in node.items()
            if key not in TIMES and not key.endswith('_ms') and (inside != 'stages' or key in ('name', 'title'))}


def read(path):
    if path.name == 'result.json':
        return without_times(json.loads(path.read_text()))
    if path.name == 'steps.csv':
        return [row[0] for row in csv.reader(path.open()) if not row[0].startswith('Waiting')]
    return path.read_bytes()


def main():
    first, *others = map(pathlib.Path, sys.argv[1:])
    names = sorted(path.name for path in first.iterdir())
    same = bool(set(names) - {'result.json', 'steps.csv'})
    if not same:
        print(f'{first} has nothing that is computed: {names}')
    for other in others:
        found = sorted(path.name for path in other.iterdir())
        if found != names:
            print(f'{other} has {found}, not {names}')
            same = False
        for name in set(names) & set(found):
            if read(first / name) != read(other / name):
                print(f'{other / name} differs')
                same = False
    sys.exit(not same)


main()

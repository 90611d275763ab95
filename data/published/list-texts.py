#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of the published tables that are translated, each once, as C for xgettext.

usage: list-texts.py > texts.h
"""

import glob
import json
import os
import textwrap


def texts_of(table):
    """In the order in which they are read."""
    yield from (table['title'], table['source'], table['corner'])
    if 'note' in table:
        yield table['note']
    for head in table['columns'] + table['rows']:
        if isinstance(head, dict) and 'title' in head:
            yield head['title']
    for mark in table.get('marks', []):
        yield mark['text']


def quoted(text):
    """A C string, in as many pieces as the width of a line asks for."""
    pieces = textwrap.wrap(text, 108, drop_whitespace=False, break_long_words=False)
    escaped = [piece.replace('\\', '\\\\').replace('"', '\\"') for piece in pieces]
    return '\n   '.join(f'"{piece}"' for piece in escaped)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    seen = {}
    for path in sorted(glob.glob(os.path.join(here, '*.json'))):
        with open(path, encoding='utf-8') as file:
            for table in json.load(file)['tables']:
                for text in texts_of(table):
                    seen.setdefault(text, os.path.basename(path))
    print('/* SPDX-License-Identifier: GPL-3.0-or-later */')
    print('/* What list-texts.py found in the tables beside it, for xgettext alone: nothing is compiled of it. */')
    last = None
    for text, path in seen.items():
        if path != last:
            print(f'\n/* {path} */')
        last = path
        if '%' in text:
            print('/* xgettext:no-c-format */')
        print(f'N_({quoted(text)})')


if __name__ == '__main__':
    main()

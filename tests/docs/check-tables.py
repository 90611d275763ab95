#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of measurements: what stands in a page between

    <!-- measured: NAME -->
    <!-- measured -->

is what the part NAME of docs/measured/tables.in makes of the JSON files beside it; never typed. A part begins with a
line "== NAME: PAGE, SOURCE ..." and holds Markdown with

    {EXPRESSION} or {EXPRESSION|FORM}   a number (tests/perf/measured.py says how it is told)
    @compare JOB: WHAT                  rows of a table: ours and other programs at a job
    @best JOB PAGE: WHAT                a row: ours beside the fastest other program
    @behind                             what ours is not ahead of

A line whose numbers were not measured is left out, and a part none of whose sources is there stays as it is.

usage: check-tables.py ROOT [--write]
"""

import os
import re
import sys

import documents

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'perf'))

import measured  # noqa: E402 (there)

FOLDER = 'docs/measured'


def parts_of(text):
    """(name, page, sources, lines) of the templates."""
    parts = []
    for line in text.split('\n'):
        found = re.match(r'^== ([\w-]+): ([\w./-]+), (.*)$', line)
        if found:
            parts.append((found.group(1), found.group(2), found.group(3).split(), []))
        elif parts:
            parts[-1][3].append(line)
    return parts


def bold_where_ahead(cell, ahead):
    return '**%s**' % cell if cell and ahead else cell


def render_line(line, sources):
    """The lines that it makes."""
    found = re.match(r'^@compare ([\w-]+): (.*)$', line)
    if found:
        rows = measured.compare_rows(found.group(1), found.group(2), sources)
        return ['| ' + ' | '.join(bold_where_ahead(cell, i in (4, 6) and cell and float(cell) < 1)
                                  for i, cell in enumerate(row)) + ' |' for row in rows]
    found = re.match(r'^@best ([\w-]+) (\S+): (.*)$', line)
    if found:
        return [measured.best_row(found.group(1), found.group(3), sources, found.group(2))]
    if line == '@behind':
        return [measured.behind(sources)]

    def told(match):
        return measured.number(measured.value_of(match.group(1), sources), match.group(2) or '')

    return [re.sub(r'\{([^{}|]*)(?:\|([^{}]*))?\}', told, line)]


def render(lines, sources, tell):
    made = []
    for line in lines:
        try:
            made += render_line(line, sources)
        except KeyError as error:
            if tell:
                print('not measured: %s' % error, file=sys.stderr)
    return '\n'.join(made).strip('\n')


def main(root, write=False):
    folder = os.path.join(root, FOLDER)
    path = os.path.join(folder, 'tables.in')
    if not os.path.exists(path):
        print('%s/tables.in: there are no tables' % FOLDER)
        return 1
    sources, complaints, pages, named = measured.load_folder(folder), [], {}, set()
    for name, page, needed, lines in parts_of(documents.read(root, FOLDER + '/tables.in')):
        text = pages.setdefault(page, documents.read(root, page))
        block = re.compile(r'(<!-- measured: %s -->\n)(.*?)(\n<!-- measured -->)' % re.escape(name), re.S)
        named.add((page, name))
        found = block.search(text)
        if not found:
            complaints.append('%s: there is no place for the table %s' % (page, name))
        elif all(source in sources for source in needed):
            table = render(lines, sources, write)
            pages[page] = text[:found.start(2)] + table + text[found.end(2):]
            if found.group(2) != table and not write:
                line = text[:found.start(2)].count('\n') + 1
                complaints.append('%s:%d: %s is not what the measurements make (check-tables.py ROOT --write)'
                                  % (page, line, name))
    for page, text in pages.items():
        complaints += ['%s: no template makes the table %s' % (page, name)
                       for name in re.findall(r'<!-- measured: ([\w-]+) -->', text) if (page, name) not in named]
        if write and text != documents.read(root, page):
            with open(os.path.join(root, page), 'w', encoding='utf-8') as file:
                file.write(text)
    print('\n'.join(complaints), end='\n' if complaints else '')
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], '--write' in sys.argv[2:]))

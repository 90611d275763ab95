# SPDX-License-Identifier: GPL-3.0-or-later
"""The map: what CONTRIBUTING.md and the other pages name of the source is there.

usage: check-map.py ROOT [--write]

Every path and every identifier between backticks exists. Every room has its row in CONTRIBUTING.md, no row is of a room
that is gone, and a row says what the first sentence of the room's meson.build says; --write puts those sentences in.
"""

import fnmatch
import os
import re
import sys

import documents

LAYERS = 'app', 'ui', 'render', 'compute', 'kernels'
SOURCES = '.c', '.h', '.cu', '.cuh', '.inc'
IDENTIFIER = re.compile(r'(?:[Ee]s_\w+|esk_\w+|ES_\w+|ESK_\w+|Es[A-Z]\w+|Esk[A-Z]\w+)')
ROW = re.compile(r'\| `((?:%s)(?:/[\w-]+)*)` \|(.*?)\|(.*)' % '|'.join(LAYERS))

# Names that stand for what somebody is going to add.
EXAMPLE = re.compile(r'thing|Thing|THING')


def rooms(root, files):
    """The rooms that the lint knows; where it has no list, every folder of a layer with a meson.build."""
    if 'tests/lint/rooms' in files:
        names = documents.read_rooms(os.path.join(root, 'tests/lint/rooms')).keys()
    else:
        names = {os.path.dirname(name) for name in files if os.path.basename(name) == 'meson.build'}
    return {name for name in names if name.split('/')[0] in LAYERS and ('/' in name or name == 'kernels')}


def sentence(root, room):
    """The first sentence of what a room's meson.build opens with."""
    name = os.path.join(room, 'meson.build')
    if not os.path.exists(os.path.join(root, name)):
        return ''
    words = []
    for line in documents.read(root, name).split('\n'):
        if not line.startswith('#'):
            break
        if 'SPDX' not in line:
            words.append(line.lstrip('# '))
    return re.match(r'(.*?[^.]\.(?= |$)|.*)', ' '.join(words)).group(1)


def braces(pattern):
    """a/{b,c}/d as a/b/d and a/c/d."""
    choice = re.search(r'\{([^{}]*)\}', pattern)
    if not choice:
        return [pattern]
    return [path for part in choice.group(1).split(',')
            for path in braces(pattern[:choice.start()] + part.strip() + pattern[choice.end():])]


def is_there(path, files, folders):
    path = path.rstrip('/')
    if '*' in path:
        return any(fnmatch.fnmatch(name, path if '/' in path else '*/' + path) for name in files)
    return path in files or path in folders \
        or ('/' not in path and any(name.endswith('/' + path) for name in files))


def looks_like_path(word, tops):
    if word.startswith(('/', '-', '$', '<', 'http')) or re.search(r'[()=:;]', word):
        return False
    return word.split('/')[0] in tops and '/' in word \
        or re.fullmatch(r'[\w.*{},-]+\.(?:c|h|cu|cuh|sh|py|awk|ui|glsl|allow|supp|build)', word) is not None


def complaints_of_page(page, text, files, folders, words):
    tops = {name.split('/')[0] for name in files if '/' in name}
    for number, span in documents.spans_of(text):
        for word in re.split(r'[\s]+', span):
            word = word.strip(',;')
            if EXAMPLE.search(word):
                continue
            if looks_like_path(word, tops):
                for path in braces(word):
                    if not path.startswith('build') and not is_there(path, files, folders):
                        yield '%s:%d: there is no %s' % (page, number, path)
                continue
            for name in IDENTIFIER.findall(word):
                if not (name in words or name.endswith('_') and any(known.startswith(name) for known in words)):
                    yield '%s:%d: nothing in the source is called %s' % (page, number, name)


def complaints_of_rooms(root, page, text, files):
    known, rows = rooms(root, files), {}
    for number, line in enumerate(text.split('\n'), 1):
        row = ROW.match(line)
        if row:
            if row.group(1) in rows:
                yield '%s:%d: a second row of %s' % (page, number, row.group(1))
            rows[row.group(1)] = number
            for name in re.findall(r'`([^`]+)`', row.group(3)):
                if '%s/%s' % (row.group(1), name) not in files:
                    yield '%s:%d: there is no %s in %s' % (page, number, name, row.group(1))
            if row.group(1) in known and row.group(2).strip() != sentence(root, row.group(1)):
                yield '%s:%d: %s/meson.build says: %s (check-map.py --write puts that in)' % (
                    page, number, row.group(1), sentence(root, row.group(1)))
    for room in sorted(known - rows.keys()):
        yield '%s: the room %s has no row' % (page, room)
    for room in sorted(rows.keys() - known):
        yield '%s:%d: there is no room %s' % (page, rows[room], room)


def write(root, page, text):
    lines = text.split('\n')
    for number, line in enumerate(lines):
        row = ROW.match(line)
        if row and sentence(root, row.group(1)):
            lines[number] = '| `%s` | %s |%s' % (row.group(1), sentence(root, row.group(1)), row.group(3))
    with open(os.path.join(root, page), 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines))


def main(root, option=None):
    files = documents.project_files(root)
    folders = {os.path.dirname(name) for name in files}
    for folder in list(folders):
        while folder:
            folders.add(folder)
            folder = os.path.dirname(folder)
    if option == '--write':
        write(root, 'CONTRIBUTING.md', documents.read(root, 'CONTRIBUTING.md'))

    # Names of the sources; of switches also those that scripts and meson read.
    words = set()
    for name in files:
        if name.endswith(SOURCES) or re.search(r'(?:^dev|\.sh|meson\.build)$', name):
            words.update(IDENTIFIER.findall(documents.read(root, name)))

    complaints = []
    for page in documents.pages(files):
        complaints += complaints_of_page(page, documents.read(root, page), set(files), folders, words)
    for name in files:
        if name.startswith('docs/') and name.endswith('.svg'):
            complaints += ['%s: nothing in the source is called %s' % (name, word)
                           for word in sorted(set(re.findall(r'\bEs[A-Z]\w+', documents.read(root, name))) - words)]
    complaints += complaints_of_rooms(root, 'CONTRIBUTING.md', documents.read(root, 'CONTRIBUTING.md'), files)
    print('\n'.join(complaints), end='\n' if complaints else '')
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:3]))

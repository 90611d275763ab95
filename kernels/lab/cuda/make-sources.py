#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The header with the kernels' own source, from the files that are compiled: what stands between `/* lab: SUBJECT */`
and `/* lab end */`, with what it uses of the room's helpers in front.
usage: make-sources.py FILE..."""

import re
import sys

PART = re.compile(r'^/\* lab: (\w+) \*/\n(.*?)^/\* lab end \*/\n', re.M | re.S)
HELPERS = {'clock': r'\blab_clock\b|\bLAB_AWAIT\b', 'shuffled': r'\blab_shuffled\b', 'operations': r'\blab_step\b'}


def main():
    parts = {}
    for path in sys.argv[1:]:
        with open(path, encoding='utf-8') as stream:
            text = stream.read()
        found = PART.findall(text)
        if len(found) != text.count('/* lab end */'):
            sys.exit(f'{path}: every "lab: SUBJECT" was expected to have its "lab end"')
        for subject, body in found:
            parts[subject] = parts.get(subject, '') + body
    for helper in HELPERS:
        if helper not in parts:
            sys.exit(f'no file has the part "lab: {helper}"')

    print('/* Made of the sources. */\nstatic const struct\n{\n  const char *subject, *text;\n} lab_sources[] = {')
    for subject, body in sorted(parts.items()):
        used = [helper for helper, word in HELPERS.items() if helper != subject and re.search(word, body)]
        lines = '\n'.join([parts[helper] for helper in used] + [body]).split('\n')
        print(f'  {{ "{subject}",')
        for line in lines[:-1]:
            line = line.replace('\\', '\\\\').replace('"', '\\"')
            print(f'    "{line}\\n"')
        print('  },')
    print('};')


main()

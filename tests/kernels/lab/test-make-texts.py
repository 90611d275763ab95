#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What make-texts.py puts into strings is what stands in the source, byte by byte; what is not closed is refused.
usage: test-make-texts.py MAKE-TEXTS.PY"""

import ast
import os
import re
import subprocess
import sys
import tempfile

PARTS = {
    'one': '  int a = 1;\n\n    say ("%d\\n", a);\n',
    'two': 'char c = \'"\';   /* Gr\u00f6\u00dfe \u5927 ??/ \\ */\n',
}


def run(folder, text):
    path = os.path.join(folder, 'source.c')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return subprocess.run([sys.executable, sys.argv[1], 'text', path], capture_output=True, text=True, check=False)


def strings(header):
    """Name and text of each string; C's octal and simple escapes are Python's as well."""
    found = {}
    for name, body in re.findall(r'static const char text_(\w+)\[\] =\n(.*?);\n(?=\n|$)', header, re.S):
        found[name] = b''.join(ast.literal_eval('b' + line.strip()) for line in body.split('\n')).decode('utf-8')
    return found


def main():
    count = 0

    def check(what, name):
        nonlocal count
        count += 1
        print(f'{"ok" if what else "not ok"} {count} - {name}')

    with tempfile.TemporaryDirectory() as folder:
        both = (f'before\n/* lab: one */\n{PARTS["one"]}/* lab end */\nbetween\n  /* lab: two one */\n{PARTS["two"]}'
                '  /* lab end */\nafter\n')
        found = strings(run(folder, both).stdout)
        check(sorted(found) == ['one', 'two'], 'the names of the parts')
        check(found.get('two') == PARTS['two'], 'every byte of a part')
        check(found.get('one') == 'int a = 1;\n\n  say ("%d\\n", a);\n\n' + PARTS['two'],
              'parts of one name are joined')
        found = strings(run(folder, '/* lab: help for clock TICK */\nlong clock;\n/* lab end */\n'
                                    '/* lab: user */\nTICK (1);\n/* lab end */\n'
                                    '/* lab: other */\nclocks (1);\n/* lab end */\n').stdout)
        check(found.get('user') == 'long clock;\n\nTICK (1);\n', 'what a part uses stands in front of it')
        check(found.get('other') == 'clocks (1);\n', 'but not of others')
        for text, words in (('/* lab: open */\nint a;\n', 'has no end'), ('/* lab end */\n', 'without a beginning'),
                            ('/* lab: a */\n/* lab: b */\n/* lab end */\n', 'before the end of "a"'),
                            ('int a;\n', 'no /*')):
            result = run(folder, text)
            check(result.returncode != 0 and words in result.stderr, f'refused: {words}')
    print(f'1..{count}')


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A header with parts of sources as strings, so that people read what is compiled, which nobody types a second time. A
part lies between the lines `/* lab: NAME */` and `/* lab end */`; parts of one name are joined in the order of the
files. One that begins with `/* lab: NAME for WORD... */` also stands in front of every part that uses one of the words.
Makes `static const char PREFIX_NAME[]` of each (hyphens as underscores), and where PREFIX_TABLE is defined
`PREFIX_table[]` of names and texts.
usage: make-texts.py PREFIX FILE..."""

import re
import sys
import textwrap

BEGIN = re.compile(r'\s*/\* lab: ([a-z0-9-]+(?: [a-z0-9-]+)*?)(?: for (\w+(?: \w+)*))? \*/\s*')
END = re.compile(r'\s*/\* lab end \*/\s*')


def read(path, parts, words):
    names, lines = None, []
    with open(path, encoding='utf-8') as stream:
        for number, line in enumerate(stream, 1):
            begin, end = BEGIN.fullmatch(line), END.fullmatch(line)
            if begin and names is None:
                names, lines = begin.group(1), []
                if begin.group(2):
                    words[names] = begin.group(2).split()
            elif end and names is not None:
                for name in names.split():
                    parts.setdefault(name, []).append(textwrap.dedent(''.join(lines)).strip('\n') + '\n')
                names = None
            elif begin or end:
                sys.exit(f'{path}:{number}: "{line.strip()}" '
                         + (f'before the end of "{names}"' if names else 'without a beginning'))
            elif names is not None:
                lines.append(line)
    if names is not None:
        sys.exit(f'{path}: "{names}" has no end')


def with_helpers(name, parts, words):
    """The parts that this one uses, and itself."""
    text = '\n'.join(parts[name])
    used = [helper for helper in words
            if name not in words and any(re.search(rf'\b{word}\b', text) for word in words[helper])]
    return '\n'.join(['\n'.join(parts[helper]) for helper in used] + [text])


def quoted(line):
    """A line of text as a C string; bytes beyond ASCII in octal, which ends after three digits."""
    text = ''
    for byte in line.encode('utf-8'):
        char = chr(byte)
        if char in '"\\':
            text += '\\' + char
        elif char == '\n':
            text += '\\n'
        elif 32 <= byte < 127 and char != '?':
            text += char
        else:
            text += f'\\{byte:03o}'
    return f'  "{text}"'


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    prefix, parts, words = sys.argv[1], {}, {}
    for path in sys.argv[2:]:
        read(path, parts, words)
    if not parts:
        sys.exit('no /* lab: NAME */ in ' + ' '.join(sys.argv[2:]))
    print('/* SPDX-License-Identifier: GPL-3.0-or-later */\n/* Made by make-texts.py. */')
    for name in sorted(parts):
        lines = with_helpers(name, parts, words).splitlines(keepends=True)
        print(f'\nstatic const char {prefix}_{name.replace("-", "_")}[] =\n' + '\n'.join(map(quoted, lines)) + ';')
    print(f'\n#ifdef {prefix.upper()}_TABLE\nstatic const struct\n{{\n  const char *name, *text;\n}} '
          f'{prefix}_table[] = {{')
    for name in sorted(parts):
        print(f'  {{ "{name}", {prefix}_{name.replace("-", "_")} }},')
    print('};\n#endif')


if __name__ == '__main__':
    main()

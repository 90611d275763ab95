#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The header of a library that is loaded when a file needs it, from the list of what is used of it: the type of its
table and, for who calls it, every name as that table's entry; for the module (ES_LIBRARY_MODULE), what it holds.
usage: make-names.py LIBRARY FILE.names"""

import hashlib
import re
import sys


def read(path):
    """Names and the lines #if, #else and #endif around some of them."""
    with open(path, encoding='utf-8') as stream:
        lines = [line.rstrip('\n') for line in stream]
    lines = [line for line in lines if line and not line.startswith('# ')]
    for number, line in enumerate(lines, 1):
        if re.fullmatch(r'#(if|else|endif)\b.*|[A-Za-z_]\w*', line) is None:
            sys.exit(f'{path}: a name or a condition was expected, not "{line}"')
    return lines


def every(lines, form):
    return '\n'.join(line if line.startswith('#') else form.replace('NAME', line) for line in lines)


def main():
    library, path = sys.argv[1:]
    lines = read(path)
    small, kind = library.lower(), f'Es{library.capitalize()}Names'
    total = hashlib.sha256('\n'.join(lines).encode()).hexdigest()[:16]
    print(f'''/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made by make-names.py of {path.split('/')[-1]}. */

typedef struct
{{
  EsLibraryHead head;
{every(lines, '  __typeof__ (&NAME) NAME;')}
}} {kind};

#define ES_{library.upper()}_SUM "{total}"

#ifdef ES_LIBRARY_MODULE
G_MODULE_EXPORT const {kind} eigenscope_{small} = {{
  .head = {{ ES_{library.upper()}_SUM, sizeof (eigenscope_{small}) }},
{every(lines, '  .NAME = &NAME,')}
}};
#else
static inline const {kind} *
es_{small} (void)
{{
  return es_library_get (&es_library_{small});
}}

{every(lines, f'#define NAME (*es_{small} ()->NAME)')}
#endif''')


if __name__ == '__main__':
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers: each number in a row of README.md that links to a section of the measurements stands there, to the digit;
the machine, in the last cell, stands on the page.

usage: check-numbers.py ROOT
"""

import os
import re
import sys

import documents

NUMBER = r'(?<![\w.,])[0-9]+(?:[.,][0-9]+)*(?![\w]|[.,][0-9])'


def main(root):
    text = documents.read(root, 'README.md')
    rows, complaints = 0, []
    for number, line in enumerate(text.split('\n'), 1):
        links = re.findall(r'\]\((docs/measurements\.md)#([^)]*)\)', line) if line.startswith('|') else []
        if not links:
            continue
        rows += 1
        page, anchor = links[0]
        measured = documents.read(root, page) if os.path.exists(os.path.join(root, page)) else ''
        cells = re.sub(r'\]\([^)]*\)', ']', line).strip('| ').split('|')
        for text, cell in ((documents.section_of(measured, anchor), '|'.join(cells[:-1])), (measured, cells[-1])):
            stands = set(re.findall(NUMBER, text))
            complaints += ['README.md:%d: %s is not in #%s of %s' % (number, wanted, anchor, page)
                           for wanted in re.findall(NUMBER, cell) if wanted not in stands]
    if rows == 0:
        complaints.append('README.md: no row of numbers links to docs/measurements.md')
    print('\n'.join(complaints), end='\n' if complaints else '')
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))

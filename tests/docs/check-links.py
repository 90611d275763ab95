# SPDX-License-Identifier: GPL-3.0-or-later
"""Links: whatever a page of the tree points to, a file, a picture or an anchor, is there; and every page of docs/
and every screenshot is shown by another.

usage: check-links.py ROOT
"""

import os
import re
import sys
import urllib.parse

import documents


def main(root):
    files = documents.project_files(root)
    folders = {os.path.dirname(name) for name in files}
    pages = documents.pages(files)
    used, complaints = set(), []

    for page in pages:
        text = documents.read(root, page)
        for number, link in documents.links_of(text):
            if re.match(r'[a-z]+:', link):
                continue
            path, _, anchor = urllib.parse.unquote(link).partition('#')
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if target not in files and target not in folders:
                complaints.append('%s:%d: %s is not there' % (page, number, link))
                continue
            used.add(target)
            if anchor and not (target.endswith('.md') and anchor in documents.anchors_of(documents.read(root, target))):
                complaints.append('%s:%d: %s has no heading that makes #%s' % (page, number, target, anchor))

    complaints += ['%s: no page shows it' % name for name in files
                   if name.startswith('docs/') and name.endswith(('.md', '.png')) and name not in used
                   and name != 'docs/README.md']
    if not pages:
        complaints.append('no page found below %s' % root)
    print('\n'.join(complaints), end='\n' if complaints else '')
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks beside it read: the tree's files, and pages with their links, code and headings."""

import collections
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lint'))

from house import project_files, read_rooms  # noqa: E402,F401 (for the checks)

Line = collections.namedtuple('Line', 'page number text')
Command = collections.namedtuple('Command', 'page number text shown')


def read(root, name):
    with open(os.path.join(root, name), encoding='utf-8', errors='replace') as file:
        return file.read()


def pages(files):
    return [name for name in files if name.endswith('.md')]


def blocks_of(text):
    """The code blocks of a page: lists of (number, text), without what they are indented or fenced by."""
    blocks, block, fence, before_blank = [], [], None, True
    for number, line in enumerate(text.split('\n'), 1):
        if fence is not None:
            if line.strip() == fence:
                blocks.append(block)
                block, fence = [], None
            else:
                block.append((number, line))
            continue
        opened = re.match(r'\s*(```|~~~)', line)
        indented = line.startswith('    ') and (block or before_blank)
        if indented:
            block.append((number, line))
        elif line.strip() == '' and block:
            block.append((number, ''))
        elif block:
            blocks.append(block)
            block = []
        if opened and not indented:
            fence = opened.group(1)
        before_blank = line.strip() == ''
    if block:
        blocks.append(block)
    return [dedent(block) for block in blocks]


def dedent(block):
    while block and block[-1][1].strip() == '':
        block = block[:-1]
    margin = min((len(text) - len(text.lstrip(' ')) for _, text in block if text.strip()), default=0)
    return [(number, text[margin:]) for number, text in block]


def prose_of(text):
    """The page with its code blocks made blank, line for line."""
    lines = text.split('\n')
    fence = None
    for number, line in enumerate(lines):
        if fence is not None:
            if line.strip() == fence:
                fence = None
            lines[number] = ''
        else:
            opened = re.match(r'\s*(```|~~~)', line)
            if opened:
                fence, lines[number] = opened.group(1), ''
    for block in blocks_of(text):
        for number, _ in block:
            lines[number - 1] = ''
    return '\n'.join(lines)


def spans_of(text):
    """What stands between backticks in the prose: (line number, text). A span may go over one end of line."""
    prose = prose_of(text)
    return [(prose.count('\n', 0, span.start()) + 1, ' '.join(span.group(1).split()))
            for span in re.finditer(r'`([^`\n]+(?:\n[^`\n]+)?)`', prose)]


def links_of(text):
    """Links and pictures of the prose: (line number, target)."""
    prose = re.sub(r'`[^`\n]*`', lambda span: ' ' * len(span.group(0)), prose_of(text))
    return [(prose.count('\n', 0, link.start()) + 1, link.group(1))
            for link in re.finditer(r'\]\(<?([^()<>\s]+)>?(?:\s+"[^"]*")?\)', prose)]


def anchors_of(text):
    """The anchors that a page's headings make, as the usual forges name them."""
    anchors = set()
    for line in prose_of(text).split('\n'):
        heading = re.match(r'#{1,6}\s+(.*?)\s*#*$', line)
        if heading:
            name = re.sub(r'[^\w\- ]', '', heading.group(1).lower()).replace(' ', '-')
            anchor, count = name, 0
            while anchor in anchors:
                count += 1
                anchor = '%s-%d' % (name, count)
            anchors.add(anchor)
    return anchors


def section_of(text, anchor):
    """The lines below the heading with that anchor, to the next heading of its level or a higher one."""
    found, level = [], 0
    for line in prose_of(text).split('\n'):
        heading = re.match(r'(#{1,6})\s+(.*?)\s*#*$', line)
        if heading and level and len(heading.group(1)) <= level:
            break
        if heading and not level and anchors_of(line) == {anchor}:
            level = len(heading.group(1))
        elif level:
            found.append(line)
    return '\n'.join(found)


def is_complete(text):
    return not text.endswith('\\') and subprocess.run(['bash', '-n', '-c', text], capture_output=True).returncode == 0


def split_shell(page, block):
    """Commands of a block of shell, whole ones where they go over several lines; `$ ` is followed by what it prints."""
    commands, gathered, first = [], '', 0
    shows = any(text.startswith('$ ') for _, text in block)
    for number, text in block:
        if shows:
            if text.startswith('$ '):
                commands.append(Command(page, number, text[2:], []))
            elif commands:
                commands[-1].shown.append(text)
            continue
        first = first if gathered else number
        gathered += ('\n' if gathered else '') + text
        if gathered.strip() and is_complete(gathered):
            commands.append(Command(page, first, gathered, None))
            gathered = ''
    if gathered.strip():
        commands.append(Command(page, first, gathered, None))
    return commands


SHELL = re.compile(r'(?:\$ )?(?:[A-Z_]+=\S* )*'
                   r'(?:eigenscope-batch\s|\./dev\b|(?:meson|ninja|man)\s|(?:bash )?tests/\S+\.(?:sh|py)\s)')


def commands_of(page, text):
    """Every command line that a page of Markdown shows, in blocks and between backticks."""
    found = []
    for block in blocks_of(text):
        if any(SHELL.match(line.strip() + ' ') for _, line in block):
            found += split_shell(page, block)
    for number, span in spans_of(text):
        if SHELL.match(span):
            found.append(Command(page, number, span, None))
    return found


def man_text(text):
    for escape, plain in (('\\-', '-'), ('\\(aq', "'"), ('\\e', '\\'), ('\\fB', ''), ('\\fI', ''), ('\\fR', '')):
        text = text.replace(escape, plain)
    return text


def commands_of_man(page, text):
    """The examples of a manual page, and for each verb of its synopsis the line that explains it."""
    found, within, section = [], False, ''
    for number, line in enumerate(text.split('\n'), 1):
        if line.startswith('.SH '):
            section = line[4:].strip()
        elif line.startswith(('.nf', '.fi')):
            within = line.startswith('.nf')
        elif within:
            found.append(Command(page, number, man_text(line), None))
        elif section == 'SYNOPSIS':
            verb = re.match(r'\.B eigenscope-batch (\w+)', man_text(line))
            if verb:
                found.append(Command(page, number, 'eigenscope-batch %s --help' % verb.group(1), None))
    return found


def words_of_man(text, sections):
    """The options and keys that these sections of a manual page name in bold: (line number, word)."""
    section = ''
    for number, line in enumerate(man_text(text).split('\n'), 1):
        if line.startswith('.SH '):
            section = line[4:].strip()
        elif section in sections:
            bold = re.match(r'\.(?:B|BR|BI|RB \() ?(-?-?[a-z][a-z-]*)', line)
            if bold:
                yield number, bold.group(1)

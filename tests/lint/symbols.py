# SPDX-License-Identifier: GPL-3.0-or-later
"""Who declares, defines and uses the names of the house (es_*, Es*, ES_*, esk_*, Esk*, ESK_*).

No compiler: comments and strings are taken out, and the outermost level of each file is read as declarations. What a
macro pastes together is not seen; a name that no file declares is nobody's."""

import re

from house import HEADER, room_of

NAME = re.compile(r'\b(?:_?es_|_?esk_|Es[A-Z]|Esk[A-Z]|ES_|ESK_)\w+')
NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|\\\n', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#[^\n]*$', re.M)
DEFINE = re.compile(r'#[ \t]*define[ \t]+(\w+)')
WORDS = re.compile(r'\b(?:G_BEGIN_DECLS|G_END_DECLS)\b')
INVOCATION = re.compile(r'\s*(?:static\s+)?([A-Z][A-Z0-9_]+)\s*\(')
FUNCTION = re.compile(r'\b(_?(?:es|esk)_\w+)\s*(?:<[^<>()]*>\s*)?\(')
TEMPLATE = re.compile(r'\s*template\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>')
RECORD = re.compile(r'(?:static\s+)?(?:const\s+)?(?:enum|struct|union)\b[^(=]*$')
POINTER = re.compile(r'\(\s*\*\s*(\w+)\s*(?:\[[^\]]*\]\s*)?\)')


def plain(text):
    """Without comments and strings; lines that go on are joined."""
    def mend(found):
        if found[0] == '\\\n':
            return ' '
        return '""' if found[0][0] == '"' else "''" if found[0][0] == "'" else ' '
    return NOISE.sub(mend, text)


def closing(text, start):
    """Behind the bracket that closes the one at start."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] == '(':
            depth += 1
        elif text[at] == ')':
            depth -= 1
            if depth == 0:
                return at + 1
    return len(text)


def first_branches(text):
    """Without directives, and of each #if only its first branch: brackets come in pairs then."""
    hidden, out = [], []
    for line in text.split('\n'):
        found = re.match(r'[ \t]*#[ \t]*(\w*)', line)
        if found is None:
            if not any(hidden):
                out.append(line)
        elif found[1].startswith('if'):
            hidden.append(False)
        elif found[1].startswith('el') and hidden:
            hidden[-1] = True
        elif found[1] == 'endif' and hidden:
            hidden.pop()
    return '\n'.join(out)


def statements(text):
    """The text with a semicolon behind GLib's macros that stand without one."""
    out, last = [], 0
    for found in re.finditer(r'^(?:static[ \t]+)?G_[A-Z_]+[ \t]*\(', text, re.M):
        if found.start() >= last:
            end = closing(text, found.end() - 1)
            out += [text[last:end], ';']
            last = end
    return ''.join(out) + text[last:]


def without_brackets(text):
    """The outermost level of a declaration: what stands in round brackets is left out."""
    level, out = 0, []
    for letter in text:
        if letter == ')':
            level -= 1
        if level == 0:
            out.append(letter)
        if letter == '(':
            level += 1
    return ''.join(out)


class Names:
    """What one file has: declared, defined (for others), own (static, or a macro or type of a .c), used."""

    def __init__(self, path, text):
        self.path = path
        self.declared, self.defined, self.own = set(), set(), set()
        self.header = HEADER.search(path) is not None
        text = plain(text)
        directives = DIRECTIVE.findall(text)
        self.used = set(NAME.findall(text))
        for line in directives:
            found = DEFINE.search(line)
            if found and NAME.fullmatch(found[1]):
                self.promise(found[1])
        for head, body in chunks(statements(WORDS.sub(' ', first_branches(text)))):
            self.chunk(head, body)
        self.own -= self.declared | self.defined

    def promise(self, *names):
        """A type, a macro, an enumerator: in a header for others, in a source for the file alone."""
        for name in names:
            if self.header:
                self.declared.add(name)
                self.defined.add(name)
            else:
                self.own.add(name)

    def macro(self, name, arguments):
        words = [word.strip() for word in arguments.split(',')]
        if name.startswith('G_DECLARE_') and len(words) >= 4:
            upper = words[2] + '_'
            for whole in (words[0], words[0] + 'Class', upper + words[3], upper + 'IS_' + words[3],
                          upper + words[3] + '_CLASS', upper + words[3] + '_GET_CLASS', upper + words[3] + '_GET_IFACE',
                          upper + words[3] + '_GET_INTERFACE', words[0] + 'Interface'):
                self.promise(whole)
            self.declared.add(words[1] + '_get_type')
        elif re.match(r'G_DEFINE_\w*TYPE|G_DEFINE_INTERFACE', name) and len(words) >= 2:
            self.defined.add(words[1] + '_get_type')
        elif name == 'G_DEFINE_QUARK' and len(words) == 2:
            self.defined.add(words[1] + '_quark')

    def chunk(self, head, body):
        found = INVOCATION.match(head)
        if found:
            end = closing(head, found.end() - 1)
            self.macro(found[1], head[found.end():end - 1])
            head = head[end:]
        head = TEMPLATE.sub('', head).strip()
        if not head:
            return
        if head.startswith('typedef') or RECORD.match(head):
            self.type(head, body)
            return
        outer, *value = without_brackets(head).split('=', 1)
        found = FUNCTION.search(outer)
        static = re.search(r'\bstatic\b', outer) is not None
        if found and not value:
            self.value(found[1], static, body is not None)
        else:
            names = [name for name in re.findall(r'\b(_?(?:es|esk)_\w+)\s*(?:\[[^\]]*\]\s*)*(?:,|$)', outer.strip())]
            for name in names:
                self.value(name, static, not re.search(r'\bextern\b', outer))

    def value(self, name, static, here):
        if static and not self.header:
            self.own.add(name)
        elif static:
            self.promise(name)
        else:
            if self.header:
                self.declared.add(name)
            if here:
                self.defined.add(name)

    def type(self, head, body):
        if body is not None and re.search(r'\benum\b', head):
            self.promise(*re.findall(r'(?:^|,)\s*(E(?:S|SK)_\w+)', re.sub(r'\s+', ' ', body)))
        if not head.startswith('typedef'):
            tag = re.match(r'(?:enum|struct|union)\s+(\w+)', head)
            if tag and NAME.fullmatch(tag[1]):
                self.promise(tag[1])
            return
        pointer = POINTER.search(head)
        if pointer:
            self.promise(pointer[1])
            return
        found = re.findall(r'\b(Esk?[A-Z]\w*)', without_brackets(head))
        if found:
            self.promise(found[-1])


def chunks(text):
    """The outermost level: (head, body) of each declaration; the body is None where there is none."""
    depth, start, head, body = 0, 0, '', None
    for found in re.finditer(r'[{};]', text):
        mark, at = found[0], found.start()
        if mark == '{':
            if depth == 0:
                piece = text[start:at]
                if re.search(r'(?:extern\s*""|\bnamespace\b[\s\w]*)\s*$', piece):
                    start = at + 1  # its brackets do not count
                    continue
                head, body = head + piece, at + 1
            depth += 1
        elif mark == '}':
            if depth == 0:  # closes a namespace
                start = at + 1
                continue
            depth -= 1
            if depth == 0:
                inside = text[body:at]
                start = at + 1
                bare = TEMPLATE.sub('', head).strip()
                if not (bare.startswith('typedef') or RECORD.match(bare) or '=' in without_brackets(bare)):
                    yield head, inside
                    head, body = '', None
                else:
                    body = (inside,)
        elif depth == 0:
            piece = text[start:at]
            yield head + piece, body[0] if isinstance(body, tuple) else None
            head, body, start = '', None, at + 1


class Symbols:
    """All names: their homes (rooms that declare and define them), and every use of one room's by another's file."""

    def __init__(self, house):
        self.files = {name: Names(name, house.read(name)) for name in house.sources}
        self.declared, self.defined = {}, {}
        for names in self.files.values():
            for name in names.declared:
                self.declared.setdefault(name, []).append(names.path)
            for name in names.defined:
                self.defined.setdefault(name, []).append(names.path)

    def promises(self):
        """Functions and constants that a header declares and another room defines: (name, header, source)."""
        for name, headers in sorted(self.declared.items()):
            for source in self.defined.get(name, []):
                for header in headers:
                    if room_of(header) != room_of(source) and name not in self.files[source].declared:
                        yield name, header, source

    def uses(self):
        """Every (file, name, file of its home) where the home is another room."""
        for path, names in self.files.items():
            for name in names.used:
                if name in names.own or name in names.defined:
                    continue
                homes = self.defined.get(name) or self.declared.get(name, [])
                if all(room_of(home) != room_of(path) for home in homes):
                    for home in homes:
                        yield path, name, home

    def nobodys(self):
        """Names that are used and found nowhere, with the files."""
        found = {}
        for path, names in self.files.items():
            for name in names.used:
                if name not in names.own and name not in self.defined and name not in self.declared:
                    found.setdefault(name, []).append(path)
        return found

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The code check of the laboratory: the loops of the processor consist of the instructions that they are about, as many
as they say, on vectors as wide as they should be. A compiler that folds, drops or widens some of them makes figures
that look right and mean nothing.
usage: check-cpu-code.py MODULE"""

import collections
import re
import shutil
import subprocess
import sys

OPERATIONS = {
    'add': 'add', 'subtract': 'sub', 'multiply': 'mul', 'divide': 'div', 'fast_divide': 'mul', 'reciprocal': 'rcp',
    'reciprocal_root': 'rsqrt',
}
# What one operation of a chain is, of a number and, of a vector, per field.
SCALAR = {'u32': '', 'i32': '', 'i64': '', 'f32': 'ss', 'f64': 'sd'}
PACKED = {'u32': 'd', 'i32': 'd', 'i64': 'q', 'i8': 'b', 'f32': 'ps', 'f64': 'pd'}
WIDTHS = {'x': '%xmm', 'y': '%ymm', 'z': '%zmm'}


class Function:
    def __init__(self, name):
        self.name, self.names, self.lines = name, collections.Counter(), []
        self.width = ''

    def add(self, line):
        name = line.split()[0]
        self.lines.append(line)
        self.names[name] += 1
        for width, register in WIDTHS.items():
            if register in line and width > self.width:
                self.width = width

    def count(self, pattern):
        return sum(n for name, n in self.names.items() if re.fullmatch(pattern, name))


def read(module):
    text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', module], capture_output=True, text=True,
                          check=True).stdout
    functions = []
    for line in text.split('\n'):
        begin = re.match(r'[0-9a-f]+ <([\w.]+)>:', line)
        if begin:
            functions.append(Function(begin.group(1)))
        elif functions and line.count('\t') >= 1 and line.split('\t')[1].strip():
            functions[-1].add(line.split('\t', 1)[1].strip())
    return functions


def whole_chain(field, operation):
    return {'add': ('add', 64), 'subtract': ('sub', 64), 'multiply': ('imul', 64), 'multiply_add': ('imul', 64),
            'divide': ('div' if field == 'u32' else 'idiv', 64)}[operation]


def float_chain(field, operation):
    if operation in ('sine', 'cosine', 'exp2', 'log2'):
        return 'call', 64
    if operation == 'multiply_add':
        return '(vfmadd\\d+|mul)' + SCALAR[field], 64
    if field == 'f64' and operation.startswith('reciprocal'):
        return 'v?divsd', 64
    return 'v?' + OPERATIONS[operation] + SCALAR[field], 64


def rate(field, operation, width):
    """Twelve accumulators, four times; None: what has no instruction of its own."""
    if operation in ('sine', 'cosine', 'exp2', 'log2'):
        return 'call', 4
    if field.startswith('f'):
        if operation == 'multiply_add':
            return '(vfmadd\\d+|mul)' + PACKED[field], 48
        return 'v?' + OPERATIONS[operation] + ('14' if width == 'z' and operation.startswith('reciprocal') else '') \
            + PACKED[field], 48
    if operation == 'divide':
        return 'div' if field == 'u32' else 'idiv', 4
    if operation in ('add', 'subtract'):
        return 'v?p' + OPERATIONS[operation] + PACKED[field], 48
    if field == 'i64':
        return ('vpmullq', 48) if width == 'z' else ('v?pmuludq', 144)
    return ('pmuludq', 96) if width == 'x' else ('vpmulld', 48)


def expected(function):
    """Pattern and number of the instructions that a function is about; None: any."""
    kind, _, rest = function.name.partition('_')
    field, _, operation = rest.partition('_')
    if kind == 'chain' and field in SCALAR:
        return float_chain(field, operation) if field.startswith('f') else whole_chain(field, operation)
    if kind == 'rate' and field in PACKED:
        return rate(field, operation, function.width)
    return {
        'time_additions': ('add', 64), 'gather': ('vpgatherdd', 16), 'write_past': ('v?movntdq', 4),
        'move_past': ('v?movntdq', 4), 'dot_i8': (r'vpdpbusd|\{vex\}', 12),
        'product_f32': ('vfmadd\\d+ps|mulps', 12), 'product_f64': ('vfmadd\\d+pd|mulpd', 12),
        'product_i8': ('vpmaddubsw', 12),
    }.get(function.name)


def main():
    if shutil.which('objdump') is None:
        print('1..0 # SKIP there is no objdump')
        return
    count, seen = 0, collections.Counter()

    def check(what, name):
        nonlocal count
        count += 1
        print(f'{"ok" if what else "not ok"} {count} - {name}')

    for function in read(sys.argv[1]):
        wanted = expected(function)
        if wanted:
            found = function.count(wanted[0])
            seen[function.name] += 1
            # One more is the loop's own counter.
            check(wanted[1] <= found <= wanted[1] + 1,
                  f'{function.name} {function.width}: {found} of {wanted[1]} {wanted[0]}')
            if function.name.startswith('chain_') and wanted[0] != 'call':
                memory = sum('(%rsp)' in line or '(%rbp)' in line for line in function.lines)
                check(memory <= 2, f'{function.name}: {memory} accesses to the stack')
        elif function.name in ('chase_pointers', 'chase_words'):
            seen[function.name] += 1
            loads = sum(re.match(r'mov\s+(0x0)?\(%r\w+(,%r\w+(,1)?)?\),%[re]\w+$', line) is not None
                        for line in function.lines)
            check(64 <= loads <= 67, f'{function.name}: {loads} loads')
    for name in ('chain_f64_add', 'rate_f32_multiply_add', 'chain_i64_divide', 'rate_i8_add', 'product_f64'):
        check(seen[name] >= 3, f'{name} for every instruction set')
    for name in ('time_additions', 'chase_pointers', 'chase_words'):
        check(seen[name] == 1, f'{name} is there')

    # The check itself: a loop that was not unrolled, and one whose operations are gone.
    short, empty = Function('chain_f32_add'), Function('chain_i64_multiply')
    for line in ('vaddss %xmm1,%xmm0,%xmm0', 'sub $0x1,%rdi', 'jne 10'):
        short.add(line)
    empty.add('ret')
    for function in (short, empty):
        pattern, number = expected(function)
        check(function.count(pattern) < number, f'{function.name} would be found out')
    print(f'1..{count}')


if __name__ == '__main__':
    main()

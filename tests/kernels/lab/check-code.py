#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the kernels of the laboratory are in the machine code what their source says: that between two readings of
the clock there are as many instructions of the kind that is measured as the loop is unrolled to, each of which needs
the one before, and that nothing was folded, hoisted or left out.
usage: check-code.py [--wrong] [--cuobjdump PROGRAM] FILE...
--wrong: the files are wrong on purpose; ends with 0 where every kernel of theirs is refused. 77: no cuobjdump."""

import re
import shutil
import subprocess
import sys

INSTRUCTION = re.compile(r'^\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P[0-9T]+\s+)?([A-Z0-9_.x]+)([^;]*);')
REGISTER = re.compile(r'\bR\d+')
ADD = r'IADD3?\b|IMAD\.IADD|VIADD'
HALF = r'H(FMA|ADD|MUL)2'

# What an operation is in the machine: pattern, instructions of each, whether each needs the one before.
OPERATIONS = {
    'AddUint32': (ADD, 1, True), 'SubtractUint32': (ADD, 1, True), 'AddInt32': (ADD, 1, True),
    'SubtractInt32': (ADD, 1, True), 'AddInt64': (r'IADD3?\b(?!\.X)|IADD\.64', 1, True),
    'SubtractInt64': (r'IADD3?\b(?!\.X)|IADD\.64', 1, True),
    'MultiplyUint32': (r'IMAD\b(?!\.(MOV|IADD|SHL|X))', 1, True),
    'MultiplyInt32': (r'IMAD\b(?!\.(MOV|IADD|SHL|X))', 1, True),
    'MultiplyAddUint32': (r'IMAD\b(?!\.(MOV|IADD|SHL|X))', 1, True),
    'MultiplyAddInt32': (r'IMAD\b(?!\.(MOV|IADD|SHL|X))', 1, True),
    'MultiplyInt64': (r'IMAD\.WIDE', 1, False), 'MultiplyAddInt64': (r'IMAD\.WIDE', 1, False),
    'MultiplyAddInt8': (r'IDP\.4A', 1, True),
    'DivideUint32': (r'MUFU\.RCP', 1, False), 'DivideInt32': (r'MUFU\.RCP', 1, False),
    'DivideInt64': (r'CALL', 1, False), 'DivideFloat32': (r'MUFU\.RCP', 1, False),
    'DivideFloat64': (r'MUFU\.RCP64H', 1, False), 'FastDivideFloat32': (r'MUFU\.RCP', 1, False),
    'AddFloat16': (HALF, 1, True), 'SubtractFloat16': (HALF, 1, True), 'MultiplyFloat16': (HALF, 1, True),
    'MultiplyAddFloat16': (HALF, 1, True), 'AddBfloat16': (HALF, 1, True), 'SubtractBfloat16': (HALF, 1, True),
    'MultiplyBfloat16': (HALF, 1, True), 'MultiplyAddBfloat16': (HALF, 1, True),
    'AddFloat32': (r'FADD', 1, True), 'SubtractFloat32': (r'FADD', 1, True), 'MultiplyFloat32': (r'FMUL', 1, True),
    'MultiplyAddFloat32': (r'FFMA', 1, True),
    'SineFloat32': (r'MUFU\.SIN', 1, False), 'CosineFloat32': (r'MUFU\.COS', 1, False),
    'Exp2Float32': (r'MUFU\.EX2', 1, True), 'Log2Float32': (r'MUFU\.LG2', 1, True),
    'ReciprocalFloat32': (r'MUFU\.RCP', 1, True), 'ReciprocalRootFloat32': (r'MUFU\.RSQ', 1, True),
    'AddFloat64': (r'DADD', 1, True), 'SubtractFloat64': (r'DADD', 1, True), 'MultiplyFloat64': (r'DMUL', 1, True),
    'MultiplyAddFloat64': (r'DFMA', 1, True),
}

# Other kernels: name, pattern, how many between the clocks (or anywhere, where it reads none), whether each needs the
# one before, and what must not be there.
KERNELS = [
    (r'lab_chase_pointersILb0', r'LDG', 64, True, None),
    (r'lab_chase_pointersILb1', r'LDG.*CONSTANT', 64, True, None),
    (r'lab_chase_words', r'LDG', 64, False, None),
    (r'lab_chase_texture', r'TLD|TEX', 64, True, None),
    (r'lab_chase_constants', r'LDC', 64, True, None),
    (r'lab_chase_shared', r'LDS', 64, True, None),
    (r'lab_chase_local', r'LDL', 64, False, None),
    (r'lab_sharing_shared|lab_sharing.*FromShared', r'LDS', 64, False, None),
    (r'lab_sharing_constant', r'LDC', 64, False, None),
    (r'lab_sharingI10FromGlobal|lab_sharingI12FromReadOnly', r'LDG', 64, False, None),
    (r'lab_sharingI11FromTexture', r'TLD|TEX', 64, False, None),
    (r'lab_order_shared|lab_conflict', r'LDS', 32, False, None),
    (r'lab_orderI10FromGlobal|lab_orderI12FromReadOnly', r'LDG', 32, False, None),
    (r'lab_orderI11FromTexture', r'TLD|TEX', 32, False, None),
    (r'lab_branch_order', r'CS2R', 32, False, None),
    (r'lab_divergence', r'FFMA', 32 * 64, False, None),
    (r'lab_empty', r'IADD|VIADD|IMAD\.IADD', 1, False, None),
    (r'lab_atomicsI', r'RED|ATOM', 8, False, r'REDUX|VOTE|MATCH'),
    (r'lab_atomics_sharedI', r'ATOMS|ATOM', 8, False, r'REDUX|VOTE|MATCH'),
    (r'lab_products\w*Float16E', r'HMMA', 32, False, None),
    (r'lab_products\w*Bfloat16E', r'HMMA', 32, False, None),
    (r'lab_products\w*Tf32E', r'HMMA', 32, False, None),
    (r'lab_products\w*Int8E', r'IMMA', 32, False, None),
    (r'lab_products\w*Float64E', r'DMMA|DFMA', 32, False, None),
    (r'lab_group_products\w*Float16E', r'HGMMA\.64x256x16\.F32$', 32, False, None),
    (r'lab_group_products\w*Bfloat16E', r'HGMMA.*BF16', 32, False, None),
    (r'lab_group_products\w*Tf32E', r'HGMMA.*TF32', 32, False, None),
    (r'lab_group_products\w*Int8E', r'IGMMA.*S8\.S8', 32, False, None),
    (r'lab_group_products\w*Float8E', r'QGMMA.*E4M3', 32, False, None),
    (r'lab_readP', r'LDG\.E\.128|LDG\.E\.(CONSTANT\.)?128|LDG.*128', 5, False, None),
    (r'lab_writeP', r'STG.*128', 1, False, None),
    (r'lab_moveP', r'STG.*128', 5, False, None),
]
# These are for compute capability 9.0 alone.
OF_90 = re.compile(r'lab_group_products')


class Kernel:
    def __init__(self, name, architecture):
        self.name = name
        self.architecture = architecture
        self.instructions = []           # opcode, operands

    def timed(self):
        """What stands between the first reading of the clock and the last; all, where it is not read twice."""
        clocks = [n for n, (opcode, operands) in enumerate(self.instructions)
                  if opcode.startswith('CS2R') and 'SR_CLOCK' in operands]
        if len(clocks) < 2 or 'branch_order' in self.name:
            return self.instructions
        return self.instructions[clocks[0] + 1:clocks[-1]]


def read(program, path):
    """The kernels of a module, of every architecture that it has machine code for."""
    listing = subprocess.run([program, '-sass', path], capture_output=True, text=True, check=False)
    if listing.returncode != 0:
        sys.exit(f'{path}: {listing.stderr.strip() or "cuobjdump failed"}')
    kernels, kernel, architecture = [], None, 0
    for line in listing.stdout.split('\n'):
        found = re.search(r'arch = sm_(\d+)|EF_CUDA_SM(\d+)', line)
        if found is not None:
            architecture = int(found.group(1) or found.group(2))
            if kernel is not None and not kernel.instructions:
                kernel.architecture = architecture
        found = re.search(r'Function : (\S+)', line)
        if found is not None:
            kernel = Kernel(found.group(1), architecture)
            kernels.append(kernel)
        found = INSTRUCTION.match(line)
        if found is not None and kernel is not None and found.group(2) != 'NOP':
            kernel.instructions.append((found.group(2), found.group(3)))
    return kernels


def expectation(kernel):
    """Pattern, number, whether dependent, what must not be there; None: nothing is known of the kernel."""
    found = re.search(r'lab_chain(s?)I(\d+)', kernel.name)
    if found is not None:
        rest = kernel.name[found.end():]
        operation, rest = rest[:int(found.group(2))], rest[int(found.group(2)):]
        length = int(re.match(r'Li(\d+)E', rest).group(1))
        if 'Bfloat16' in operation and kernel.architecture < 80:
            return None
        pattern, each, dependent = OPERATIONS[operation]
        return pattern, length * each * (8 if found.group(1) else 1), dependent and not found.group(1), None
    if re.search(r'Bfloat16E|Tf32E|Float64E', kernel.name) and 'products' in kernel.name and kernel.architecture < 80:
        return None
    for name, pattern, number, dependent, never in KERNELS:
        if re.search(name, kernel.name) is not None:
            return pattern, number, dependent, never
    return None


def complaints(kernel):
    expected = expectation(kernel)
    if expected is None:
        return
    pattern, number, dependent, never = expected
    timed = kernel.timed()
    those = [(opcode, operands) for opcode, operands in timed if re.match(pattern, opcode)]
    if len(those) < number:
        yield f'{len(those)} instructions {pattern} are timed, and {number} were expected'
    for opcode, _ in timed:
        if never is not None and re.match(never, opcode):
            yield f'{opcode} is there, which does the work of several threads at once'
    if dependent:
        broken = 0
        for (_, before), (_, after) in zip(those, those[1:]):
            written = REGISTER.search(before)
            if written is None or written.group() not in REGISTER.findall(after.split(',', 1)[-1]):
                broken += 1
        # Where the loop begins anew, and what counts its trips.
        if broken > 1 + 2 * max(0, len(those) - number):
            yield f'{broken} of {len(those)} instructions {pattern} do not need the one before'


def main():
    arguments = sys.argv[1:]
    wrong = '--wrong' in arguments
    program = shutil.which('cuobjdump')
    if '--cuobjdump' in arguments:
        at = arguments.index('--cuobjdump')
        program = arguments[at + 1]
        del arguments[at:at + 2]
    files = [argument for argument in arguments if argument != '--wrong']
    if not files:
        sys.exit(__doc__)
    if program is None:
        print('no cuobjdump: it comes with the CUDA Toolkit')
        return 77

    status, judged, seen, architectures = 0, 0, set(), set()
    for path in files:
        for kernel in read(program, path):
            if expectation(kernel) is None:
                continue
            judged += 1
            architectures.add(kernel.architecture)
            seen.update(name for name, *_ in KERNELS if re.search(name, kernel.name))
            seen.update(name for name in OPERATIONS if f'{len(name)}{name}L' in kernel.name)
            found = list(complaints(kernel))
            for complaint in found:
                print(f'sm_{kernel.architecture} {kernel.name}: {complaint}')
            if wrong != bool(found):
                if wrong:
                    print(f'sm_{kernel.architecture} {kernel.name}: nothing was found')
                status = 1
    if not wrong:
        for name in [name for name, *_ in KERNELS] + list(OPERATIONS):
            if name not in seen and (90 in architectures or OF_90.match(name) is None):
                print(f'no kernel {name}')
                status = 1
    print(f'{judged} kernels judged')
    return status if judged > 0 else 1


sys.exit(main())

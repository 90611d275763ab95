# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows each check a tree that is right, and trees that are wrong in one way, and demands that it says so.

usage: test-checks.py [EIGENSCOPE-BATCH FAKE-CARDS BUILD-FOLDER]
With a program run-commands.py is tested, without one what needs none.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

RIGHT = {
    'README.md': '''# Thing

[A page](docs/page.md#second-part) and ![a picture](docs/screenshots/one.png), [here](#thing).

| what | number | machine |
|---|---|---|
| PCA of 614 x 512 | [266 ms](docs/measurements.md#with-a-cpu) | EPYC, 2 threads |

    ./dev run      # builds
    ./dev run sonar
    ./dev pictures one
''',
    'docs/page.md': '''# Page

## First part

Nothing [there](https://nowhere.invalid/x).

## Second part

    for name in devices operations; do
      eigenscope-batch $name --json \\
        > $name.json
    done

And what cannot be:

    $ eigenscope-batch info nothing.img
    eigenscope-batch: “nothing.img” cannot be opened:
    No such file or directory

1. A list.

       eigenscope-batch info sea.wav --array line:64,1.5

A line of meson is `meson setup build -Dcuda=disabled
--buildtype=release && ninja -C build install`, and `-Dgpu_arch=90` narrows it.
''',
    'docs/measurements.md': '''# Measurements

On an EPYC with 2 threads.

## With a CPU

<!-- measured: cubes -->
| what | time |
|---|---|
| 614 x 512 x 224 int16 | 266 ms |
| a cube, 7 steps | 0.27 of 1,000 |
| PCA | Eigenscope | 200 ms | 50 MB |  | 100 ms |  |
|  | NumPy 2.4 | 400 ms | 200 MB | **0.50** | 80.0 ms | 1.25 |

Ours is not ahead at: pca, NumPy 2.4 at computing alone (1.25).
<!-- measured -->

<!-- measured: card -->
By hand, as long as nobody has measured it: 12 ms.
<!-- measured -->

## With a GPU

| 10 | 4.0 ms |
''',
    'docs/measured/tables.in': '''Numbers.

== cubes: docs/measurements.md, bench peers
| what | time |
|---|---|
| 614 x 512 x 224 int16 | {bench>benches>pca>median_ms} ms |
| a cube, {bench>benches>pca>steps} steps | {bench>benches>pca>median_ms ÷ bench>benches>all>median_ms|.2f} of \\
{bench>benches>all>median_ms} |
| not measured | {bench>benches>mnf>median_ms} ms |
@compare pca: PCA

@behind

== card: docs/measurements.md, gpu
| {gpu>analyses>pca>ms} ms |
'''.replace('\\\n', ''),
    'docs/measured/cpu-bench.json': '''{"benches": [
{"name": "pca", "median_ms": 265.6, "steps": 7}, {"name": "all", "median_ms": 1000.0}]}''',
    'docs/measured/cpu-peers.json': '''{"jobs": {"pca": {
"ours": {"process": {"ms": 200.0, "peak_mb": 50.2}, "computing": {"ms": 100.0}},
"peers": {"NumPy": {"version": "2.4+local", "process": {"ms": 400.0, "peak_mb": 200.0}, "ratio": 0.5,
"computing": {"ms": 80.04}, "computing_ratio": 1.25}}}}}''',
    'docs/screenshots/one.png': '',
    'docs/all.svg': '<svg><text>EsSum</text></svg>\n',
    'docs/README.md': '[Page](page.md), [numbers](measurements.md), [picture](all.svg)\n',
    'CONTRIBUTING.md': '''# Map

| room | what lives there | begin with |
|---|---|---|
| `compute/base` | Sums of numbers (one, two ...) and more. | `es-sum.h` |
| `kernels` | The contracts. | |

`compute/base/es-sum.{c,h}`, `es-sum.c`, `tests/*.sh` and `es_sum_new ()` are there; `compute/es-thing.c` will be.
''',
    'compute/base/meson.build': '# Sums of numbers (one, two ...) and\n# more. No letters.\n',
    'compute/base/es-sum.h': 'EsSum *es_sum_new (void);\n',
    'compute/base/es-sum.c': '#include "es-sum.h"\n',
    'kernels/meson.build': '# The contracts.\n',
    'tests/all.sh': '\n',
    'data/tool.1': '''.SH SYNOPSIS
.B eigenscope\\-batch devices
.SH OPTIONS
.BR \\-\\-array =\\fIARRAY\\fR
.B eigensolver
.SH EXAMPLES
.nf
eigenscope\\-batch info sea.wav \\-\\-array \\(aqline:64,1.5\\(aq
.fi
''',
    'dev': '''#!/bin/sh
echo 'Usage: ./dev VERB'
echo
echo '  run     build'
echo '  run sonar  play'
echo '  pictures  take them'
echo '  pictures NAME...  those alone'
''',
}


class Cases:
    def __init__(self, commands):
        self.scratch = tempfile.mkdtemp(prefix='eigenscope-docs-')
        self.tree = os.path.join(self.scratch, 'tree')
        self.commands = commands
        self.number = self.failures = 0
        self.make()

    def make(self):
        shutil.rmtree(self.tree, ignore_errors=True)
        for name, text in RIGHT.items():
            path = os.path.join(self.tree, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
        os.chmod(os.path.join(self.tree, 'dev'), 0o755)

    def run(self, check, *arguments):
        program = 'run-commands.py' if check == 'commands' else 'check-%s.py' % check
        more = self.commands if check == 'commands' else []
        done = subprocess.run([sys.executable, '-B', os.path.join(HERE, program), self.tree, *more, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=dict(os.environ, GIT_CEILING_DIRECTORIES=self.scratch))
        return done.returncode, done.stdout

    def tell(self, right, name, output):
        self.number += 1
        self.failures += not right
        print('%sok %d - %s' % ('' if right else 'not ', self.number, name))
        if not right:
            print('\n'.join('# ' + line for line in output.rstrip().split('\n')))
        sys.stdout.flush()

    def accepts(self, check, name='a tree that is right', arguments=()):
        code, output = self.run(check, *arguments)
        self.tell(code == 0 and (check == 'commands' or output == ''), '%s: accepts %s' % (check, name), output)
        self.make()

    def refuses(self, check, name, said, file, old, new):
        path = os.path.join(self.tree, file)
        if old is None:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            text = new
        else:
            with open(path, encoding='utf-8') as opened:
                text = opened.read()
            assert old in text, old
            text = text.replace(old, new)
        if new is None:
            os.remove(path)
        else:
            with open(path, 'w', encoding='utf-8') as opened:
                opened.write(text)
        code, output = self.run(check)
        self.tell(code == 1 and said in output, '%s: refuses %s' % (check, name), output)
        self.make()


def links(cases):
    cases.accepts('links')
    cases.refuses('links', 'a link to a page that is not there',
                  'README.md:3: docs/pages.md', 'README.md', 'docs/page.md#second-part', 'docs/pages.md')
    cases.refuses('links', 'an anchor that no heading makes',
                  'no heading that makes #third-part', 'README.md', '#second-part', '#third-part')
    cases.refuses('links', 'an anchor of its own page that is not there',
                  'no heading that makes #things', 'README.md', '(#thing)', '(#things)')
    cases.refuses('links', 'a picture that is not there',
                  'docs/screenshots/two.png is not there', 'README.md', 'one.png', 'two.png')
    cases.refuses('links', 'a screenshot that no page shows',
                  'docs/screenshots/two.png: no page shows it', 'docs/screenshots/two.png', None, '')


def source_map(cases):
    cases.accepts('map')
    cases.refuses('map', 'a path that is not there',
                  'CONTRIBUTING.md:8: there is no compute/base/es-sum.cu', 'CONTRIBUTING.md', '{c,h}', '{c,cu}')
    cases.refuses('map', 'a file name that no folder has',
                  'there is no es-sums.c', 'CONTRIBUTING.md', '`es-sum.c`', '`es-sums.c`')
    cases.refuses('map', 'a pattern that fits nothing',
                  'there is no tests/*.bash', 'CONTRIBUTING.md', '*.sh', '*.bash')
    cases.refuses('map', 'a function that is not there',
                  'nothing in the source is called es_sum_old', 'CONTRIBUTING.md', 'es_sum_new', 'es_sum_old')
    cases.refuses('map', 'a type in a drawing that is not there',
                  'docs/all.svg: nothing in the source is called EsTotal', 'docs/all.svg', 'EsSum', 'EsTotal')
    cases.refuses('map', 'a room without a row',
                  'the room compute/cube has no row', 'compute/cube/meson.build', None, '# Cubes.\n')
    cases.refuses('map', 'a row without a room',
                  'CONTRIBUTING.md:5: there is no room compute/base', 'tests/lint/rooms',
                  None, '# rooms\n\n0 kernels:\n')
    cases.refuses('map', 'a room that only the list of rooms has',
                  'the room compute/cube has no row', 'tests/lint/rooms',
                  None, '0 kernels:\n1 compute/base:\n2 compute/cube: base # more\n')
    cases.refuses('map', 'a row that says something else than its room',
                  'compute/base/meson.build says: Sums of letters.', 'compute/base/meson.build',
                  'Sums of numbers (one, two ...) and\n# more.', 'Sums of letters.')
    cases.refuses('map', 'a header to begin with that is elsewhere',
                  'there is no es-sum.h in kernels', 'CONTRIBUTING.md',
                  '| The contracts. | |', '| The contracts. | `es-sum.h` |')
    with open(os.path.join(cases.tree, 'CONTRIBUTING.md'), 'a', encoding='utf-8') as file:
        file.write('| `compute/cube` | | |\n')
    os.makedirs(os.path.join(cases.tree, 'compute/cube'))
    with open(os.path.join(cases.tree, 'compute/cube/meson.build'), 'w', encoding='utf-8') as file:
        file.write('# Cubes.\n')
    cases.accepts('map', 'what --write has put in', ['--write'])


def numbers(cases):
    cases.accepts('numbers')
    cases.refuses('numbers', 'a number that was not measured',
                  'README.md:7: 265 is not in #with-a-cpu', 'README.md', '266 ms', '265 ms')
    cases.refuses('numbers', 'a number of another section',
                  '4.0 is not in #with-a-cpu', 'README.md', '266 ms', '4.0 ms')
    cases.refuses('numbers', 'a digit less', '26 is not in #with-a-cpu', 'README.md', '266 ms', '26 ms')
    cases.refuses('numbers', 'another machine', '4 is not in #with-a-cpu', 'README.md', '2 threads', '4 threads')
    cases.refuses('numbers', 'a table without links',
                  'no row of numbers', 'README.md', 'docs/measurements.md#with-a-cpu', 'docs/page.md')


def tables(cases):
    page, numbers_of = 'docs/measurements.md', 'docs/measured/cpu-bench.json'
    cases.accepts('tables')
    cases.refuses('tables', 'a number that was typed', 'measurements.md:8: cubes is not what the measurements make',
                  page, '| 266 ms |', '| 265 ms |')
    cases.refuses('tables', 'a number that was measured anew', 'cubes is not what', numbers_of, '265.6', '260.6')
    cases.refuses('tables', 'a peer that is behind no more', 'cubes is not what', page, 'not ahead', 'ahead')
    cases.refuses('tables', 'a template without its place', 'no place for the table cubes', page, 'measured: cubes',
                  'measured: cube')
    cases.refuses('tables', 'a place without its template', 'no template makes the table card',
                  'docs/measured/tables.in', '== card', '== cards')
    with open(os.path.join(cases.tree, numbers_of), 'r+', encoding='utf-8') as file:
        text = file.read().replace('265.6', '1265.6')
        file.seek(0)
        file.write(text)
    cases.run('tables', '--write')
    cases.accepts('tables', 'what --write has put in')


def commands(cases):
    cases.accepts('commands')
    cases.refuses('commands', 'a file that no command makes',
                  'not ok', 'docs/page.md', 'info sea.wav', 'info lake.wav')
    cases.refuses('commands', 'an option that is not there',
                  'not ok', 'docs/page.md', '$name --json', '$name --jason')
    cases.refuses('commands', 'an answer that is another', 'the page says', 'docs/page.md', 'No such', 'No')
    cases.refuses('commands', 'an error where there is none',
                  'not ok', 'docs/page.md', 'info nothing.img', 'info cube.img')
    cases.refuses('commands', 'an example of the manual that fails',
                  'data/tool.1:8', 'data/tool.1', 'line:64', 'lines:64')
    cases.refuses('commands', 'a verb that the manual alone has',
                  'data/tool.1:2', 'data/tool.1', 'batch devices', 'batch gadgets')
    cases.refuses('commands', 'a verb that ./dev does not have',
                  '"run pair" is no verb', 'README.md', 'run sonar', 'run pair')
    cases.refuses('commands', 'a picture that is not there',
                  'there is no picture "two"', 'README.md', 'pictures one', 'pictures two')
    cases.refuses('commands', 'an option that meson does not have',
                  'there is no option "cudas"', 'docs/page.md', '-Dcuda=', '-Dcudas=')
    cases.refuses('commands', 'a value that an option does not have',
                  '"none" is no value', 'docs/page.md', '-Dcuda=disabled', '-Dcuda=none')
    cases.refuses('commands', 'an option alone that is not there',
                  'there is no option "gpu_arches"', 'docs/page.md', '-Dgpu_arch=', '-Dgpu_arches=')
    cases.refuses('commands', 'a target that ninja does not have',
                  'there is no target "installed"', 'docs/page.md', 'build install`', 'build installed`')
    cases.refuses('commands', 'an option that the manual alone has',
                  'data/tool.1:4: eigenscope-batch does not know --arrays', 'data/tool.1', 'array =', 'arrays =')
    cases.refuses('commands', 'a key that the manual alone has',
                  'data/tool.1:5: eigenscope-batch does not know eigensolvers',
                  'data/tool.1', 'B eigensolver', 'B eigensolvers')
    shutil.rmtree(cases.tree)
    os.mkdir(cases.tree)
    code, output = cases.run('commands')
    cases.tell(code == 1 and 'no page shows a command' in output, 'commands: refuses an empty tree', output)


def main(*arguments):
    cases = Cases(arguments)
    try:
        if arguments:
            commands(cases)
        else:
            links(cases)
            source_map(cases)
            numbers(cases)
            tables(cases)
    finally:
        shutil.rmtree(cases.scratch)
    print('1..%d' % cases.number)
    return 1 if cases.failures else 0


if __name__ == '__main__':
    sys.exit(main(*[os.path.abspath(argument) for argument in sys.argv[1:4]]))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every command line that the pages and the manual show, on data made small on the spot.

usage: run-commands.py ROOT EIGENSCOPE-BATCH FAKE-CARDS BUILD-FOLDER

Lines with eigenscope-batch run one after the other in one scratch folder and must exit with 0, or print what the page
says that they print. ./dev, meson, ninja and man lines are held against what ./dev help and the build folder know.
"""

import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import wave

import documents

# Sizes of what is simulated. Nothing else of a line is changed.
SMALLER = (
    (r'\bwidth=\d+', 'width=160'),
    (r'\bheight=\d+', 'height=120'),
    (r'\brate=8000\b', 'rate=2000'),
    (r'\bseconds=(?:60|120)\b', 'seconds=30'),
)

# Lines that need what is not here: pattern, what stands in for it, why.
STAND_INS = (
    (r'\bcuda:', {'ES_CUDA_MODULE': 'FAKE', 'ES_LAB_CUDA_MODULE': 'RECORDED', 'ES_LADDER_CUDA_MODULE': 'LADDERS'},
     'there need be no GPU: cards of host memory take its place, and answers that were recorded'),
)

# Lines whose text is not compared: pattern, why. That they fail, or do not, still counts.
OTHER_WORDS = (
    (r'\bLANG=zh_CN', 'its words are a translation, and need a locale that may not be installed'),
)

# Lines that are held against what is known of these programs instead of being run.
KNOWN = re.compile(r'(?:[A-Z_]+=\S* )*(?:\./dev\b|(?:meson|ninja|man|bash)\s|tests/)')

# Sections of the manual whose words in bold are options, or keys of operations.
MANUAL = 'OPTIONS', 'OPERATIONS ON RECORDINGS'

NINJA_TARGETS = {'all', 'clean', 'install', 'test', 'benchmark', 'uninstall', 'dist', 'reconfigure'}


def cases(root):
    """The commands in the order of the pages, each text once."""
    found, seen = [], set()
    files = documents.project_files(root)
    for page in sorted(documents.pages(files), key=lambda name: (name.count('/'), name)):
        found += documents.commands_of(page, documents.read(root, page))
    for page in files:
        if re.fullmatch(r'data/[^/]+\.1', page):
            found += documents.commands_of_man(page, documents.read(root, page))
    return [command for command in found if not (command.text in seen or seen.add(command.text))]


def names_before_making(name, commands):
    """Whether the first of the commands that names a file does something else than to simulate it."""
    for command in commands:
        if name in command.text and not KNOWN.match(command.text):
            return not re.search(r'\bsimulate \w+ -o %s(?!\S)' % re.escape(name), command.text)
    return False


class Scratch:
    """A folder with the files that the pages name and no page makes."""

    def __init__(self, batch, cards, folder):
        self.folder = tempfile.mkdtemp(prefix='eigenscope-docs-')
        self.stand_ins = {'FAKE': cards, 'RECORDED': os.path.join(
            os.path.abspath(folder), 'tests/compute/lab/libeigenscope-recorded-lab.so'), 'LADDERS': os.path.join(
            os.path.abspath(folder), 'tests/kernels/libeigenscope-fake-ladder.so')}
        programs = os.path.join(self.folder, '.programs')
        os.mkdir(programs)
        os.symlink(os.path.abspath(batch), os.path.join(programs, 'eigenscope-batch'))
        self.environment = dict(os.environ, LC_ALL='C.UTF-8', PATH=programs + os.pathsep + os.environ['PATH'])
        self.environment.pop('ES_CUDA_MODULE', None)
        # Open MPI's launcher would not start as root, as in a container, nor more processes than processors.
        self.environment.update(OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1',
                                OMPI_MCA_rmaps_base_oversubscribe='1', OMPI_MCA_btl_vader_single_copy_mechanism='none')

    def run(self, line):
        environment = dict(self.environment)
        for pattern, more, _ in STAND_INS:
            if re.search(pattern, line):
                environment.update((key, self.stand_ins.get(value, value)) for key, value in more.items())
        return subprocess.run(['bash', '-e', '-o', 'pipefail', '-c', line], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120)

    def fill(self, commands):
        """Makes what one of the commands names."""
        named = ' '.join(command.text for command in commands if not KNOWN.match(command.text))
        missing = [name for name in ('cube', 'huge', 'other') if names_before_making(name + '.img', commands)]
        for name in missing[:1]:
            self.run('eigenscope-batch simulate cube -o %s.img width=160 height=120 bands=210' % name)
        for name in missing[1:]:
            self.run('for end in img hdr; do cp %s.$end %s.$end; done' % (missing[0], name))
        if names_before_making('sea.wav', commands):
            self.run('eigenscope-batch simulate recording -o sea.wav array=line:64,1.5 rate=2000 seconds=30')
        if 'hydrophone-' in named:
            self.make_hydrophones()

    def make_hydrophones(self):
        """Six files of one channel with a call in them, and where they are."""
        with open(os.path.join(self.folder, 'positions.csv'), 'w', encoding='ascii') as positions:
            positions.write('x,y,z\n')
            for i in range(6):
                positions.write('%.2f,%.2f,%.2f\n' % (math.cos(i), math.sin(i), 0.5 * (i % 2)))
        noise = random.Random(6)
        call = [noise.randint(-9000, 9000) for _ in range(12000)]
        for i in range(6):
            with wave.open(os.path.join(self.folder, 'hydrophone-%d.wav' % (i + 1)), 'wb') as file:
                file.setnchannels(1)
                file.setsampwidth(2)
                file.setframerate(8000)
                file.writeframes(b''.join((value + noise.randint(-99, 99)).to_bytes(2, 'little', signed=True)
                                          for value in call))

    def remove(self):
        shutil.rmtree(self.folder)


class Build:
    """What a build folder knows: options, suites, targets; and ./dev, verbs."""

    def __init__(self, root, folder):
        def known(name):
            with open(os.path.join(folder, 'meson-info', 'intro-%s.json' % name), encoding='utf-8') as file:
                return json.load(file)

        self.root = root
        self.options = {option['name']: option for option in known('buildoptions')}
        self.suites = {suite.split(':')[-1] for test in known('tests') for suite in test['suite']}
        self.targets = NINJA_TARGETS | {target['name'] for target in known('targets')}
        usage = subprocess.run([os.path.join(root, 'dev'), 'help'], capture_output=True, text=True).stdout \
            if os.path.exists(os.path.join(root, 'dev')) else ''
        self.verbs = {' '.join(verb.split()) for verb in re.findall(r'(?m)^  ([a-z]+(?: [a-z]+)?)(?:  +\S|$)', usage)}

    def complain(self, line):
        """None, or what is wrong with a line of ./dev, meson, ninja or man."""
        for part in re.split(r'&&|;', line):
            words = [word for word in part.split('#')[0].split() if not re.match(r'[A-Z_]+=', word)]
            complaint = self.complain_words(words) if words else None
            if complaint:
                return complaint
        return None

    def complain_words(self, words):
        program, rest = words[0], words[1:]
        if program == './dev':
            verb = ' '.join(word for word in rest if not word.startswith('-'))
            fuzz = re.fullmatch(r'fuzz ([a-z0-9-]+)(?: [0-9]+)?', verb)
            if fuzz and (fuzz[1] == 'all' or os.path.exists(os.path.join(self.root, 'tests/fuzz/fuzz-%s.c' % fuzz[1]))):
                return None
            pictures = re.fullmatch(r'pictures((?: [a-z0-9-]+)+)', verb)
            if pictures and 'pictures' in self.verbs:
                missing = [name for name in pictures[1].split()
                           if not os.path.exists(os.path.join(self.root, 'docs/screenshots', name + '.png'))]
                return 'there is no picture "%s"' % missing[0] if missing else None
            return None if not verb or verb in self.verbs else '"%s" is no verb that ./dev help tells' % verb
        if program == 'man':
            return None if os.path.exists(os.path.join(self.root, 'data', rest[0] + '.1')) else 'no manual of that name'
        if program == 'bash':
            program = rest[0]
        if program.startswith('tests/'):
            return None if os.path.exists(os.path.join(self.root, program)) else 'no such program'
        if program == 'meson' and rest and rest[0] not in ('setup', 'configure', 'test', 'compile', 'install'):
            return '"%s" is no command of meson that is known here' % rest[0]
        return self.complain_arguments(program, rest[1:] if program == 'meson' else rest)

    def complain_arguments(self, program, rest):
        while rest:
            word, rest = rest[0], rest[1:]
            if word in ('-C', '-j', '--num-processes', '-t', '--timeout-multiplier'):
                rest = rest[1:]
            elif word in ('--suite', '--no-suite'):
                if not rest or rest[0] not in self.suites:
                    return 'there is no suite "%s"' % ' '.join(rest[:1])
                rest = rest[1:]
            elif program == 'meson' and re.match(r'(-D|--)[\w.]+=', word):
                complaint = self.complain_option(*re.match(r'(?:-D|--)([\w.]+)=(.*)', word).groups())
                if complaint:
                    return complaint
            elif program == 'ninja' and not word.startswith('-') and word not in self.targets:
                return 'there is no target "%s"' % word
        return None

    def complain_option(self, name, value):
        option = self.options.get(name)
        if option is None:
            return 'there is no option "%s"' % name
        choices = {'boolean': ['true', 'false'], 'feature': ['enabled', 'disabled', 'auto']}.get(
            option['type'], option.get('choices') if option['type'] == 'combo' else None)
        return None if not choices or value in choices else '"%s" is no value of the option "%s"' % (value, name)


def judge(command, scratch, build):
    """(right, what to say) of one command."""
    if KNOWN.match(command.text):
        complaint = build.complain(command.text)
        return not complaint, complaint or ''
    line = command.text
    if re.search(r'\beigenscope-batch simulate\b', line):
        for pattern, smaller in SMALLER:
            line = re.sub(pattern, smaller, line)
    try:
        done = scratch.run(line)
    except subprocess.TimeoutExpired:
        return False, 'took longer than two minutes'
    printed = ' '.join(done.stdout.split())
    if command.shown is None:
        return done.returncode == 0, 'exit status %d: %s' % (done.returncode, done.stdout)
    shown = ' '.join(' '.join(command.shown).split())
    fails = shown.startswith('eigenscope-batch: ')
    if fails != (done.returncode != 0):
        return False, 'exit status %d: %s' % (done.returncode, done.stdout)
    compared = not any(re.search(pattern, line) for pattern, _ in OTHER_WORDS)
    return not compared or printed == shown, 'the page says: %s\nit says: %s' % (shown, printed)


def options_of(root):
    """Every -Dname=value between backticks of the prose, as a line of meson."""
    for page in documents.pages(documents.project_files(root)):
        for number, span in documents.spans_of(documents.read(root, page)):
            if re.fullmatch(r'-D\w+=\S+', span):
                yield documents.Command(page, number, 'meson setup build ' + span, None)


def complain_of_manuals(root, scratch):
    """Options and keys that a manual tells and the program does not know."""
    verbs = ('operations', 'devices', 'info', 'shapes', 'run', 'compare', 'plan', 'spectra', 'match', 'simulate',
             'bench')
    known = None
    for page in documents.project_files(root):
        if not re.fullmatch(r'data/[^/]+\.1', page):
            continue
        if known is None:
            lines = ['eigenscope-batch operations'] + ['eigenscope-batch %s --help' % verb for verb in verbs]
            known = set(re.findall(r'-*[a-z][a-z-]*', ' '.join(scratch.run(line).stdout for line in lines)))
        for number, word in documents.words_of_man(documents.read(root, page), MANUAL):
            if word not in known:
                yield '%s:%d: eigenscope-batch does not know %s' % (page, number, word)


def main(root, batch, cards, folder):
    commands = cases(root) + list(options_of(root))
    build = Build(root, folder)
    scratch = Scratch(batch, cards, folder)
    failures = 0
    try:
        scratch.fill(commands)
        for number, command in enumerate(commands, 1):
            right, why = judge(command, scratch, build)
            failures += not right
            print('%sok %d - %s:%d: %s' % ('' if right else 'not ', number, command.page, command.number,
                                         ' '.join(command.text.split()).replace('#', '\\#')))
            if not right:
                print('\n'.join('# ' + text for text in why.rstrip().split('\n')))
            sys.stdout.flush()
        complaints = list(complain_of_manuals(root, scratch))
    finally:
        scratch.remove()
    complaints += [] if commands else ['no page shows a command']
    print('%sok %d - options and keys of the manual' % ('not ' if complaints else '', len(commands) + 1))
    print('\n'.join('# ' + complaint for complaint in complaints), end='\n' if complaints else '')
    print('1..%d' % (len(commands) + 1))
    return 1 if failures or complaints else 0


if __name__ == '__main__':
    sys.exit(main(*[os.path.abspath(argument) for argument in sys.argv[1:5]]))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Analyses by several processes of this machine, by `eigenscope-batch compare --processes`: how much faster than one.

usage: bench-processes.py --ours PROGRAM --directory SAMPLES --output FILE [--numbers 1,2,4] [--repeats N] [NAME ...]

Processes have one thread each. Numbers of them take turns, so that what else the machine does falls on all alike;
medians count, of the whole program as of each step. Of what can be planned, `--plan here` tells what would have been.
Beside them, what the machine allows: two processes of the whole work each, at once. Then: what mpirun costs a single
process (both in turns), and whether four processes write the bytes of one.

What is measured goes to FILE as JSON; show-bench.py shows it, and with --keep puts it into docs/measured."""

import argparse
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
COMPARE = os.path.join(HERE, '..', 'mpi', 'compare-results.py')
# More processes than processors, and as root in a container: Open MPI has to be told.
LAUNCHING = {'OMPI_MCA_rmaps_base_oversubscribe': '1', 'OMPI_ALLOW_RUN_AS_ROOT': '1',
             'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_btl_vader_single_copy_mechanism': 'none'}

CUBE = ('cube', 'width=614', 'height=512', 'bands=224', 'interleave=bsq', 'type=int16', 'seed=1', 'no-data=0')
LARGE = ('cube', 'width=781', 'height=6955', 'bands=224', 'interleave=bsq', 'type=int16', 'seed=1', 'no-data=0')
SOURCES = 'sources=noise,123,0,300:480;tone,60,-10,60'
MVDR = ('mvdr', 'angles=0:179:1', 'snapshots=8', 'eigenvalues=no', 'band=97.65625:484.375')


def recording(elements, seconds):
    return ('recording', 'array=line:%d,1.5' % elements, 'seconds=%d' % seconds, 'rate=8000', 'type=int16', 'seed=1',
            SOURCES)


# name: (what it is, file, how it is made, operation and parameters): as `eigenscope-batch bench` has them.
JOBS = {
    'pca-bsq': ('PCA, 614 x 512 x 224 int16', '614x512x224-bsq.img', CUBE, ('pca', 'threshold=0.99')),
    'mnf-bsq': ('MNF of it, 10 components', '614x512x224-bsq.img', CUBE,
                ('mnf', 'noise=shift-difference', 'direction=lower-right', 'keep=count', 'components=10')),
    'fastica-bsq': ('FastICA of it, 10 components', '614x512x224-bsq.img', CUBE,
                    ('fastica', 'components=10', 'approach=symmetric', 'g=tanh', 'tolerance=0.0001',
                     'iterations=200')),
    'pca-large': ('PCA, 781 x 6955 x 224 int16 (2.4 GB)', '781x6955x224-bsq.img', LARGE, ('pca', 'threshold=0.99')),
    'mnf-large': ('MNF of it, 10 components', '781x6955x224-bsq.img', LARGE,
                  ('mnf', 'noise=shift-difference', 'direction=lower-right', 'keep=count', 'components=10')),
    'fastica-large': ('FastICA of it, 10 components', '781x6955x224-bsq.img', LARGE,
                      ('fastica', 'components=10', 'approach=symmetric', 'g=tanh', 'tolerance=0.0001',
                       'iterations=200')),
    'beams-512': ('Beams of 512 elements, 60 s', '512x60s.w64', recording(512, 60),
                  ('cbf', 'band=319.3359375:480.46875', 'lofar-band=33.3:318', 'angles=10:169:1', 'block=1s',
                   'shading=none')),
    'mvdr-64-128': ('MVDR of 64 elements, K = 128, 60 s', '64x60s.w64', recording(64, 60), MVDR + ('blocks=16',)),
    'mvdr-512-64': ('MVDR of 512 elements, K = 64, 20 s', '512x20s.w64', recording(512, 20), MVDR + ('blocks=8',)),
    'mvdr-512-64-60s': ('MVDR of 512 elements, K = 64, 60 s', '512x60s.w64', recording(512, 60), MVDR + ('blocks=8',)),
    'lofar-64': ('LOFAR of a beam of 64 elements, 60 s', '64x60s.w64', recording(64, 60), ('lofar', 'bearing=123')),
}


def note(text):
    print(text, file=sys.stderr, flush=True)


class Bench:
    def __init__(self, options):
        self.ours = os.path.abspath(options.ours)
        self.directory = options.directory
        self.numbers = [int(number) for number in options.numbers.split(',')]
        self.repeats = options.repeats
        self.environment = dict(os.environ, LC_ALL='C.UTF-8', LANGUAGE='', ES_CUDA_MODULE='none', **LAUNCHING)

    def run(self, *command):
        return subprocess.run(command, env=self.environment, check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True).stdout

    def sample(self, name):
        _, file, made, _ = JOBS[name]
        path = os.path.join(self.directory, file)
        if not os.path.exists(path):
            note('Making ' + path)
            self.run(self.ours, 'simulate', made[0], '-o', path, *made[1:])
        return path

    def machine(self):
        cpu = json.loads(self.run(self.ours, 'devices', '--json'))[0]
        return {'processor': cpu['name'], 'detail': cpu['detail'], 'threads': cpu['lanes'],
                'system': os.uname().sysname}

    # ---- several processes

    def turn(self, name, plan):
        operation, *parameters = JOBS[name][3]
        return json.loads(self.run(self.ours, 'compare', operation, self.sample(name), *parameters, '--processes',
                                   ','.join(map(str, self.numbers)), '--repeats', '1', '--no-published', '--json',
                                   *(['--plan', 'here'] if plan else [])))

    def can_plan(self, name):
        operation, *parameters = JOBS[name][3]
        return subprocess.run([self.ours, 'plan', operation, self.sample(name), *parameters, '--cluster', 'here'],
                              env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0

    def scale(self, name):
        plan = self.can_plan(name)
        try:
            turns = [self.turn(name, plan) for _ in range(self.repeats)]
        except subprocess.CalledProcessError as error:
            note('%s is left out: %s' % (name, error.stderr.strip()))
            return None
        runs = []
        for i, number in enumerate(self.numbers):
            of_it = [turn['runs'][i] for turn in turns]
            steps = {step['name']: [] for step in of_it[0]['steps']}
            for run in of_it:
                for step in run['steps']:
                    steps.setdefault(step['name'], []).append(step.get('ms', 0))
            run = {'name': str(number), 'processes': number,
                   'total_ms': statistics.median(run['total_ms'] for run in of_it),
                   'fastest_ms': min(run['total_ms'] for run in of_it),
                   'slowest_ms': max(run['total_ms'] for run in of_it),
                   'whole_ms': statistics.median(run['whole_ms'] for run in of_it),
                   'waiting': statistics.median(run['waiting'] for run in of_it),
                   'steps': {step: statistics.median(times) for step, times in steps.items()}}
            if plan:
                run['planned_ms'] = statistics.median(turn['planned'][i]['planned_ms'] for turn in turns)
            runs.append(run)
        for run in runs:
            run['speed_up'] = runs[0]['processes'] * runs[0]['total_ms'] / run['total_ms']
            run['efficiency'] = run['speed_up'] / run['processes']
            run['waiting_percent'] = 100 * run['waiting']
        job = {'name': name, 'what': JOBS[name][0], 'operation': JOBS[name][3][0], 'runs': runs,
               'same_bytes': self.same_bytes(name), **self.beside(name)}
        for run in runs:
            if run['processes'] == 2:
                job['of_ceiling'] = run['speed_up'] / job['ceiling']
        return job

    # ---- what the machine allows

    def beside(self, name):
        """The slower of two processes that know nothing of each other and compute the whole each, against one that has
        the machine for itself: they share memory, caches and what else the machine does, and tell each other nothing.
        Processes that share the work cannot be done before the slower one is."""
        times = {1: [], 2: []}
        for _ in range(self.repeats):
            for number in (1, 2):
                with tempfile.TemporaryDirectory(dir=self.directory) as scratch:
                    folders = [os.path.join(scratch, str(i)) for i in range(number)]
                    processes = [subprocess.Popen(self.command(name, folder), env=self.environment,
                                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                                 for folder in folders]
                    if any([process.wait() for process in processes]):
                        raise subprocess.CalledProcessError(1, self.command(name, folders[0]))
                    totals = []
                    for folder in folders:
                        with open(os.path.join(folder, 'result.json'), encoding='utf-8') as file:
                            totals.append(json.load(file)['total_ms'])
                    times[number].append(max(totals))
        one, two = statistics.median(times[1]), statistics.median(times[2])
        return {'apart_one_ms': one, 'apart_two_ms': two, 'ceiling': 2 * one / two}

    # ---- the same bytes

    def command(self, name, folder, processes=None):
        operation, *parameters = JOBS[name][3]
        first = ['mpirun', '-q', '--oversubscribe', '--bind-to', 'none', '-n', str(processes)] if processes else []
        return [*first, self.ours, 'run', operation, self.sample(name), *parameters, '-o', folder, '--device', 'cpu',
                '--threads', '1', '-q']

    def same_bytes(self, name):
        """Of four processes and one."""
        with tempfile.TemporaryDirectory(dir=self.directory) as scratch:
            one, four = os.path.join(scratch, 'one'), os.path.join(scratch, 'four')
            self.run(*self.command(name, one))
            self.run(*self.command(name, four, 4))
            return subprocess.run([sys.executable, '-B', COMPARE, one, four], stdout=subprocess.DEVNULL,
                                  check=False).returncode == 0

    # ---- one process, launched and not

    def alone(self, name):
        totals, wholes = {True: [], False: []}, {True: [], False: []}
        for _ in range(max(self.repeats, 5)):
            for launched in (False, True):
                with tempfile.TemporaryDirectory(dir=self.directory) as scratch:
                    folder = os.path.join(scratch, 'out')
                    start = time.monotonic()
                    self.run(*self.command(name, folder, 1 if launched else None))
                    wholes[launched].append(1e3 * (time.monotonic() - start))
                    with open(os.path.join(folder, 'result.json'), encoding='utf-8') as file:
                        totals[launched].append(json.load(file)['total_ms'])
        plain, launched = statistics.median(totals[False]), statistics.median(totals[True])
        return {'what': JOBS[name][0], 'plain_ms': plain, 'launched_ms': launched,
                'overhead': launched / plain - 1, 'overhead_percent': 100 * (launched / plain - 1),
                'plain_whole_ms': statistics.median(wholes[False]),
                'launched_whole_ms': statistics.median(wholes[True])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--ours', required=True)
    parser.add_argument('--directory', required=True)
    parser.add_argument('--output', required=True)
    parser.add_argument('--numbers', default='1,2,4')
    parser.add_argument('--repeats', type=int, default=5)
    parser.add_argument('names', nargs='*', metavar='NAME')
    options = parser.parse_args()
    unknown = set(options.names) - set(JOBS)
    if unknown:
        parser.error('no job is called %s; there are %s' % (', '.join(sorted(unknown)), ', '.join(JOBS)))
    if shutil.which('mpirun') is None:
        parser.error('mpirun of Open MPI is not in PATH')
    os.makedirs(options.directory, exist_ok=True)
    bench = Bench(options)
    found = {'date': datetime.date.today().isoformat(), 'machine': bench.machine(), 'repeats': options.repeats,
             'scaling': []}
    for name in options.names or JOBS:
        note('%s by %s processes' % (name, options.numbers))
        job = bench.scale(name)
        if job is not None:
            found['scaling'].append(job)
    if not options.names or 'pca-bsq' in options.names:
        note('one process, launched and not')
        found['alone'] = bench.alone('pca-bsq')
    found['differ'] = [job['name'] for job in found['scaling'] if not job['same_bytes']]
    with open(options.output, 'w', encoding='utf-8') as file:
        json.dump(found, file, indent=1)
        file.write('\n')
    if found['differ']:
        parser.exit(1, 'Not the same bytes by four processes: %s\n' % ', '.join(found['differ']))


if __name__ == '__main__':
    main()

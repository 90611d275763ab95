#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several cards of one host: by processes, and by one process. PCA of a cube that is read once and that is streamed,
MVDR over many blocks, FastICA with and without NCCL; whether the components are the same bytes; and how soon a run
ends whose process is killed. Results are written as they come: cards.jsonl, a line a run, and cards.json, the medians,
for docs/measured.

    on_cards.py PROGRAM --results FOLDER [--scratch FOLDER] [--seconds 460] [--repeats 5] [--steps pca,streamed,...]

ES_RANKS_LAUNCH starts processes ("orterun -q ... -n"); the rest of its words, how many and the command follow.
"""

import argparse
import glob
import json
import os
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import time

CUBE = {'width': 1562, 'height': 13910, 'bands': 224, 'seed': 7}
SCENE = {'width': 781, 'height': 6955, 'bands': 224, 'seed': 7}
ELEMENTS, RATE, SIMULATED_SECONDS, COPIES = 2048, 8000, 8, 480


class TimeIsUp(Exception):
    pass


class Bench:
    def __init__(self, options):
        self.program = shlex.split(options.program)
        self.launcher = shlex.split(os.environ.get('ES_RANKS_LAUNCH', 'mpirun -q --oversubscribe --bind-to none -n'))
        self.results, self.scratch = options.results, options.scratch
        self.repeats, self.scale = options.repeats, options.scale
        self.end = time.monotonic() + options.seconds
        self.cards = options.cards
        self.elements = ELEMENTS if self.scale >= 1 else 64
        self.rows, self.same, self.killed = [], [], []
        os.makedirs(self.results, exist_ok=True)
        self.lines = open(os.path.join(self.results, 'cards.jsonl'), 'a', buffering=1)

    def left(self):
        return self.end - time.monotonic()

    def path(self, name):
        return os.path.join(self.scratch, name)

    def run(self, command, limit, env=None):
        """Status, seconds and what was said; -1: it took longer than the limit."""
        start = time.monotonic()
        limit = min(limit, self.left())
        if limit < 2:
            raise TimeIsUp
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 env={**os.environ, **(env or {})}, start_new_session=True)
        try:
            said = child.communicate(timeout=limit)[0]
            status = child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            said = child.communicate()[0]
            status = -1
        return status, time.monotonic() - start, said

    def command(self, processes, arguments):
        if processes == 1:
            return [*self.program, *arguments]
        return [*self.launcher, str(processes), *self.program, *arguments]

    def note(self, entry):
        self.lines.write(json.dumps(entry) + '\n')

    def analyse(self, what, way, arguments, env=None, limit=60, keep=None):
        """One run of one way (processes, device); its entry. The result is removed, or renamed to `keep`."""
        processes, device = way
        folder = self.path('out')
        shutil.rmtree(folder, ignore_errors=True)
        command = self.command(processes, ['run', *arguments, '--device', device, '-q', '-o', folder])
        status, seconds, said = self.run(command, limit, env)
        entry = {'what': what, 'processes': processes, 'device': device, 'status': status,
                 'whole_ms': round(seconds * 1e3, 1)}
        if env:
            entry['env'] = env
        if status != 0:
            entry['said'] = said[-600:]
        else:
            with open(os.path.join(folder, 'result.json')) as file:
                result = json.load(file)
            entry.update(summarise(result))
            if keep is not None:
                shutil.rmtree(self.path(keep), ignore_errors=True)
                os.rename(folder, self.path(keep))
        shutil.rmtree(folder, ignore_errors=True)
        self.note(entry)
        return entry

    def compare_ways(self, short, what, ways, arguments, env=None, repeats=None, limit=60, keep=True):
        """All ways in turn, as often as there are repeats: the first round is not counted where there are more."""
        print(f'\n== {what}', flush=True)
        entries = {way: [] for way in ways}
        for turn in range((repeats or self.repeats) + 1):
            for way in ways:
                name = keep and f'keep-{way[0]}-{way[1].replace(":", "")}'
                entry = self.analyse(what, way, arguments, env, limit, name or None if turn == 0 else None)
                entry['turn'] = turn
                if entry['status'] != 0:
                    print(f'  {way}: status {entry["status"]}: {entry["said"][-300:]}', flush=True)
                elif turn > 0:
                    entries[way].append(entry)
        self.show(short, what, entries)
        if keep:
            self.compare_bytes(short, what, ways)
        return entries

    def show(self, short, what, entries):
        base = None
        for way, list_of in entries.items():
            if not list_of:
                continue
            steps = median_steps(list_of)
            whole = statistics.median(e['whole_ms'] for e in list_of)
            total = statistics.median(e['total_ms'] for e in list_of)
            work = statistics.median(e['work_ms'] for e in list_of)
            base = base or (whole, total, work)
            print(f'  {way[0]} x {way[1]:8s} whole {whole:8.1f} ms ({base[0] / whole:4.2f})  job {total:8.1f} '
                  f'({base[1] / total:4.2f})  steps {work:8.1f} ({base[2] / work:4.2f})  '
                  + ', '.join(f'{name} {ms:.1f}' for name, ms in steps.items()) + self.tell_sums(list_of), flush=True)
            row = {'name': name_of(short, way), 'what': what, 'processes': way[0], 'device': way[1],
                   'whole_ms': whole, 'total_ms': round(total, 2), 'work_ms': round(work, 2),
                   'speed_up_whole': base[0] / whole, 'speed_up_job': base[1] / total,
                   'speed_up_steps': base[2] / work, 'steps': steps, 'runs': len(list_of)}
            self.rows.append({**row, **self.count_sums(list_of)})
            self.note({'median': True, **self.rows[-1]})

    @staticmethod
    def count_sums(entries):
        """Of FastICA by several processes: steps, and what one takes, its sums among it."""
        if entries[0].get('sums') is None or 'iteration' not in entries[0]['steps']:
            return {}
        steps = entries[0]['n_steps'] or [1]
        n = sum(steps) if 'one by one' in entries[0]['what'] else max(steps)
        return {'sums': entries[0]['sums'], 'n_steps': n,
                'step_us': statistics.median(entry['steps']['iteration'] for entry in entries) / n * 1e3,
                'joined_ms': statistics.median(entry['sums_joined_ms'] for entry in entries)}

    def tell_sums(self, entries):
        sums = self.count_sums(entries)
        return sums and (f'; {sums["n_steps"]} steps of {sums["step_us"]:.0f} us, sums by {sums["sums"]}, joined in '
                         f'{sums["joined_ms"]:.0f} ms') or ''

    def compare_bytes(self, short, what, ways):
        """Every file of the first way beside those of the others, but for what tells times."""
        folders = [self.path(f'keep-{way[0]}-{way[1].replace(":", "")}') for way in ways]
        if os.path.isdir(folders[0]):
            for way, folder in zip(ways[1:], folders[1:]):
                same, differing = [], []
                for file in sorted(glob.glob(os.path.join(folders[0], '*'))):
                    if os.path.basename(file) in ('result.json', 'steps.csv'):
                        continue
                    other = os.path.join(folder, os.path.basename(file))
                    alike = os.path.exists(other) and subprocess.run(['cmp', '-s', file, other]).returncode == 0
                    (same if alike else differing).append(os.path.basename(file))
                print(f'  {way[0]} x {way[1]}: the same bytes: {", ".join(same) or "none"}'
                      f'{"; others: " + ", ".join(differing) if differing else ""}', flush=True)
                self.same.append({'name': name_of(short, way), 'what': what, 'same': same, 'differing': differing})
                self.note({'bytes': True, **self.same[-1]})
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def name_of(short, way):
    return f'{short} {"all" if way[1] == "cuda:all" else way[0]}'


# The card's start, and what waits for the others': not a matter of how many compute.
FIXED = ('choice', 'start', 'setup')


def summarise(result):
    stages = {stage['name']: stage for stage in result.get('stages', [])}
    total = result.get('total_ms') or sum(stage['ms'] for stage in stages.values())
    steps = {}
    for name, stage in stages.items():
        of = stage.get('processes') or {}
        steps[name] = of.get('greatest_ms', stage['ms'])
    processes = result.get('values', {}).get('processes') or {}
    # Of each step the process that took longest; waiting for others is none.
    work = sum(ms for name, ms in steps.items() if name not in FIXED and name != 'waiting')
    return {'total_ms': total, 'work_ms': work, 'steps': steps, 'upload': result.get('values', {}).get('upload'),
            'sums': processes.get('sums'), 'sums_joined_ms': processes.get('sums_joined_ms'),
            'process_ms': processes.get('ms'), 'waited_ms': processes.get('waited_ms'),
            'n_steps': find(result.get('values', {}), 'steps'), 'device_name': result.get('device_name')}


def is_number_or_numbers(value):
    return all(isinstance(one, (int, float)) for one in (value if isinstance(value, list) else [value]))


def find(node, key):
    if isinstance(node, dict):
        if key in node and is_number_or_numbers(node[key]):
            return node[key]
        node = list(node.values())
    if isinstance(node, list):
        for value in node:
            found = find(value, key)
            if found is not None:
                return found
    return None


def median_steps(entries):
    names = dict.fromkeys(name for entry in entries for name in entry['steps'])
    return {name: round(statistics.median(entry['steps'].get(name, 0) for entry in entries), 2) for name in names}


# ---- what is measured

def ways_of(bench):
    ways = [(1, 'cuda:0'), (2, 'auto')]
    if bench.cards >= 4:
        ways.append((4, 'auto'))
    if bench.cards > 1:
        ways.append((1, 'cuda:all'))
    return ways


def make_cube(bench, name, size):
    path = bench.path(name + '.img')
    if not os.path.exists(path):
        numbers = {**size, 'height': max(int(size['height'] * bench.scale), 64)}
        status, seconds, said = bench.run([*bench.program, 'simulate', 'cube', '-o', path,
                                           *(f'{key}={value}' for key, value in numbers.items())], 150)
        print(f'  {name}: {os.path.getsize(path) / 1e9 if status == 0 else 0:.2f} GB in {seconds:.1f} s', flush=True)
        if status != 0:
            raise RuntimeError(said[-500:])
    return path


def make_recording(bench):
    path = bench.path('array.raw')
    if not os.path.exists(path):
        short = bench.path('short.raw')
        seconds = max(SIMULATED_SECONDS * min(bench.scale * 4, 1), 1)
        status, took, said = bench.run([*bench.program, 'simulate', 'recording', '-o', short,
                                        f'array=line:{bench.elements},0.09', f'rate={RATE}', f'seconds={seconds}',
                                        'type=int16'], 120)
        if status != 0:
            raise RuntimeError(said[-500:])
        with open(short, 'rb') as file:
            samples = file.read()
        with open(path, 'wb') as file:
            for _ in range(max(int(COPIES * bench.scale), 2)):
                file.write(samples)
        for beside in glob.glob(short + '.*.json'):
            os.rename(beside, path + beside[len(short):])
        os.unlink(short)
        print(f'  recording: {os.path.getsize(path) / 1e9:.2f} GB in {took:.1f} s', flush=True)
    return path


def step_pca(bench):
    cube = make_cube(bench, 'large', CUBE)
    bench.compare_ways('pca', 'pca 9.7 GB int16, read once', ways_of(bench), ['pca', cube, 'components=3'])


def step_streamed(bench):
    cube = make_cube(bench, 'large', CUBE)
    bench.compare_ways('streamed', 'pca 9.7 GB int16, streamed twice', ways_of(bench),
                       ['pca', cube, 'components=3', '--gpu-memory', '1G'])


def step_visible(bench):
    """Whether a process that sees its own card alone starts sooner."""
    cube = make_cube(bench, 'large', CUBE)
    wrapper = bench.path('visible.sh')
    with open(wrapper, 'w') as file:
        file.write('#!/bin/sh\nexport CUDA_VISIBLE_DEVICES=$OMPI_COMM_WORLD_LOCAL_RANK\nexec "$@"\n')
    os.chmod(wrapper, 0o755)
    plain, bench.program = bench.program, [wrapper, *bench.program]
    try:
        bench.compare_ways('visible', 'pca 9.7 GB int16, streamed twice, each process sees one card',
                           [way for way in ways_of(bench) if way[0] > 1],
                           ['pca', cube, 'components=3', '--gpu-memory', '1G'], repeats=3, keep=False)
    finally:
        bench.program = plain


def step_mvdr(bench):
    recording = make_recording(bench)
    bench.compare_ways('mvdr', f'mvdr of {bench.elements} elements, K = 64', ways_of(bench),
                       ['mvdr', recording, '--channels', str(bench.elements), '--rate', str(RATE), '--type', 'int16',
                        'snapshots=64', 'blocks=1', 'method=woodbury', 'eigenvalues=no', 'angles=0:179:1',
                        'band=700:4000', f'block={RATE}'], repeats=3, limit=90)


def step_fastica(bench):
    scene = make_cube(bench, 'scene', SCENE)
    base = ['fastica', scene, 'moments=never', 'g=tanh', 'tolerance=1e-10']
    ways = [way for way in ways_of(bench) if way[1] != 'cuda:all']
    many = [way for way in ways if way[0] > 1]
    nccl = {'ES_NCCL': 'always'}
    for what, more, repeats in (
            ('27 components together', ['components=27', 'approach=symmetric', 'iterations=300'], 3),
            ('27 components one by one', ['components=27', 'approach=deflation', 'iterations=300'], 3),
            ('100 components together', ['components=100', 'approach=symmetric', 'iterations=60'], 2)):
        bench.compare_ways(f'{what}, MPI', f'fastica, {what}, by messages', ways, [*base, *more], repeats=repeats,
                           keep=False)
        bench.compare_ways(f'{what}, NCCL', f'fastica, {what}, by NCCL', many, [*base, *more], nccl, repeats=repeats,
                           keep=False)


def step_killed(bench):
    """A process that is killed amid the steps: the launcher's status and how long it took."""
    scene = make_cube(bench, 'scene', SCENE)
    for env in ({}, {'ES_NCCL': 'always'}):
        folder = bench.path('killed')
        shutil.rmtree(folder, ignore_errors=True)
        arguments = ['run', 'fastica', scene, 'components=200', 'moments=never', 'approach=symmetric', 'g=tanh',
                     'tolerance=1e-10', 'iterations=10000', '--device', 'auto', '-q', '-o', folder]
        child = subprocess.Popen(bench.command(min(bench.cards, 4), arguments), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True, env={**os.environ, **env}, start_new_session=True)
        time.sleep(6)
        pids = processes_of(arguments)
        start = time.monotonic()
        if len(pids) > 1 and child.poll() is None:
            os.kill(pids[1], signal.SIGKILL)
        try:
            said = child.communicate(timeout=20)[1]
            status = child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            said, status = child.communicate()[1], -1
        seconds = time.monotonic() - start
        time.sleep(1)
        left = processes_of(arguments)
        entry = {'what': 'killed', 'env': env, 'processes': len(pids), 'status': status, 'seconds': round(seconds, 2),
                 'left_processes': len(left), 'left_result': os.path.exists(os.path.join(folder, 'result.json')),
                 'said': said[-300:]}
        print(f'\n== one of {len(pids)} processes killed {env}: ended after {seconds:.2f} s with status {status}, '
              f'{len(left)} processes left', flush=True)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        entry['name'] = 'killed by NCCL' if env else 'killed'
        bench.killed.append(entry)
        bench.note(entry)


def processes_of(arguments):
    found = []
    for folder in glob.glob('/proc/[0-9]*'):
        try:
            with open(folder + '/cmdline', 'rb') as file:
                words = file.read().decode(errors='replace').split('\0')
        except OSError:
            continue
        if arguments[-1] in words and words[1:3] == ['run', 'fastica']:
            found.append(int(os.path.basename(folder)))
    return sorted(found)


STEPS = {'pca': step_pca, 'streamed': step_streamed, 'mvdr': step_mvdr, 'fastica': step_fastica,
         'killed': step_killed, 'visible': step_visible}


def machine():
    try:
        said = subprocess.run(['nvidia-smi', '--query-gpu=name,driver_version', '--format=csv,noheader'],
                              capture_output=True, text=True, timeout=20, check=True).stdout
        name, driver = said.splitlines()[0].split(', ')
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        name, driver = 'unknown', 'unknown'
    return {'card': name, 'driver': driver, 'cores': os.cpu_count()}


def find_room(wanted):
    for place in ('/dev/shm', '/tmp'):
        if shutil.disk_usage(place).free > wanted:
            return place + '/es-cards'
    return '/tmp/es-cards'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--results', required=True)
    parser.add_argument('--scratch', help='for the data: in memory, or in /tmp where there is no room')
    parser.add_argument('--seconds', type=float, default=460)
    parser.add_argument('--repeats', type=int, default=5)
    parser.add_argument('--cards', type=int, required=True)
    parser.add_argument('--scale', type=float, default=1.0, help='of the data, for trials')
    parser.add_argument('--steps', default=','.join(STEPS))
    options = parser.parse_args()
    options.scratch = options.scratch or find_room(50e9 * options.scale)
    print(f'data in {options.scratch}', flush=True)
    os.makedirs(options.scratch, exist_ok=True)
    bench = Bench(options)
    for name in options.steps.split(','):
        start = time.monotonic()
        try:
            STEPS[name](bench)
        except TimeIsUp:
            print(f'  {name}: the time is up', flush=True)
            bench.note({'what': name, 'time_is_up': True})
        except Exception as error:           # one step that fails leaves the others
            print(f'  {name}: {error}', flush=True)
            bench.note({'what': name, 'failed': str(error)})
        print(f'  ({name}: {time.monotonic() - start:.0f} s)', flush=True)
        with open(os.path.join(bench.results, 'cards.json'), 'w') as file:
            json.dump({'cards': {'n': bench.cards, 'date': time.strftime('%Y-%m-%d', time.gmtime()), **machine()},
                       'runs': bench.rows, 'bytes': bench.same, 'killed': bench.killed}, file, indent=1)
    shutil.rmtree(options.scratch, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())

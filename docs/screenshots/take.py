#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the pictures of this folder anew, of the program in a build folder, on a display of their own.

usage: take.py BUILD [NAME ...]
       take.py BUILD --into FOLDER [--as "WIDTHxHEIGHT dark chinese"] [NAME ...]    to look at, also otherwise
       take.py BUILD --check    says which pictures there are that nothing takes, and which there are not

NAME: a picture without ".png"; none: all of them. What each shows, and how it comes about, is in tests/ui/pictures;
what they are of is simulated into BUILD/pictures, once. Pictures of a graphics card (gpu, lab-link, lab-choose) are
taken where there is one. manifold.png is of a scene that is not shipped: it is drawn where ES_TEST_DATA is told. Times
are those of this machine: it should do nothing else meanwhile. Files are made small by Pillow, where it is installed.
"""
import json, os, shutil, struct, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCENE = ['width=480', 'height=360', 'bands=210', 'seed=7']

# The scenes of `./dev run`, `./dev run sonar` and `./dev run pair`, and others.
CUBES = {
    'simulated.img': SCENE,
    'i.img': SCENE + ['sources=independent'],
    'sample.img': ['width=960', 'height=720', 'bands=210', 'seed=7'],
}
RECORDINGS = {
    'simulated-sonar.w64': ['array=line:64,1.5', 'rate=8000', 'seconds=90', 'ambient=-18',
                            'sources=propeller,48,0,100:480,shaft=2.5,blades=4,rate=24;noise,123,-4,300:480,range=200;'
                            'tone,97,-12,50,harmonics=8'],
    'simulated-pair.w64': ['array=line:32,1.5', 'rate=8000', 'seconds=60', 'ambient=-7', 'seed=3',
                           'sources=noise,88.75,0,300:500;noise,91.25,0,300:500'],
}
# Pictures that the scene of another one takes besides it.
BESIDE = {'faces': 'colours', 'lab-latency': 'lab-overview'}
# What the program finds beside itself.
MODULES = {
    'ES_LIBRARY_DIR': 'compute/libraries',
    'ES_REHEARSE': 'app/eigenscope-rehearse',
    'ES_LAB_MODULE': 'kernels/lab/cpu/libeigenscope-lab.so',
    'ES_LAB_CUDA_MODULE': 'kernels/lab/cuda/libeigenscope-lab-cuda.so',
    'ES_LADDER_MODULE': 'kernels/ladder/cpu/libeigenscope-ladder.so',
    'ES_LADDER_CUDA_MODULE': 'kernels/ladder/cuda/libeigenscope-ladder-cuda.so',
}
# A ship that heads west, turns by 60 degrees from the fourth minute to the seventh, and goes on: each part is simulated
# with the bearings that two sources, at 200 and 30 degrees true, have from the bow then. Seconds, first heading,
# degrees a minute; bearing and side of a source, and what it sounds like.
TURN = [(240, 270, 0), (180, 270, 20), (300, 330, 0)]
TURN_SOURCES = [(200, -1, ('noise,%g,-27,100:480', 'tone,%g,-33,181', 'tone,%g,-36,262')),
                (30, 1, ('noise,%g,-29,100:480',))]


def run(*arguments, **more):
    return subprocess.run([str(a) for a in arguments], check=True, text=True, **more)


def read_wav(path):
    """What is before the samples, and the samples."""
    data, at = open(path, 'rb').read(), 12
    while data[at:at + 4] != b'data':
        at += 8 + struct.unpack('<I', data[at + 4:at + 8])[0]
    return data[:at + 8], data[at + 8:]


def make_turn(batch, folder):
    target, parts = os.path.join(folder, 'turn.wav'), []
    for i, (seconds, heading, rate) in enumerate(TURN):
        sources = [sound % (side * (bearing - heading) % 360) + ',rate=%g' % (-side * rate)
                   for bearing, side, sounds in TURN_SOURCES for sound in sounds]
        path = os.path.join(folder, 'turn-%d.wav' % i)
        run(batch, 'simulate', 'recording', '-o', path, 'array=line:24,1.5', 'rate=4000', 'seconds=%d' % seconds,
            'ambient=-41', 'type=int16', 'seed=%d' % (i + 1), 'sources=' + ';'.join(sources))
        parts.append(read_wav(path))
    head, samples = parts[0][0], b''.join(part[1] for part in parts)
    with open(target, 'wb') as out:
        out.write(head[:4] + struct.pack('<I', len(head) + len(samples) - 8) + head[8:-4]
                  + struct.pack('<I', len(samples)) + samples)
    shutil.copy(os.path.join(folder, 'turn-0.wav.array.json'), target + '.array.json')
    times, headings, at = [], [], 0
    for seconds, heading, rate in TURN:
        for second in range(0, seconds, 10):
            times.append(at + second)
            headings.append(heading + rate * second / 60)
        at += seconds
    with open(target + '.navigation.json', 'w') as out:
        json.dump({'eigenscope-navigation': 1, 'start': '2026-05-01T12:00:00Z', 'time-s': times + [at],
                   'heading-deg': headings + [TURN[-1][1]]}, out)


def make_samples(batch, folder):
    os.makedirs(folder, exist_ok=True)
    for kind, files in (('cube', CUBES), ('recording', RECORDINGS)):
        for name, options in files.items():
            path = os.path.join(folder, name)
            if not os.path.exists(path):
                run(batch, 'simulate', kind, '-o', path, *options)
    if not os.path.exists(os.path.join(folder, 'turn.wav')):
        make_turn(batch, folder)


def take(build, scene, samples, taken, ways):
    """Into the folder `taken`. What there was no device for is said there."""
    environment = dict(os.environ, ES_DATA_DIR=ROOT + '/data', ES_LOCALE_DIR=build + '/po', GTK_A11Y='none',
                       GSETTINGS_SCHEMA_DIR=build + '/data', ES_TEST_SCREEN='2800x1600',
                       XDG_DATA_DIRS=ROOT + '/data:' + os.environ.get('XDG_DATA_DIRS', '/usr/local/share:/usr/share'))
    for variable, where in MODULES.items():
        if os.path.exists(os.path.join(build, where)):
            environment[variable] = os.path.join(build, where)
    # Without a card it is told why there is none.
    if os.path.exists('/dev/nvidiactl'):
        environment['ES_CUDA_MODULE'] = build + '/kernels/cuda/libeigenscope-cuda.so'
    done = subprocess.run([ROOT + '/tests/run-graphical.sh', build + '/tests/ui/pictures/take-pictures', scene, samples,
                           taken, *ways], env=environment)
    if done.returncode not in (0, 77):
        sys.exit('take.py: %s could not be taken' % scene)


def make_small(path):
    """256 colours, where Pillow has libimagequant to choose them."""
    try:
        from PIL import Image, features
    except ImportError:
        return
    if features.check('libimagequant'):
        Image.open(path).convert('RGB').quantize(256, method=Image.Quantize.LIBIMAGEQUANT).save(path, optimize=True)


def main(build, *arguments):
    build, names, told = os.path.abspath(build), list(arguments), {'--into': HERE, '--as': ''}
    for option in told:
        if option in names:
            at = names.index(option)
            told[option] = names[at + 1]
            del names[at:at + 2]
    into, ways = os.path.abspath(told['--into']), told['--as'].split()
    if ways and into == HERE:
        sys.exit('take.py: --as wants a folder of its own (--into)')
    batch, samples, taken = build + '/app/eigenscope-batch', build + '/pictures', build + '/pictures/taken'
    listed = run(build + '/tests/ui/pictures/take-pictures', stdout=subprocess.PIPE).stdout.split('\n')
    scenes = [line.split(' ')[0] for line in listed if line]
    known = set(scenes) | set(BESIDE) | {'manifold'}
    if names == ['--check']:
        there = {name[:-4] for name in os.listdir(HERE) if name.endswith('.png')}
        faults = ['%s.png: nothing takes it' % name for name in sorted(there - known)]
        faults += ['%s.png is not there' % name for name in sorted(known - there)]
        sys.exit('\n'.join(faults) if faults else 0)
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit('take.py: there is no picture %s' % ', '.join(unknown))
    make_samples(batch, samples)
    os.makedirs(into, exist_ok=True)
    for scene in scenes:
        wanted = [scene] + [name for name, by in BESIDE.items() if by == scene]
        if names and not set(wanted) & set(names):
            continue
        shutil.rmtree(taken, ignore_errors=True)
        os.makedirs(taken)
        take(build, scene, samples, taken, ways)
        for name in sorted(os.listdir(taken)):
            if not names or name[:-4] in names:
                make_small(os.path.join(taken, name))
                shutil.copy(os.path.join(taken, name), into)
    data = os.environ.get('ES_TEST_DATA')
    if (not names or 'manifold' in names) and data:
        run(sys.executable, HERE + '/draw-manifold.py', batch, data + '/enmap/enmap_potsdam_mosaic.img',
            os.path.join(into, 'manifold.png'))


if __name__ == '__main__':
    if len(sys.argv) < 2 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    main(*sys.argv[1:])

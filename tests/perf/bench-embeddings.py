#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Embeddings of a scene's pixels beside scikit-learn's, in one run: milliseconds by the clock and of the processor from
spectra in memory to coordinates, the search of neighbours included on both sides, their ratio, and Procrustes' distance
of both. Where scikit-learn takes a graph, also what follows the graph alone. Needs numpy, scipy and scikit-learn; pyamg
where it is there.
usage: bench-embeddings.py PERF-EMBEDDING CUBE.img [PIXELS [NEIGHBOURS [DIMENSIONS [REPEATS]]]] [--json FILE]
CUBE.img: ENVI, band after band, float32."""

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from importlib.util import find_spec

import numpy as np
import scipy
import sklearn
from scipy.sparse.csgraph import connected_components
from scipy.spatial import procrustes
from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding
from sklearn.neighbors import kneighbors_graph


def read_spectra(path):
    """Pixels x bands of those that hold data; bands that do not in every one of them are left out."""
    with open(re.sub(r'\.img$', '.hdr', path), encoding='utf-8') as stream:
        header = stream.read()
    samples, lines, bands = (int(re.search(rf'^{key}\s*=\s*(\d+)', header, re.M).group(1))
                             for key in ('samples', 'lines', 'bands'))
    nothing = re.search(r'^data ignore value\s*=\s*(\S+)', header, re.M)
    values = np.fromfile(path, np.float32).reshape(bands, lines * samples).T
    missing = values == np.float32(nothing.group(1) if nothing else -32768)
    values, missing = (array[missing.mean(1) < 0.5] for array in (values, missing))
    return np.ascontiguousarray(values[:, ~missing.any(0) & (values.std(0) > 0)])


def join(spectra, neighbours):
    graph = kneighbors_graph(spectra, neighbours, n_jobs=2)
    return graph.maximum(graph.T)


def draw(spectra, pixels, neighbours):
    """So many pixels at random whose graph is in one piece: about that many."""
    chosen = np.sort(np.random.default_rng(1).permutation(len(spectra))[:pixels])
    while True:
        parts, part = connected_components(join(spectra[chosen], neighbours), directed=False)
        if parts == 1:
            return np.ascontiguousarray(spectra[chosen])
        chosen = chosen[part == np.bincount(part).argmax()]


def peers(neighbours, dimensions):
    """(key, name, our arguments, rounds for one, {peer: (graph of spectra or None, embedding of graph or spectra)}). Of
    Laplacian eigenmaps every solver that scikit-learn has, each at its own tolerance."""
    arguments = {'n_neighbors': neighbours, 'n_components': dimensions, 'n_jobs': 2}

    def spectral(solver):
        return (lambda x: join(x, neighbours),
                lambda g: SpectralEmbedding(dimensions, affinity='precomputed', random_state=0, eigen_solver=solver)
                .fit_transform(g))

    solvers = ['arpack', 'lobpcg'] + (['amg'] if find_spec('pyamg') else [])
    return [
        ('laplacian-eigenmaps', 'Laplacian eigenmaps', ['laplacian', 'weights=binary'], 3,
         {solver: spectral(solver) for solver in solvers}),
        ('lle', 'LLE', ['lle'], 1,
         {'arpack': (None, LocallyLinearEmbedding(random_state=0, eigen_solver='arpack', **arguments).fit_transform)}),
        ('modified-lle', 'Modified LLE', ['lle', 'variant=modified'], 1,
         {'arpack': (None, LocallyLinearEmbedding(method='modified', random_state=0, eigen_solver='arpack', **arguments)
                     .fit_transform)}),
        ('isomap', 'Isomap', ['isomap', 'landmarks=0'], 1, {'arpack': (None, Isomap(**arguments).fit_transform)}),
    ]


def run_ours(program, spectra, how, neighbours, dimensions, folder):
    """{'graph', 'embedding', 'cpu': seconds}, embedding."""
    path, out = os.path.join(folder, 'spectra'), os.path.join(folder, 'out')
    libraries = os.path.join(os.path.dirname(os.path.abspath(program)), '..', '..', 'compute', 'libraries')
    spectra.tofile(path)
    told = subprocess.run([program, how[0], path, str(len(spectra)), str(spectra.shape[1]), str(neighbours),
                           str(dimensions), out] + how[1:], check=True, capture_output=True, text=True,
                          env={'ES_LIBRARY_DIR': libraries, **os.environ}).stdout
    told = json.loads(told)
    return ({'graph': told['neighbours_s'], 'embedding': told['embedding_s'],
             'cpu': told['neighbours_cpu_s'] + told['embedding_cpu_s']}, np.fromfile(out).reshape(-1, dimensions))


def run_peer(graph, embed, spectra):
    spectra = spectra.astype(np.float64)
    begun, processor = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        joined = spectra if graph is None else graph(spectra)
        found = time.perf_counter()
        embedding = embed(joined)
    return ({'graph': found - begun, 'embedding': time.perf_counter() - found,
             'cpu': time.process_time() - processor}, embedding)


def median_ms(runs):
    told = {key + '_ms': round(1e3 * float(np.median([run[key] for run, _ in runs])), 2) for key in runs[0][0]}
    told['ms'] = round(1e3 * float(np.median([run['graph'] + run['embedding'] for run, _ in runs])), 2)
    return told


def read_processor():
    with open('/proc/cpuinfo', encoding='utf-8') as stream:
        return re.search(r'^model name\s*: (.*)$', stream.read(), re.M).group(1).removesuffix(' Processor')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('cube')
    for name, default in (('pixels', 5000), ('neighbours', 15), ('dimensions', 3), ('repeats', 3)):
        parser.add_argument(name, nargs='?', type=int, default=default)
    parser.add_argument('--json')
    arguments = parser.parse_args()
    neighbours, dimensions = arguments.neighbours, arguments.dimensions
    spectra = draw(read_spectra(arguments.cube), arguments.pixels, neighbours)
    told = {}
    print(f'{len(spectra)} pixels, {spectra.shape[1]} bands, {neighbours} neighbours, {dimensions} dimensions')
    print(f'{"method":20} {"solver":8} {"ours":>8} {"peer":>8} {"ratio":>6}   {"CPU":>7} {"CPU":>8} {"ratio":>6}   '
          f'{"embedding alone":>17} {"ratio":>6}   Procrustes')
    with tempfile.TemporaryDirectory() as folder:
        for key, name, how, rounds, others in peers(neighbours, dimensions):
            runs = {'ours': []} | {solver: [] for solver in others}
            for _ in range(rounds * arguments.repeats):
                runs['ours'].append(run_ours(arguments.program, spectra, how, neighbours, dimensions, folder))
                for solver, (graph, embed) in others.items():
                    runs[solver].append(run_peer(graph, embed, spectra))
            ours = median_ms(runs['ours'])
            told[key] = ours | {'peers': {}}
            for solver in others:
                peer = median_ms(runs[solver])
                peer['procrustes'] = float(procrustes(runs[solver][0][1], runs['ours'][0][1])[2])
                told[key]['peers'][solver] = peer
                alone = (f'{ours["embedding_ms"]:8.1f} {peer["embedding_ms"]:8.1f} '
                         f'{ours["embedding_ms"] / peer["embedding_ms"]:6.2f}' if peer['graph_ms'] > 1 else ' ' * 24)
                print(f'{name:20} {solver:8} {ours["ms"]:8.1f} {peer["ms"]:8.1f} {ours["ms"] / peer["ms"]:6.2f}   '
                      f'{ours["cpu_ms"]:7.1f} {peer["cpu_ms"]:8.1f} {ours["cpu_ms"] / peer["cpu_ms"]:6.2f}   {alone}   '
                      f'{peer["procrustes"]:.1e}', flush=True)
    if arguments.json:
        with open(arguments.json, 'w', encoding='utf-8') as stream:
            json.dump({'date': datetime.date.today().isoformat(), 'machine': {'processor': read_processor()},
                       'threads': 2, 'scikit_learn': sklearn.__version__, 'scipy': scipy.__version__,
                       'pixels': len(spectra), 'bands': spectra.shape[1], 'neighbours': neighbours,
                       'dimensions': dimensions, 'repeats': arguments.repeats, 'methods': told}, stream, indent=1)
            stream.write('\n')


if __name__ == '__main__':
    main()

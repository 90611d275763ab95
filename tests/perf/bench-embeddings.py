#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Embeddings of a scene's pixels beside scikit-learn's, in one run: seconds by the clock and of the processor, their
ratio, and Procrustes' distance of both. Needs numpy, scipy and scikit-learn.
usage: bench-embeddings.py PERF-EMBEDDING CUBE.img [PIXELS [NEIGHBOURS [DIMENSIONS [REPEATS]]]]
CUBE.img: ENVI, band after band, float32."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
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
    arguments = {'n_neighbors': neighbours, 'n_components': dimensions, 'n_jobs': 2}
    return [
        ('Laplacian eigenmaps', ['laplacian', 'weights=binary'],
         lambda x: SpectralEmbedding(dimensions, affinity='precomputed', random_state=0, eigen_solver='arpack')
         .fit_transform(join(x, neighbours))),
        ('LLE', ['lle'],
         lambda x: LocallyLinearEmbedding(random_state=0, eigen_solver='arpack', **arguments).fit_transform(x)),
        ('Modified LLE', ['lle', 'variant=modified'],
         lambda x: LocallyLinearEmbedding(method='modified', random_state=0, eigen_solver='arpack', **arguments)
         .fit_transform(x)),
        ('Isomap', ['isomap', 'landmarks=0'], lambda x: Isomap(**arguments).fit_transform(x)),
    ]


def run_ours(program, spectra, how, neighbours, dimensions, folder):
    path, out = os.path.join(folder, 'spectra'), os.path.join(folder, 'out')
    spectra.tofile(path)
    told = subprocess.run([program, how[0], path, str(len(spectra)), str(spectra.shape[1]), str(neighbours),
                           str(dimensions), out] + how[1:], check=True, capture_output=True, text=True).stdout
    told = json.loads(told)
    return (told['neighbours_s'] + told['embedding_s'], told['neighbours_cpu_s'] + told['embedding_cpu_s'],
            np.fromfile(out).reshape(-1, dimensions))


def run_peer(embed, spectra):
    clock, processor = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        embedding = embed(spectra.astype(np.float64))
    return time.perf_counter() - clock, time.process_time() - processor, embedding


def main():
    program, path = sys.argv[1:3]
    pixels, neighbours, dimensions, repeats = (
        [int(value) for value in sys.argv[3:]] + [5000, 15, 3, 3][len(sys.argv) - 3:])
    spectra = draw(read_spectra(path), pixels, neighbours)
    print(f'{len(spectra)} pixels, {spectra.shape[1]} bands, {neighbours} neighbours, {dimensions} dimensions')
    print(f'{"method":20} {"ours":>8} {"peer":>8} {"ratio":>6}   {"CPU":>7} {"CPU":>8} {"ratio":>6}   Procrustes')
    with tempfile.TemporaryDirectory() as folder:
        for name, how, embed in peers(neighbours, dimensions):
            both = [(run_ours(program, spectra, how, neighbours, dimensions, folder), run_peer(embed, spectra))
                    for _ in range(repeats)]
            ours, peer = ([np.median([run[i] for run in runs]) for i in (0, 1)] for runs in zip(*both))
            distance = procrustes(both[0][1][2], both[0][0][2])[2]
            print(f'{name:20} {ours[0]:8.2f} {peer[0]:8.2f} {ours[0] / peer[0]:6.2f}   {ours[1]:7.2f} {peer[1]:8.2f} '
                  f'{ours[1] / peer[1]:6.2f}   {distance:.1e}', flush=True)


if __name__ == '__main__':
    main()

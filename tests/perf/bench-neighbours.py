#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nearest neighbours of Eigenscope beside scikit-learn's, faiss's and pynndescent's, on the same points in one run.

usage: bench-neighbours.py --ours PERF_NEIGHBOURS [--points N] [--dimensions N] [--neighbours N] [--threads N]
                           [--data FILE] [--output FILE]

Points are mixtures of eight spectra with noise, or FILE: float32, row after row. What a library that is not installed
would have done is left out. Recall is of 500 points, against all distances in float64: a neighbour counts that is no
farther than the true k-th. Times are of the wall and of the processor, whose time is told by busy machines too."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def mixtures(numpy, points, dimensions):
    random = numpy.random.default_rng(1)
    spectra = random.random((8, dimensions))
    shares = random.dirichlet(numpy.ones(8), points)
    return (shares @ spectra + 0.005 * random.standard_normal((points, dimensions))).astype(numpy.float32)


def recall(numpy, data, distances, neighbours):
    """distances: of each point, its neighbours without itself."""
    step = max(len(data) // 500, 1)
    right = 0
    probes = range(0, len(data), step)
    for probe in probes:
        difference = data.astype(numpy.float64) - data[probe]
        square = numpy.einsum("ij,ij->i", difference, difference)
        true = numpy.sqrt(numpy.partition(square, neighbours)[neighbours])
        right += numpy.count_nonzero(distances[probe] <= true * (1 + 1e-5) + 1e-12)
    return right / (len(probes) * neighbours)


def timed(work):
    wall, processor = time.perf_counter(), time.process_time()
    found = work()
    return found, time.perf_counter() - wall, time.process_time() - processor


def scikit_learn(data, neighbours, threads):
    from sklearn.neighbors import NearestNeighbors
    return NearestNeighbors(n_neighbors=neighbours, algorithm="brute", n_jobs=threads).fit(data).kneighbors()[0]


def faiss_flat(data, neighbours, threads):
    import faiss
    import numpy
    faiss.omp_set_num_threads(threads)
    index = faiss.IndexFlatL2(data.shape[1])
    index.add(data)
    return numpy.sqrt(numpy.maximum(index.search(data, neighbours + 1)[0][:, 1:], 0))


def pynndescent(data, neighbours, threads):
    import pynndescent as library
    return library.NNDescent(data, n_neighbors=neighbours + 1, n_jobs=threads, random_state=1).neighbor_graph[1][:, 1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--points", type=int, default=20000)
    parser.add_argument("--dimensions", type=int, default=200)
    parser.add_argument("--neighbours", type=int, default=15)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--data")
    parser.add_argument("--output")
    arguments = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = str(arguments.threads)
    import numpy

    points, dimensions, neighbours = arguments.points, arguments.dimensions, arguments.neighbours
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.data
        if path is None:
            path = os.path.join(folder, "points.f32")
            mixtures(numpy, points, dimensions).tofile(path)
        data = numpy.fromfile(path, numpy.float32, points * dimensions).reshape(points, dimensions)
        ours = [arguments.ours, str(points), str(dimensions), str(neighbours), str(arguments.threads), path]
        told = subprocess.run(ours, check=True, stdout=subprocess.PIPE, text=True).stdout
        for line in told.splitlines():
            name, wall, processor, found = line.split()
            rows.append(("eigenscope " + name, float(wall), float(processor), float(found)))
    for name, work in (("scikit-learn brute", scikit_learn), ("faiss flat", faiss_flat), ("pynndescent", pynndescent)):
        try:
            # What is compiled at first use is not counted.
            work(data[:2000], neighbours, arguments.threads)
        except ImportError:
            continue
        distances, wall, processor = timed(lambda: work(data, neighbours, arguments.threads))
        rows.append((name, wall, processor, recall(numpy, data, distances, neighbours)))
    print(f"{points} x {dimensions}, {neighbours} neighbours, {arguments.threads} threads")
    for name, wall, processor, found in rows:
        print(f"{name:28} {wall:8.2f} s {processor:8.2f} s in the processor, recall {found:.4f}")
    if arguments.output is not None:
        with open(arguments.output, "w", encoding="utf-8") as file:
            json.dump({"points": points, "dimensions": dimensions, "neighbours": neighbours,
                       "threads": arguments.threads,
                       "searches": {name: {"wall_s": wall, "processor_s": processor, "recall": found}
                                    for name, wall, processor, found in rows}}, file, indent=2)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the same work in other programs: bench-peers.py spectral|sklearn FILE.

Prints one JSON object: name, version, ms (median of the statistics, the decomposition and the projection that keeps
99 %, of a cube that is already in memory), peak_mb. Exits with 77 where the peer is not installed."""

import json
import resource
import statistics
import sys
import time

REPEATS = 5


def measure(work):
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def spectral_peer(path):
    import spectral

    cube = spectral.open_image(path.rsplit(".", 1)[0] + ".hdr").load(dtype="int16")

    def work():
        components = spectral.principal_components(cube)
        components.reduce(fraction=0.99).transform(cube)

    return "Spectral Python", spectral.__version__, measure(work)


def sklearn_peer(path):
    import numpy
    import sklearn
    import spectral
    from sklearn.decomposition import PCA

    cube = numpy.asarray(spectral.open_image(path.rsplit(".", 1)[0] + ".hdr").load(dtype="int16"))
    pixels = cube.reshape(-1, cube.shape[2])

    def work():
        PCA(n_components=0.99, svd_solver="full").fit_transform(pixels.astype("float32"))

    return "scikit-learn", sklearn.__version__, measure(work)


def main():
    peers = {"spectral": spectral_peer, "sklearn": sklearn_peer}
    try:
        name, version, milliseconds = peers[sys.argv[1]](sys.argv[2])
    except ImportError:
        sys.exit(77)
    print(json.dumps({"name": name, "version": version, "ms": milliseconds,
                      "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


main()

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the same work in other programs: bench-peers.py spectral|sklearn|sklearn-ica|spectral-mnf FILE.

Prints one JSON object: name, version, ms (median of the statistics, the decomposition and the projection, of a cube
that is already in memory: PCA keeps 99 %, the others 10 components), peak_mb, steps of an iteration. Exits with 77
where the peer is not installed."""

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


def sklearn_ica_peer(path):
    import warnings

    import numpy
    import sklearn
    import spectral
    from sklearn.decomposition import FastICA

    warnings.filterwarnings("ignore")
    cube = numpy.asarray(spectral.open_image(path.rsplit(".", 1)[0] + ".hdr").load(dtype="int16"))
    # What the operation reads: the good bands, and no dead ones.
    pixels = cube.reshape(-1, cube.shape[2])[:, good_bands(path)].astype("float32")
    steps = []

    def work():
        ica = FastICA(n_components=10, algorithm="parallel", fun="logcosh", tol=1e-4, max_iter=200,
                      whiten="unit-variance", whiten_solver="eigh", random_state=1)
        ica.fit_transform(pixels)
        steps.append(int(ica.n_iter_))

    return "scikit-learn FastICA", sklearn.__version__, measure(work), {"steps": steps[-1]}


def spectral_mnf_peer(path):
    import spectral

    cube = spectral.open_image(path.rsplit(".", 1)[0] + ".hdr").load(dtype="int16")[:, :, good_bands(path)]

    def work():
        signal = spectral.calc_stats(cube)
        noise = spectral.noise_from_diffs(cube, direction="lowerright")
        found = spectral.mnf(signal, noise)
        found.get_reduction_transform(num=10)(cube)

    return "Spectral Python MNF", spectral.__version__, measure(work)


def good_bands(path):
    import spectral

    listed = spectral.envi.read_envi_header(path.rsplit(".", 1)[0] + ".hdr").get("bbl")
    return [i for i, good in enumerate(listed) if float(good) != 0]


def main():
    peers = {"spectral": spectral_peer, "sklearn": sklearn_peer, "sklearn-ica": sklearn_ica_peer,
             "spectral-mnf": spectral_mnf_peer}
    try:
        name, version, milliseconds, *more = peers[sys.argv[1]](sys.argv[2])
    except ImportError:
        sys.exit(77)
    result = {"name": name, "version": version, "ms": milliseconds,
              "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    print(json.dumps(result | (more[0] if more else {})))


main()

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the same work in other programs: bench-peers.py NAME FILE; the names are below.

Prints one JSON object: name, version, ms (median of the statistics, the decomposition and the projection, of a cube
that is already in memory: PCA keeps 99 %, the others 10 components; of a recording, the far-field map of 160 angles
over 320 to 480 Hz, or adaptive beams of 180 angles over 100 bins, a block a second, samples in memory and steering
vectors made before), peak_mb, steps of an iteration. Exits with 77 where the peer is not installed."""

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


def read_recording(path):
    """Frames x channels and the rate, from the Wave64 (a header of 128 bytes or so) or HDF5 that the bench makes."""
    import numpy

    if path.endswith(".h5"):
        import h5py

        with h5py.File(path) as file:
            return numpy.asarray(file["time_data"]), int(file["time_data"].attrs["sample_freq"])
    with open(path, "rb") as file:
        head = file.read(4096)
    form = head.index(b"fmt \xf3\xac\xd3\x11") + 24
    channels = int.from_bytes(head[form + 2:form + 4], "little")
    rate = int.from_bytes(head[form + 4:form + 8], "little")
    data = head.index(b"data\xf3\xac\xd3\x11") + 24
    samples = numpy.fromfile(path, "<i2", offset=data)
    frames = len(samples) // channels
    return samples[:frames * channels].reshape(frames, channels), rate


def numpy_beams_peer(path):
    """A matrix product a bin, as anyone would write it."""
    import numpy

    samples, rate = read_recording(path)
    frames, elements = samples.shape
    bins = numpy.arange(327, 493)
    along = (numpy.arange(elements) - (elements - 1) // 2) * 1.5
    delays = numpy.cos(numpy.radians(numpy.arange(10, 170)))[:, None] * along[None, :] / 1500
    steering = numpy.exp(-2j * numpy.pi * (bins * rate / 8192)[:, None, None] * delays[None]).astype("complex64")

    def work():
        for first in range(0, frames - rate + 1, rate):
            block = samples[first:first + rate].astype("float32")
            spectra = numpy.fft.rfft(block, 8192, axis=0)[bins].astype("complex64")
            beams = steering @ spectra[:, :, None]
            (abs(beams[:, :, 0]) ** 2).sum(axis=0)

    return "NumPy", numpy.__version__, measure(work)


def numpy_mvdr_peer(path, snapshots, blocks, length, first_bin):
    """Hann windows that overlap by half; K x K instead of B x B matrices where there are fewer snapshots."""
    import numpy

    samples, rate = read_recording(path)
    frames, elements = samples.shape
    bins = numpy.arange(first_bin, first_bin + 100)
    along = (numpy.arange(elements) - (elements - 1) // 2) * 1.5
    delays = numpy.cos(numpy.radians(numpy.arange(180)))[:, None] * along[None, :] / 1500
    steering = numpy.exp(2j * numpy.pi * (bins * rate / length)[:, None, None] * delays[None])
    window_length = int(rate / (1 + (snapshots - 1) / 2))
    window = numpy.hanning(window_length + 1)[:-1].astype("float32")
    starts = numpy.arange(snapshots) * (window_length // 2)
    loading = 0.1 if snapshots * blocks < elements else 0.01

    def work():
        heard = []
        for first in range(0, frames - rate + 1, rate):
            pieces = [samples[first + s:first + s + window_length] * window[:, None] for s in starts]
            spectra = numpy.fft.rfft(numpy.stack(pieces), length, axis=1)[:, bins]
            heard = (heard + [spectra.transpose(1, 2, 0).astype("complex128")])[-blocks:]
            x = numpy.concatenate(heard, axis=2)
            x /= numpy.sqrt(x.shape[2])
            delta = loading * (abs(x) ** 2).sum(axis=(1, 2)) / elements
            if x.shape[2] < elements:
                gram = x.conj().transpose(0, 2, 1) @ x + delta[:, None, None] * numpy.eye(x.shape[2])
                beams = x.conj().transpose(0, 2, 1) @ steering.transpose(0, 2, 1)
                inner = (beams.conj() * numpy.linalg.solve(gram, beams)).real.sum(axis=1)
                power = delta[:, None] / (elements - inner)
            else:
                matrix = x @ x.conj().transpose(0, 2, 1) + delta[:, None, None] * numpy.eye(elements)
                solved = numpy.linalg.solve(matrix, steering.transpose(0, 2, 1))
                power = 1 / (steering.conj().transpose(0, 2, 1) * solved).real.sum(axis=1)
            power.sum(axis=0)

    return "NumPy", numpy.__version__, measure(work)


def acoular_beams_peer(path):
    """Its frequency-domain beamformer on a grid of points far away, one cross-spectral matrix a block."""
    import warnings

    import acoular
    import numpy

    warnings.filterwarnings("ignore")
    acoular.config.global_caching = "none"
    samples, rate = read_recording(path)
    frames, elements = samples.shape
    positions = numpy.zeros((3, elements))
    positions[0] = (numpy.arange(elements) - (elements - 1) // 2) * 1.5
    geometry = acoular.MicGeom(pos_total=positions)
    angles = numpy.radians(numpy.arange(10, 170))
    grid = acoular.ImportGrid(pos=1e5 * numpy.stack([numpy.cos(angles), numpy.sin(angles), 0 * angles]))
    steering = acoular.SteeringVector(grid=grid, mics=geometry, env=acoular.Environment(c=1500.0))

    def work():
        for first in range(0, frames - 8192 + 1, rate):
            block = samples[first:first + 8192].astype("float64")
            source = acoular.TimeSamples(data=block, sample_freq=rate)
            spectra = acoular.PowerSpectra(source=source, block_size=8192, overlap="None", window="Rectangular",
                                           ind_low=327, ind_high=493, cached=False)
            beams = acoular.BeamformerBase(freq_data=spectra, steer=steering, r_diag=False, cached=False)
            beams.result[327:493].sum(axis=0)

    return "Acoular", acoular.__version__, measure(work)


def main():
    peers = {"spectral": spectral_peer, "sklearn": sklearn_peer, "sklearn-ica": sklearn_ica_peer,
             "spectral-mnf": spectral_mnf_peer, "numpy-beams": numpy_beams_peer,
             "acoular-beams": acoular_beams_peer,
             "numpy-mvdr-1": lambda path: numpy_mvdr_peer(path, 1, 1, 8192, 327),
             "numpy-mvdr-64": lambda path: numpy_mvdr_peer(path, 8, 8, 2048, 25),
             "numpy-mvdr-128": lambda path: numpy_mvdr_peer(path, 8, 16, 2048, 25)}
    try:
        name, version, milliseconds, *more = peers[sys.argv[1]](sys.argv[2])
    except ImportError:
        sys.exit(77)
    result = {"name": name, "version": version, "ms": milliseconds,
              "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    print(json.dumps(result | (more[0] if more else {})))


main()

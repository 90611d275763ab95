# SPDX-License-Identifier: GPL-3.0-or-later
"""Adaptive beams of 180 angles over 100 bins in other programs, a block a second, in complex128: Hann windows that
overlap by half, snapshots of the last blocks, K x K instead of B x B matrices where there are fewer snapshots than
elements. Results: seconds x angles."""

import numpy

from cubes import threads
from recordings import delays, hann, read

ANGLES = numpy.arange(180)
BINS = 100


def configurations(options):
    return {
        "NumPy": [{"solver": "lu", "fft": "numpy"}, {"solver": "inverse", "fft": "scipy"}],
        "PyTorch": [{"solver": "cholesky"}, {"solver": "lu"}],
    }


class Scene:
    def __init__(self, rate, elements, options):
        self.rate, self.elements, self.length = rate, elements, options["length"]
        self.snapshots, self.blocks = options["snapshots"], options["blocks"]
        self.bins = slice(options["first"], options["first"] + BINS)
        self.window = int(rate / (1 + (self.snapshots - 1) / 2))
        self.starts = numpy.arange(self.snapshots) * (self.window // 2)
        frequencies = numpy.arange(options["first"], options["first"] + BINS) * rate / self.length
        # bins x elements x angles, as the products want it
        phase = frequencies[:, None, None] * delays(elements, ANGLES).T[None]
        self.steering = numpy.exp(2j * numpy.pi * phase)

    def loading(self, snapshots):
        """As ours by itself: more where there are fewer snapshots than elements, as in the first blocks."""
        return 0.1 if snapshots < self.elements else 0.01


def numpy_mvdr(samples, scene, config):
    window = hann(scene.window)[:, None]
    if config["fft"] == "scipy":
        import scipy.fft

        def transform(pieces):
            return scipy.fft.rfft(pieces, scene.length, axis=1, workers=threads())
    else:
        def transform(pieces):
            return numpy.fft.rfft(pieces, scene.length, axis=1)

    def solve(matrix, right):
        return numpy.linalg.solve(matrix, right) if config["solver"] == "lu" else numpy.linalg.inv(matrix) @ right

    heard, maps = [], []
    for first in range(0, len(samples) - scene.rate + 1, scene.rate):
        pieces = numpy.stack([samples[first + s:first + s + scene.window] for s in scene.starts]) * window
        spectra = transform(pieces)[:, scene.bins]
        heard = (heard + [spectra.transpose(1, 2, 0).astype("complex128")])[-scene.blocks:]
        x = numpy.concatenate(heard, axis=2)
        x /= numpy.sqrt(x.shape[2])
        power = (x.real ** 2 + x.imag ** 2).sum(axis=(1, 2))
        delta = scene.loading(x.shape[2]) * power / scene.elements
        adjoint = x.conj().transpose(0, 2, 1)
        if x.shape[2] < scene.elements:
            gram = adjoint @ x + delta[:, None, None] * numpy.eye(x.shape[2])
            beams = adjoint @ scene.steering
            inner = (beams.conj() * solve(gram, beams)).real.sum(axis=1)
            power = delta[:, None] / (scene.elements - inner)
        else:
            matrix = x @ adjoint + delta[:, None, None] * numpy.eye(scene.elements)
            power = 1 / (scene.steering.conj() * solve(matrix, scene.steering)).real.sum(axis=1)
        maps.append(power.sum(axis=0))
    return numpy.array(maps)


def torch_mvdr(samples, scene, steering, config):
    """Of Hermitian matrices v' M^-1 v is the square of L^-1 v."""
    import torch

    torch.set_num_threads(threads())
    window = torch.from_numpy(hann(scene.window))[:, None]

    def quotients(matrix, right):
        if config["solver"] == "lu":
            return (right.conj() * torch.linalg.solve(matrix, right)).real.sum(1)
        half = torch.linalg.solve_triangular(torch.linalg.cholesky(matrix), right, upper=False)
        return torch.view_as_real(half).square().sum((1, 3))

    heard, maps = [], []
    for first in range(0, len(samples) - scene.rate + 1, scene.rate):
        pieces = torch.stack([samples[first + s:first + s + scene.window] for s in scene.starts]) * window
        spectra = torch.fft.rfft(pieces, scene.length, dim=1)[:, scene.bins]
        heard = (heard + [spectra.permute(1, 2, 0).to(torch.complex128)])[-scene.blocks:]
        x = torch.cat(heard, 2)
        x = x / x.shape[2] ** 0.5
        delta = scene.loading(x.shape[2]) * torch.view_as_real(x).square().sum((1, 2, 3)) / scene.elements
        if x.shape[2] < scene.elements:
            gram = x.mH @ x + delta[:, None, None] * torch.eye(x.shape[2])
            power = delta[:, None] / (scene.elements - quotients(gram, x.mH @ steering))
        else:
            matrix = x @ x.mH + delta[:, None, None] * torch.eye(scene.elements)
            power = 1 / quotients(matrix, steering)
        maps.append(power.sum(0))
    return torch.stack(maps).numpy()


def ready(peer, config, samples, rate, options):
    scene = Scene(rate, samples.shape[1], options)
    if peer == "NumPy":
        return lambda: numpy_mvdr(samples, scene, config)
    import torch

    from pca import from_map

    tensors = from_map(torch, samples), torch.from_numpy(scene.steering)
    return lambda: torch_mvdr(tensors[0], scene, tensors[1], config)


def process(peer, config, path, out, options):
    samples, rate = read(path)
    numpy.save(out, ready(peer, config, samples, rate, options)())


def prepare(peer, config, path, options):
    samples, rate = read(path)
    return ready(peer, config, samples.astype("float32"), rate, options), None

# SPDX-License-Identifier: GPL-3.0-or-later
"""The far-field map of 160 angles over 320 to 480 Hz in other programs: Hann windows of a second, Fourier transforms of
8,192, the energy of 166 bins for every angle and second. Results: seconds x angles."""

import numpy

from cubes import threads
from recordings import SPEED, delays, hann, read

LENGTH, FIRST, LAST = 8192, 327, 493
ANGLES = numpy.arange(10, 170)


def configurations(options):
    found = {
        "NumPy": [{"fft": fft, "blocks": blocks} for fft in ("numpy", "scipy") for blocks in (1, 16)],
        "PyTorch": [{"blocks": blocks} for blocks in (1, 16)],
    }
    if options.get("acoular"):
        found["Acoular"] = [{"type": "float64"}, {"type": "float32"}]
    return found


def steering_of(rate, elements):
    """bins x angles x elements."""
    bins = numpy.arange(FIRST, LAST)
    phase = (bins * rate / LENGTH)[:, None, None] * delays(elements, ANGLES)[None]
    return numpy.exp(-2j * numpy.pi * phase).astype("complex64")


def numpy_beams(samples, rate, steering, config):
    """As many blocks at a time as there are columns in a matrix product a bin."""
    elements, window = samples.shape[1], hann(rate)[:, None]
    blocks = samples[:len(samples) // rate * rate].reshape(-1, rate, elements)
    if config["fft"] == "scipy":
        import scipy.fft

        def transform(part):
            return scipy.fft.rfft(part, LENGTH, axis=1, workers=threads())
    else:
        def transform(part):
            return numpy.fft.rfft(part, LENGTH, axis=1)
    energy = []
    for first in range(0, len(blocks), config["blocks"]):
        part = blocks[first:first + config["blocks"]] * window
        spectra = transform(part)[:, FIRST:LAST].astype("complex64", copy=False)
        found = steering @ spectra.transpose(1, 2, 0)
        energy.append((found.real ** 2 + found.imag ** 2).sum(axis=0).T)
    return numpy.concatenate(energy)


def torch_beams(samples, rate, steering, config):
    """samples, steering: tensors."""
    import torch

    torch.set_num_threads(threads())
    elements = samples.shape[1]
    window = torch.from_numpy(hann(rate))[:, None]
    blocks = samples[:len(samples) // rate * rate].reshape(-1, rate, elements)
    energy = []
    for first in range(0, len(blocks), config["blocks"]):
        part = blocks[first:first + config["blocks"]] * window
        spectra = torch.fft.rfft(part, LENGTH, dim=1)[:, FIRST:LAST]
        found = torch.view_as_real(steering @ spectra.permute(1, 2, 0))
        energy.append(found.square().sum(dim=(0, 3)).T)
    return torch.cat(energy).numpy()


def acoular_scene(elements, config):
    import warnings

    import acoular

    warnings.filterwarnings("ignore")
    acoular.config.global_caching = "none"
    positions = numpy.zeros((3, elements))
    positions[0] = (numpy.arange(elements) - (elements - 1) / 2) * 1.5
    angles = numpy.radians(ANGLES)
    grid = acoular.ImportGrid(pos=1e5 * numpy.stack([numpy.cos(angles), numpy.sin(angles), 0 * angles]))
    return acoular.SteeringVector(grid=grid, mics=acoular.MicGeom(pos_total=positions),
                                  env=acoular.Environment(c=SPEED))


def acoular_beams(samples, rate, steering, config):
    """Its beamformer in the frequency domain on a grid of points far away, one cross-spectral matrix a block."""
    import acoular

    energy, window = [], hann(rate)[:, None]
    precision = "complex128" if config["type"] == "float64" else "complex64"
    for first in range(0, len(samples) - rate + 1, rate):
        block = numpy.zeros((LENGTH, samples.shape[1]))
        block[:rate] = samples[first:first + rate] * window
        source = acoular.TimeSamples(data=block, sample_freq=rate)
        spectra = acoular.PowerSpectra(source=source, block_size=LENGTH, overlap="None", window="Rectangular",
                                       ind_low=FIRST, ind_high=LAST, cached=False, precision=precision)
        beams = acoular.BeamformerBase(freq_data=spectra, steer=steering, r_diag=False, cached=False,
                                       precision=config["type"])
        energy.append(beams.result[FIRST:LAST].sum(axis=0))
    return numpy.array(energy)


def ready(peer, config, samples, rate):
    """What computes the map of samples."""
    elements = samples.shape[1]
    if peer == "Acoular":
        steering = acoular_scene(elements, config)
        return lambda: acoular_beams(samples, rate, steering, config)
    steering = steering_of(rate, elements)
    if peer == "NumPy":
        return lambda: numpy_beams(samples, rate, steering, config)
    import torch

    from pca import from_map

    tensors = from_map(torch, samples), torch.from_numpy(steering)
    return lambda: torch_beams(tensors[0], rate, tensors[1], config)


def process(peer, config, path, out, options):
    samples, rate = read(path)
    numpy.save(out, ready(peer, config, samples, rate)())


def prepare(peer, config, path, options):
    samples, rate = read(path)
    return ready(peer, config, samples.astype("float32"), rate), None

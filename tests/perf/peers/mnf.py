# SPDX-License-Identifier: GPL-3.0-or-later
"""Minimum noise fraction in other programs: noise from differences to the lower right neighbour, the generalised
eigenproblem, projection."""

import numpy

from cubes import Cube, InFile, InMemory, each_part, save, threads
from pca import from_map, spectral_cube


def configurations(options):
    found = {
        "NumPy": [{"lines": lines, "workers": workers, "eigen": eigen}
                  for lines in (8, 32) for workers in (1, 0) for eigen in ("numpy", "scipy")
                  if not (lines == 8 and eigen == "scipy")],
        "PyTorch": [{"lines": lines} for lines in (16, 64)] + ([] if options.get("large") else [{"lines": 1 << 20}]),
    }
    if not options.get("large"):
        found["Spectral Python"] = [{"type": "int16"}, {"type": "float32"}]
    return found


def solve(signal, noise, keep, eigen):
    """bands x keep: V' noise V = 1, the largest quotients first."""
    if eigen == "scipy":
        from scipy.linalg import eigh

        n = len(signal)
        _, vectors = eigh(signal, noise, subset_by_index=[n - keep, n - 1], driver="gvx", check_finite=False)
        return vectors[:, ::-1]
    inverse = numpy.linalg.inv(numpy.linalg.cholesky(noise))
    _, vectors = numpy.linalg.eigh(inverse @ signal @ inverse.T)
    return inverse.T @ vectors[:, ::-1][:, :keep]


def covariance(products, total, count, good):
    mean = total / count
    return ((products - count * numpy.outer(mean, mean)) / (count - 1))[numpy.ix_(good, good)]


def model(sums, cube, keep, eigen):
    """bands x keep in float32, and what is taken off. sums: of the samples and of the differences."""
    products, total, differences, difference = sums
    pixels, pairs = cube.pixels, (cube.width - 1) * (cube.height - 1)
    found = solve(covariance(products, total, pixels, cube.good),
                  covariance(differences, difference, pairs, cube.good) / 2, keep, eigen)
    vectors = numpy.zeros((len(products), keep), "float32")
    vectors[cube.good] = found
    return vectors, (vectors.T @ (total / pixels)).astype("float32")[:, None]


def source_of(cube, samples, lines):
    """Chunks of whole lines, and a line and a pixel more for the neighbours."""
    chunk, margin = lines * cube.width, cube.width + 1
    return InFile(cube, chunk, margin) if samples is None else InMemory(samples, chunk, margin)


def numpy_mnf(cube, samples, config, keep):
    source = source_of(cube, samples, config["lines"])
    width, workers = cube.width, config["workers"] or threads()
    ones = numpy.ones(source.chunk, "float32")

    def sums(start, buffer):
        part = source.part(start, buffer)
        own = part[:, :source.chunk]
        # Neighbours in the flat order, but for the last of each line, which has none.
        length = min(own.shape[1], part.shape[1] - width - 1)
        if length <= 0:
            return own @ own.T, own @ ones[:own.shape[1]], 0, 0
        differences = part[:, :length] - part[:, width + 1:width + 1 + length]
        differences[:, width - 1::width] = 0
        return own @ own.T, own @ ones[:own.shape[1]], differences @ differences.T, differences @ ones[:length]

    totals = [0.0, 0.0, 0.0, 0.0]
    for found in each_part(source, sums, workers):
        totals = [total + each for total, each in zip(totals, found)]
    vectors, offset = model(totals, cube, keep, config["eigen"])
    components = numpy.empty((keep, cube.pixels), "float32")
    plain = InFile(cube, source.chunk) if samples is None else InMemory(samples, source.chunk)

    def project(start, buffer):
        part = plain.part(start, buffer)
        target = components[:, start:start + part.shape[1]]
        numpy.matmul(vectors.T, part, out=target)
        target -= offset

    each_part(plain, project, workers)
    return components


def torch_mnf(cube, samples, config, keep):
    import torch

    torch.set_num_threads(threads())
    width, pixels = cube.width, cube.pixels
    chunk = min(config["lines"], cube.height) * width
    totals = [0.0, 0.0, 0.0, 0.0]
    for start in range(0, pixels, chunk):
        part = samples[:, start:start + chunk + width + 1].to(torch.float32)
        own = part[:, :chunk]
        length = min(own.shape[1], part.shape[1] - width - 1)
        found = [own @ own.T, own.sum(1)]
        if length > 0:
            differences = part[:, :length] - part[:, width + 1:width + 1 + length]
            differences[:, width - 1::width] = 0
            found += [differences @ differences.T, differences.sum(1)]
        totals = [total + each.numpy().astype("float64") for total, each in zip(totals, found)] + totals[len(found):]
    vectors, offset = (torch.from_numpy(each) for each in model(totals, cube, keep, "numpy"))
    components = torch.empty((keep, pixels))
    for start in range(0, pixels, chunk):
        components[:, start:start + chunk] = vectors.T @ samples[:, start:start + chunk].to(torch.float32) - offset
    return components.numpy()


def spectral_mnf(cube, keep):
    import spectral

    signal = spectral.calc_stats(cube)
    noise = spectral.noise_from_diffs(cube, direction="lowerright")
    return spectral.mnf(signal, noise).get_reduction_transform(num=keep)(cube)


def planes(found):
    return numpy.moveaxis(found, 2, 0).reshape(found.shape[2], -1)


def process(peer, config, path, out, options):
    keep = options["keep"]
    if peer == "Spectral Python":
        save(planes(spectral_mnf(spectral_cube(path, config), keep)), out)
        return
    cube = Cube(path)
    if peer == "NumPy":
        save(numpy_mnf(cube, None, config, keep), out)
    else:
        import torch

        save(torch_mnf(cube, from_map(torch, cube.samples), config, keep), out)


def prepare(peer, config, path, options):
    keep = options["keep"]
    if peer == "Spectral Python":
        held = spectral_cube(path, config)
        return (lambda: spectral_mnf(held, keep)), planes
    cube = Cube(path)
    samples = cube.samples.astype("float32")
    if peer == "NumPy":
        return (lambda: numpy_mnf(cube, samples, config, keep)), None
    import torch

    tensor = torch.from_numpy(samples)
    return (lambda: torch_mnf(cube, tensor, config, keep)), None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Independent components in other programs: FastICA, all at once, log cosh, tolerance 1e-4, at most 200 steps."""

import numpy

from cubes import Cube, InFile, InMemory, each_part, save, threads
from pca import from_map, pixels_of

TOLERANCE, MOST_STEPS = 1e-4, 200


def configurations(options):
    found = {
        "NumPy": [{"chunk": chunk, "part": part, "workers": workers}
                  for chunk in (8192, 32768) for part in (4096, 16384) for workers in (1, 0)],
        "PyTorch": [{"chunk": chunk, "part": part} for chunk in (8192, 65536) for part in (16384, 1 << 30)],
    }
    if not options.get("large"):
        found["scikit-learn"] = [{"order": "F"}, {"order": "C"}]
    return found


def decorrelate(w):
    values, vectors = numpy.linalg.eigh(w @ w.T)
    return vectors @ (vectors.T / numpy.sqrt(values)[:, None]) @ w


def whitening(products, total, pixels, good, keep):
    """keep x bands, and what it makes of the mean."""
    mean = total / pixels
    covariance = (products - pixels * numpy.outer(mean, mean)) / (pixels - 1)
    values, vectors = numpy.linalg.eigh(covariance[numpy.ix_(good, good)])
    matrix = numpy.zeros((keep, len(mean)))
    matrix[:, good] = (vectors[:, ::-1][:, :keep] / numpy.sqrt(values[::-1][:keep])).T
    return matrix.astype("float32"), (matrix @ mean).astype("float32")[:, None]


def iterate(step, keep):
    """step(W): E[g(WZ) Z'] and E[g'(WZ)]. W and the number of steps."""
    w = decorrelate(numpy.random.default_rng(1).normal(size=(keep, keep)))
    for steps in range(1, MOST_STEPS + 1):
        products, slopes = step(w)
        new = decorrelate(products - slopes[:, None] * w)
        change = abs(abs((new * w).sum(1)) - 1).max()
        w = new
        if change < TOLERANCE:
            break
    return w, steps


def numpy_ica(source, good, config, keep):
    workers = config["workers"] or threads()
    ones = numpy.ones(source.chunk, "float32")

    def sums(start, buffer):
        part = source.part(start, buffer)
        return part @ part.T, part @ ones[:part.shape[1]]

    found = each_part(source, sums, workers)
    products, total = (sum(each.astype("float64") for each in column) for column in zip(*found))
    matrix, offset = whitening(products, total, source.pixels, good, keep)
    white = numpy.empty((keep, source.pixels), "float32")

    def whiten(start, buffer):
        part = source.part(start, buffer)
        target = white[:, start:start + part.shape[1]]
        numpy.matmul(matrix, part, out=target)
        target -= offset

    each_part(source, whiten, workers)
    whites = InMemory(white, config["part"])
    whites.buffer = lambda: numpy.empty((keep, whites.chunk), "float32")

    def step(w):
        w = w.astype("float32")

        def one(start, buffer):
            part = whites.part(start, None)
            values = numpy.matmul(w, part, out=buffer[:, :part.shape[1]])
            numpy.tanh(values, out=values)
            squares = numpy.einsum("ij,ij->i", values, values)
            return values @ part.T, part.shape[1] - squares

        found = each_part(whites, one, workers)
        products, slopes = (sum(each.astype("float64") for each in column) for column in zip(*found))
        return products / source.pixels, slopes / source.pixels

    w, steps = iterate(step, keep)
    return w.astype("float32") @ white, steps


def torch_ica(samples, good, config, keep):
    import torch

    torch.set_num_threads(threads())
    bands, pixels = samples.shape
    chunk, size = min(config["chunk"], pixels), min(config["part"], pixels)
    products = torch.zeros((bands, bands), dtype=torch.float64)
    total = torch.zeros(bands, dtype=torch.float64)
    for start in range(0, pixels, chunk):
        part = samples[:, start:start + chunk].to(torch.float32)
        products += part @ part.T
        total += part.sum(1)
    matrix, offset = (torch.from_numpy(each) for each in
                      whitening(products.numpy(), total.numpy(), pixels, good, keep))
    white = torch.empty((keep, pixels))
    for start in range(0, pixels, chunk):
        white[:, start:start + chunk] = matrix @ samples[:, start:start + chunk].to(torch.float32) - offset

    def step(w):
        w = torch.from_numpy(w.astype("float32"))
        gathered, slopes = numpy.zeros((keep, keep)), numpy.zeros(keep)
        for start in range(0, pixels, size):
            part = white[:, start:start + size]
            values = torch.tanh_(w @ part)
            gathered += (values @ part.T).numpy()
            slopes += part.shape[1] - torch.linalg.vecdot(values, values).numpy()
        return gathered / pixels, slopes / pixels

    w, steps = iterate(step, keep)
    return (torch.from_numpy(w.astype("float32")) @ white).numpy(), steps


def sklearn_ica(pixels, keep):
    import warnings

    from sklearn.decomposition import FastICA

    warnings.filterwarnings("ignore")
    ica = FastICA(n_components=keep, algorithm="parallel", fun="logcosh", tol=TOLERANCE, max_iter=MOST_STEPS,
                  whiten="unit-variance", whiten_solver="eigh", random_state=1)
    return ica.fit_transform(pixels).T, int(ica.n_iter_)


def process(peer, config, path, out, options):
    cube, keep = Cube(path), options["keep"]
    if peer == "NumPy":
        components, _ = numpy_ica(InFile(cube, config["chunk"]), cube.good, config, keep)
    elif peer == "PyTorch":
        import torch

        components, _ = torch_ica(from_map(torch, cube.samples), cube.good, config, keep)
    else:
        components, _ = sklearn_ica(pixels_of(cube, config["order"]), keep)
    save(components, out)


def prepare(peer, config, path, options):
    cube, keep = Cube(path), options["keep"]
    if peer == "scikit-learn":
        pixels = pixels_of(cube, config["order"])
        return (lambda: sklearn_ica(pixels, keep)), None
    samples = cube.samples.astype("float32")
    if peer == "NumPy":
        return (lambda: numpy_ica(InMemory(samples, config["chunk"]), cube.good, config, keep)), None
    import torch

    tensor = torch.from_numpy(samples)
    return (lambda: torch_ica(tensor, cube.good, config, keep)), None

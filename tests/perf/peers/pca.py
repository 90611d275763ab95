# SPDX-License-Identifier: GPL-3.0-or-later
"""Principal components in other programs: mean, covariance, eigenvectors, projection of 0.99 of the variance, or of as
many as asked."""

import numpy

from cubes import Cube, InFile, InMemory, each_part, header_of, save, threads

SHARE = 0.99


def configurations(options):
    """Of each peer: how it may be run. options: keep (components, or None for the share), large (a cube that does not
    go into memory as float32)."""
    whole = [] if options.get("large") else [1 << 30]
    found = {
        "NumPy": [{"chunk": chunk, "workers": workers, "eigen": eigen}
                  for chunk in (8192, 32768) for workers in (1, 0) for eigen in ("numpy", "scipy")
                  if not (chunk == 8192 and eigen == "scipy")],
        "PyTorch": [{"chunk": chunk} for chunk in (8192, 65536, *whole)],
    }
    if not options.get("large"):
        found["scikit-learn"] = [{"order": "F"}, {"order": "C"}]
        found["Spectral Python"] = [{"type": "int16"}, {"type": "float32"}]
    return found


def kept(values, keep):
    """How many of the eigenvalues, largest first."""
    return keep or int(numpy.searchsorted(numpy.cumsum(values) / values.sum(), SHARE) + 1)


def numpy_eigen(covariance, config, keep):
    if config["eigen"] == "numpy":
        values, vectors = numpy.linalg.eigh(covariance)
        count = kept(values[::-1], keep)
        return vectors[:, ::-1][:, :count]
    from scipy.linalg import eigh

    total, n, count = numpy.trace(covariance), len(covariance), keep or 8
    while True:
        values, vectors = eigh(covariance, subset_by_index=[n - count, n - 1], driver="evr", check_finite=False)
        if keep or count == n or values.sum() >= SHARE * total:
            break
        count = min(2 * count, n)
    if not keep:
        count = int(numpy.searchsorted(numpy.cumsum(values[::-1]) / total, SHARE) + 1)
    return vectors[:, ::-1][:, :count]


def numpy_pca(source, good, config, keep):
    """float32 products of chunks, sums and eigenproblem in float64."""
    workers = config["workers"] or threads()
    ones = numpy.ones(source.chunk, "float32")

    def sums(start, buffer):
        part = source.part(start, buffer)
        return part @ part.T, part @ ones[:part.shape[1]]

    products, total = numpy.zeros((source.bands,) * 2), numpy.zeros(source.bands)
    for product, part_sum in each_part(source, sums, workers):
        products += product
        total += part_sum
    mean = total / source.pixels
    covariance = (products - source.pixels * numpy.outer(mean, mean)) / (source.pixels - 1)
    found = numpy_eigen(covariance[numpy.ix_(good, good)], config, keep)
    vectors = numpy.zeros((source.bands, found.shape[1]), "float32")
    vectors[good] = found
    offset = (vectors.T @ mean).astype("float32")[:, None]
    components = numpy.empty((found.shape[1], source.pixels), "float32")

    def project(start, buffer):
        part = source.part(start, buffer)
        target = components[:, start:start + part.shape[1]]
        numpy.matmul(vectors.T, part, out=target)
        target -= offset

    each_part(source, project, workers)
    return components


def torch_pca(samples, good, config, keep):
    """samples: bands x pixels, the file's type (converted chunk by chunk) or float32."""
    import torch

    torch.set_num_threads(threads())
    bands, pixels = samples.shape
    chunk = min(config["chunk"], pixels)
    products = torch.zeros((bands, bands), dtype=torch.float64)
    total = torch.zeros(bands, dtype=torch.float64)
    for start in range(0, pixels, chunk):
        part = samples[:, start:start + chunk].to(torch.float32)
        products += part @ part.T
        total += part.sum(1)
    mean = total / pixels
    covariance = (products - pixels * torch.outer(mean, mean)) / (pixels - 1)
    chosen = torch.from_numpy(numpy.asarray(good))
    values, found = torch.linalg.eigh(covariance[chosen][:, chosen])
    count = kept(values.numpy()[::-1], keep)
    vectors = torch.zeros((bands, count))
    vectors[chosen] = found.flip(1)[:, :count].to(torch.float32)
    offset = (vectors.T @ mean.to(torch.float32))[:, None]
    components = torch.empty((count, pixels))
    for start in range(0, pixels, chunk):
        part = samples[:, start:start + chunk].to(torch.float32)
        components[:, start:start + chunk] = vectors.T @ part - offset
    return components.numpy()


def sklearn_pca(pixels, keep):
    from sklearn.decomposition import PCA

    return PCA(n_components=keep or SHARE, svd_solver="covariance_eigh").fit_transform(pixels).T


def spectral_pca(cube, keep):
    import spectral

    found = spectral.principal_components(cube)
    reduced = found.reduce(num=keep) if keep else found.reduce(fraction=SHARE)
    return reduced.transform(cube)


def pixels_of(cube, order):
    """pixels x good bands in float32."""
    taken = cube.samples if len(cube.good) == len(cube.samples) else cube.samples[cube.good]
    return taken.astype("float32").T if order == "F" else numpy.ascontiguousarray(taken.T, dtype="float32")


def spectral_cube(path, config):
    import spectral

    spectral.settings.show_progress = False
    image = spectral.open_image(header_of(path))
    cube = image.open_memmap(interleave="bip")
    good = Cube(path).good
    return numpy.ascontiguousarray(cube[:, :, good], config["type"])


def process(peer, config, path, out, options):
    keep = options.get("keep")
    if peer == "Spectral Python":
        components = spectral_pca(spectral_cube(path, config), keep)
        save(numpy.moveaxis(components, 2, 0).reshape(components.shape[2], -1), out)
        return
    cube = Cube(path)
    if peer == "NumPy":
        save(numpy_pca(InFile(cube, config["chunk"]), cube.good, config, keep), out)
    elif peer == "PyTorch":
        import torch

        save(torch_pca(from_map(torch, cube.samples), cube.good, config, keep), out)
    else:
        save(sklearn_pca(pixels_of(cube, config["order"]), keep), out)


def from_map(torch, samples):
    """PyTorch has no type for a map that may not be written, and warns."""
    import warnings

    warnings.simplefilter("ignore")
    return torch.from_numpy(samples)


def prepare(peer, config, path, options):
    """The samples in memory as the peer likes them best, float32: what computes on them, and what makes k x pixels of
    its result."""
    keep = options.get("keep")
    if peer == "Spectral Python":
        cube = spectral_cube(path, config)
        return (lambda: spectral_pca(cube, keep)), lambda found: numpy.moveaxis(found, 2, 0).reshape(found.shape[2], -1)
    cube = Cube(path)
    if peer == "scikit-learn":
        pixels = pixels_of(cube, config["order"])
        return (lambda: sklearn_pca(pixels, keep)), None
    samples = cube.samples.astype("float32")
    if peer == "NumPy":
        return (lambda: numpy_pca(InMemory(samples, config["chunk"]), cube.good, config, keep)), None
    import torch

    tensor = torch.from_numpy(samples)
    return (lambda: torch_pca(tensor, cube.good, config, keep)), None

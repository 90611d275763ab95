#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The analysis of bench-gpu in PyTorch, CuPy and scikit-learn: 614 x 1087 x 224 float32 to 27 components, the samples
on the card, mean, covariance, eigenvectors and projection; medians. And the bare products of a library: the covariance
of 5,431,856 pixels x 224 bands in int8, TF32 and float64. What is not installed is left out."""

import statistics
import time

import numpy

PIXELS, BANDS, KEPT, REPEATS = 614 * 1087, 224, 27, 15


def samples(pixels, dtype="float32"):
    random = numpy.random.default_rng(1)
    spectra = random.random((6, BANDS), dtype="float32") * 40
    shares = random.random((pixels, 6), dtype="float32")
    return (shares @ spectra + random.random((pixels, BANDS), dtype="float32") * 4).astype(dtype)


def measure(work, wait):
    times = []
    for i in range(REPEATS + 3):
        wait()
        start = time.perf_counter()
        work()
        wait()
        if i >= 3:
            times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def show(name, milliseconds):
    print(f"{name:56s} {milliseconds:9.2f} ms", flush=True)


def torch_peer(x):
    import torch

    wait = torch.cuda.synchronize
    for tf32 in (False, True):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        for layout, data in (("pixels x bands", torch.from_numpy(x).cuda()),
                             ("bands x pixels", torch.from_numpy(numpy.ascontiguousarray(x.T)).cuda().T)):
            def work():
                mean = data.mean(0)
                centred = data - mean
                covariance = centred.T @ centred / (len(data) - 1)
                _, vectors = torch.linalg.eigh(covariance)
                return centred @ vectors[:, -KEPT:]

            show(f"torch {torch.__version__}, {layout}{', TF32' if tf32 else ''}", measure(work, wait))

    torch.backends.cuda.matmul.allow_tf32 = True
    chunk = 131072
    n = 5431856 // chunk * chunk
    small = torch.randint(-128, 127, (BANDS, n), dtype=torch.int8, device="cuda")
    if hasattr(torch, "_int_mm"):
        parts = [small[:, i:i + chunk] for i in range(0, n, chunk)]

        def products():
            total = torch.zeros((BANDS, BANDS), dtype=torch.int64, device="cuda")
            for part in parts:
                total += torch._int_mm(part, part.T)
            return total

        show("torch int8 products in chunks, 5.4 M x 224", measure(products, wait))


def cupy_peer(x):
    import cupy

    data = cupy.asarray(x)

    def work():
        mean = data.mean(0)
        centred = data - mean
        covariance = centred.T @ centred / (len(data) - 1)
        _, vectors = cupy.linalg.eigh(covariance)
        return centred @ vectors[:, -KEPT:]

    show(f"cupy {cupy.__version__}", measure(work, cupy.cuda.Device().synchronize))


def sklearn_peer(x):
    import sklearn
    from sklearn.decomposition import PCA

    start = time.perf_counter()
    PCA(n_components=KEPT, svd_solver="covariance_eigh").fit_transform(x)
    show(f"scikit-learn {sklearn.__version__}, CPU", (time.perf_counter() - start) * 1e3)


def main():
    x = samples(PIXELS)
    for peer in (torch_peer, cupy_peer, sklearn_peer):
        try:
            peer(x)
        except ImportError as error:
            print(f"{peer.__name__}: {error}")


main()

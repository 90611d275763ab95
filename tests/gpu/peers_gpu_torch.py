# SPDX-License-Identifier: GPL-3.0-or-later
"""Principal components, FastICA and MNF in PyTorch on a card, as well as it can be written: what peers-gpu.py measures.

As a program, peers_gpu_torch.py pageable|staged FILE OUT: a whole process, from an int16 BSQ file to 27 components in
float32 on the disk."""

import functools
import sys

import numpy
import torch

BANDS, KEPT = 224, 27


def reference(data):
    """The 27 largest eigenvalues of bands x pixels on the host, in float64 on the card, largest first."""
    products = torch.zeros((BANDS, BANDS), dtype=torch.float64, device="cuda")
    total = torch.zeros(BANDS, dtype=torch.float64, device="cuda")
    for start in range(0, data.shape[1], 1 << 19):
        part = data[:, start:start + (1 << 19)].cuda().to(torch.float64)
        products += part @ part.T
        total += part.sum(1)
    n = data.shape[1]
    covariance = (products - torch.outer(total, total) / n) / (n - 1)
    return torch.linalg.eigvalsh(covariance).flip(0)[:KEPT].cpu()


def eigen(covariance, where):
    """The 27 largest values and vectors of float64 bands x bands, on the card or on the host."""
    values, vectors = torch.linalg.eigh(covariance.cpu() if where == "host" else covariance)
    return values[-KEPT:], vectors[:, -KEPT:].to("cuda", torch.float32)


def covariance_of(products, total, n):
    total = total.to(torch.float64)
    return (products - torch.outer(total, total) / n) / (n - 1)


def sums(data, chunk, shift, half=False):
    """Products and sums of bands x pixels on the card less shift, float32 products (or of float16 samples, which 8 bits
    fit exactly), added up in float64."""
    bands, pixels = data.shape
    products = torch.zeros((bands, bands), dtype=torch.float64, device="cuda")
    total = torch.zeros(bands, dtype=torch.float64, device="cuda")
    for start in range(0, pixels, chunk):
        part = data[:, start:start + chunk]
        part = part.to(torch.float16) if half else part.to(torch.float32)
        if shift is not None:
            part = part - shift.to(part.dtype)
        products += torch.mm(part, part.T, out_dtype=torch.float32) if half else part @ part.T
        total += part.sum(1, dtype=torch.float32)
    return products, total


def integer_sums(data, chunk):
    """The same of uint8, exactly: less 128 they are int8, and products of chunks fit 32 bits."""
    bands, pixels = data.shape
    whole = pixels // 8 * 8             # what they take; the rest by hand
    products = torch.zeros((bands, bands), dtype=torch.int64, device="cuda")
    total = torch.zeros(bands, dtype=torch.int64, device="cuda")
    for start in range(0, whole, chunk):
        part = (data[:, start:min(start + chunk, whole)] ^ 128).view(torch.int8)
        products += torch._int_mm(part, part.T)
        total += part.sum(1)
    rest = data[:, whole:].to(torch.float64) - 128
    products += (rest @ rest.T).to(torch.int64)
    total += rest.sum(1).to(torch.int64)
    return products.to(torch.float64), total.to(torch.float64)


def project(data, vectors, offset, chunk, shift=None):
    bands, pixels = data.shape
    if data.dtype == torch.float32 and shift is None:
        return torch.addmm(-offset[:, None], vectors.T, data)
    components = torch.empty((vectors.shape[1], pixels), device="cuda")
    for start in range(0, pixels, chunk):
        part = data[:, start:start + chunk].to(torch.float32)
        torch.addmm(-offset[:, None], vectors.T, part, out=components[:, start:start + chunk])
    return components


def pca(data, chunk, shifted=True, where="card", how="float"):
    """data: bands x pixels on the card, rows contiguous or a transposed view of pixels x bands."""
    n = data.shape[1]
    shift = data[:, :4096].to(torch.float32).mean(1, keepdim=True) if shifted else None
    if how == "half":
        shift = shift.round()
    if how == "integer":
        products, total = integer_sums(data, chunk)
        mean = total / n + 128
    else:
        products, total = sums(data, chunk, shift, how == "half")
        mean = total / n + (shift[:, 0] if shifted else 0)
    values, vectors = eigen(covariance_of(products, total, n), where)
    offset = vectors.T @ mean.to(torch.float32)
    return project(data, vectors, offset, chunk), values.cpu().numpy()


def pca_centred(data):
    """float32 in one piece, as tutorials have it."""
    centred = data - data.mean(1, keepdim=True)
    values, vectors = torch.linalg.eigh(centred @ centred.T / (data.shape[1] - 1))
    return vectors[:, -KEPT:].T @ centred, values[-KEPT:].cpu().numpy()


def uploaded(pinned, parts):
    """All of it, part after part, from page-locked memory."""
    data = torch.empty(pinned.shape, dtype=pinned.dtype, device="cuda")
    target, source = data.view(-1), pinned.view(-1)
    size = -(-source.numel() // parts)
    for start in range(0, source.numel(), size):
        target[start:start + size].copy_(source[start:start + size], non_blocking=True)
    return data


def pca_overlapped(pinned, rows, where):
    """pinned: pixels x bands. Products of what has arrived while the next rows come."""
    pixels, bands = pinned.shape
    copying = torch.cuda.Stream()
    data = torch.empty((pixels, bands), dtype=pinned.dtype, device="cuda")
    # What this stream did with this memory before comes first.
    copying.wait_stream(torch.cuda.current_stream())
    products = torch.zeros((bands, bands), dtype=torch.float64, device="cuda")
    total = torch.zeros(bands, dtype=torch.float64, device="cuda")
    shift = pinned[:4096].to(torch.float32).mean(0).cuda()
    arrived = []
    with torch.cuda.stream(copying):
        for start in range(0, pixels, rows):
            data[start:start + rows].copy_(pinned[start:start + rows], non_blocking=True)
            arrived.append(torch.cuda.Event())
            arrived[-1].record()
    for i, start in enumerate(range(0, pixels, rows)):
        torch.cuda.current_stream().wait_event(arrived[i])
        part = data[start:start + rows].to(torch.float32) - shift
        products += part.T @ part
        total += part.sum(0)
    data.record_stream(copying)
    values, vectors = eigen(covariance_of(products, total, pixels), where)
    offset = vectors.T @ (total / pixels + shift).to(torch.float32)
    return project(data.T, vectors, offset, rows), values.cpu().numpy()


def configurations(data, kind, held):
    """(name, {"tf32": ...}, what runs it) for bands x pixels on the host."""
    found = []

    def add(name, tf32, work):
        def run():
            torch.backends.cuda.matmul.allow_tf32 = tf32
            return work()
        found.append((name + (", TF32" if tf32 else ""), {"tf32": tf32}, run))

    host = torch.from_numpy(data)
    by_pixel = torch.from_numpy(numpy.ascontiguousarray(data.T))
    if held == "page-locked":
        host, by_pixel = host.pin_memory(), by_pixel.pin_memory()
        for tf32 in (False, True):
            for where in ("card", "host"):
                add("copied, then computed, eigen on the " + where, tf32,
                    lambda where=where: pca(uploaded(host, 1), 1 << 19, True, where))
            for rows in (1 << 17, 1 << 19):
                add("pixels x bands, overlapped in %d rows" % rows, tf32,
                    lambda rows=rows: pca_overlapped(by_pixel, rows, "card"))
        if kind == "uint8":
            add("copied, int8 products", False, lambda: pca(uploaded(host, 1), 1 << 16, False, "card", "integer"))
        return found
    layouts = {"bands x pixels": host.cuda(), "pixels x bands": by_pixel.cuda().T}
    for layout, card in layouts.items():
        for tf32 in (False, True):
            if kind == "float32":
                add(layout + ", centred in one piece", tf32, lambda card=card: pca_centred(card))
            for chunk in (1 << 17, 1 << 19) if kind != "float32" else (1 << 17, 1 << 30):
                for shifted in (False, True):
                    for where in ("card", "host"):
                        if where == "host" and (shifted or chunk == 1 << 17):
                            continue
                        name = "%s, chunks of %d%s, eigen on the %s" % (layout, chunk, ", mean off" * shifted, where)
                        add(name, tf32, functools.partial(pca, card, chunk, shifted, where))
    if kind == "uint8":
        for layout, card in layouts.items():
            add(layout + ", int8 products", False, lambda card=card: pca(card, 1 << 16, False, "card", "integer"))
            add(layout + ", float16 products", False, lambda card=card: pca(card, 1 << 15, True, "card", "half"))
    return found


def whitened(data, keep, chunk=1 << 19):
    n = data.shape[1]
    shift = data[:, :4096].to(torch.float32).mean(1, keepdim=True)
    products, total = sums(data, chunk, shift)
    values, vectors = torch.linalg.eigh(covariance_of(products, total, n))
    matrix = (vectors[:, -keep:] / values[-keep:].sqrt()).to(torch.float32)
    return project(data, matrix, matrix.T @ (total / n + shift[:, 0]).to(torch.float32), chunk)


def decorrelate(w):
    values, vectors = torch.linalg.eigh(w @ w.T)
    return vectors @ torch.diag(values.rsqrt()) @ vectors.T @ w


def fastica(data, keep, steps):
    """log cosh, all at once, so many steps."""
    white, n = whitened(data, keep), data.shape[1]
    torch.manual_seed(1)
    w = decorrelate(torch.randn((keep, keep), device="cuda"))
    for _ in range(steps):
        values = torch.tanh_(w @ white)
        w = decorrelate(values @ white.T / n - (1 - values.square().mean(1))[:, None] * w)
    return w @ white


def mnf(data, width, keep, lines=256):
    """Noise from differences to the lower right neighbour; bands x pixels of width a line."""
    pixels = data.shape[1]
    shift = data[:, :4096].to(torch.float32).mean(1, keepdim=True)
    signal, noise = (torch.zeros((data.shape[0],) * 2, dtype=torch.float64, device="cuda") for _ in range(2))
    total, difference = (torch.zeros(data.shape[0], dtype=torch.float64, device="cuda") for _ in range(2))
    for start in range(0, pixels, lines * width):
        part = data[:, start:start + (lines + 1) * width + 1].to(torch.float32) - shift
        own, length = part[:, :lines * width], min(lines * width, part.shape[1] - width - 1)
        signal += own @ own.T
        total += own.sum(1)
        if length > 0:
            differences = part[:, :length] - part[:, width + 1:width + 1 + length]
            differences[:, width - 1::width] = 0
            noise += differences @ differences.T
            difference += differences.sum(1)
    pairs = (width - 1) * (pixels // width - 1)
    half = torch.linalg.cholesky(covariance_of(noise, difference, pairs) / 2)
    inverse = torch.linalg.inv(half)
    _, vectors = torch.linalg.eigh(inverse @ covariance_of(signal, total, pixels) @ inverse.T)
    matrix = (inverse.T @ vectors[:, -keep:]).to(torch.float32)
    return project(data, matrix, matrix.T @ (total / pixels + shift[:, 0]).to(torch.float32), 1 << 19)


def staged(samples):
    """The map to the card through two page-locked buffers, which the processor fills by turns."""
    flat = samples.reshape(-1)
    size = 1 << 25
    data = torch.empty(flat.shape, dtype=flat.dtype, device="cuda")
    buffers = [torch.empty(size, dtype=flat.dtype, pin_memory=True) for _ in range(2)]
    gone = [torch.cuda.Event() for _ in range(2)]
    for i, start in enumerate(range(0, flat.numel(), size)):
        source = flat[start:start + size]
        gone[i % 2].synchronize()
        buffers[i % 2][:source.numel()].copy_(source)
        data[start:start + size].copy_(buffers[i % 2][:source.numel()], non_blocking=True)
        gone[i % 2].record()
    return data.view(samples.shape)


def main(how, path, out):
    import warnings

    warnings.simplefilter("ignore")
    samples = torch.from_numpy(numpy.memmap(path, "<i2", "r").reshape(BANDS, -1))
    data = samples.cuda() if how == "pageable" else staged(samples)
    components, _ = pca(data, 1 << 19)
    components.cpu().numpy().tofile(out)


if __name__ == "__main__":
    main(*sys.argv[1:])

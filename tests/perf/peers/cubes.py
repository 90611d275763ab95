# SPDX-License-Identifier: GPL-3.0-or-later
"""Cubes as peers read them: an ENVI file in BSQ as a memory map of bands x pixels, in float32 chunks or as a whole, and
components as they are written, float32 in BSQ."""

import os
import re

import numpy

TYPES = {1: "u1", 2: "<i2", 4: "<f4", 12: "<u2"}


def threads():
    """As many as the bench says; all where it says nothing."""
    return int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))


class Cube:
    """samples: memory map of bands x pixels in the file's type. good: the bands that are not marked bad."""

    def __init__(self, path):
        with open(header_of(path), encoding="utf-8") as file:
            header = file.read()
        self.width, self.height, bands, kind = (int(field(header, name)) for name in
                                                ("samples", "lines", "bands", "data type"))
        if field(header, "interleave") != "bsq":
            raise ValueError(path + " is not BSQ")
        self.pixels = self.width * self.height
        self.samples = numpy.memmap(path, TYPES[kind], "r", shape=(bands, self.pixels))
        listed = re.search(r"^bbl\s*=\s*\{([^}]*)\}", header, re.M)
        flags = [float(flag) for flag in listed.group(1).split(",")] if listed else [1] * bands
        self.good = numpy.flatnonzero(flags)


def header_of(path):
    return path.rsplit(".", 1)[0] + ".hdr"


def field(header, name):
    return re.search(r"^" + name + r"\s*=\s*(\S+)", header, re.M).group(1)


class InFile:
    """Chunks of the memory map, converted to float32 into one buffer as they are needed."""

    def __init__(self, cube, chunk, margin=0):
        self.samples, self.chunk, self.margin = cube.samples, min(chunk, cube.pixels), margin
        self.bands, self.pixels = cube.samples.shape
        self.starts = range(0, self.pixels, self.chunk)

    def buffer(self):
        return numpy.empty((self.bands, self.chunk + self.margin), "float32")

    def part(self, start, buffer):
        """bands x (chunk + margin), less where the cube ends."""
        taken = self.samples[:, start:start + self.chunk + self.margin]
        part = buffer[:, :taken.shape[1]]
        numpy.copyto(part, taken)
        return part


class InMemory(InFile):
    """The same of an array that is float32 already: chunks are views."""

    def __init__(self, samples, chunk, margin=0):
        self.samples, self.chunk, self.margin = samples, min(chunk, samples.shape[1]), margin
        self.bands, self.pixels = samples.shape
        self.starts = range(0, self.pixels, self.chunk)

    def buffer(self):
        return None

    def part(self, start, buffer):
        return self.samples[:, start:start + self.chunk + self.margin]


def each_part(source, work, workers):
    """Calls work(start, buffer) for every chunk: one after the other, BLAS taking all threads, or by as many workers as
    there are threads, each with a BLAS of one. work's results in the order of the chunks."""
    if workers == 1:
        buffer = source.buffer()
        return [work(start, buffer) for start in source.starts]
    import threading
    from concurrent.futures import ThreadPoolExecutor

    from threadpoolctl import threadpool_limits

    own = threading.local()

    def one(start):
        if not hasattr(own, "buffer"):
            own.buffer = source.buffer()
        return work(start, own.buffer)

    with threadpool_limits(1), ThreadPoolExecutor(workers) as pool:
        return list(pool.map(one, source.starts))


def save(components, path):
    """k x pixels."""
    numpy.ascontiguousarray(components, "float32").tofile(path)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings as peers read them, and the array and sound speed that the bench simulates: hydrophones in a line, 1.5 m
apart, 1,500 m/s."""

import numpy

SPACING, SPEED = 1.5, 1500.0


def read(path):
    """Frames x channels, a memory map where the file allows it, and the rate, from the Wave64 (a header of 128 bytes or
    so) or HDF5 that the bench makes."""
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
    length = (numpy.memmap(path, "u1", "r").size - data) // (2 * channels)
    return numpy.memmap(path, "<i2", "r", offset=data, shape=(length, channels)), rate


def delays(elements, degrees):
    """angles x elements, in seconds."""
    along = (numpy.arange(elements) - (elements - 1) / 2) * SPACING
    return numpy.cos(numpy.radians(degrees))[:, None] * along[None, :] / SPEED


def hann(length):
    return numpy.hanning(length + 1)[:-1].astype("float32")

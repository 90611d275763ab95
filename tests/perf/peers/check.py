# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a peer did the same work as ours: its result beside the files of our run. A fast wrong one does not count."""

import json
import os

import numpy

EVERY = 7                          # of the pixels, this many
LEAST = {"pca": 0.99999, "mnf": 0.9999, "ica": 0.9999}  # cosine of the largest angle between the two subspaces
NOISE = 1.5                        # components of less than so many times the noise are anything: directions of noise
CONTRAST = 0.02                    # of ours that the negentropy of independent components may be away
# That a map may be away, at directions within 30 dB of the loudest; Acoular's far points are 100 km away: 0.03.
DECIBELS = {"beams": 0.05, "mvdr": 0.25}


def components_of(folder):
    """k x pixels that our run wrote."""
    with open(os.path.join(folder, "components.hdr"), encoding="utf-8") as file:
        lines = dict(line.split(" = ", 1) for line in file.read().split("\n") if " = " in line)
    if lines["interleave"].strip() != "bsq" or lines["data type"].strip() != "4":
        raise ValueError("components that are not float32 in BSQ")
    pixels = int(lines["samples"]) * int(lines["lines"])
    return numpy.memmap(os.path.join(folder, "components.img"), "<f4", "r").reshape(-1, pixels)


def basis(planes):
    """Orthonormal, of what the planes span without their means."""
    taken = planes[:, ::EVERY].astype("float64")
    taken -= taken.mean(axis=1, keepdims=True)
    values, vectors = numpy.linalg.eigh(taken @ taken.T)
    return (vectors / numpy.sqrt(values)).T @ taken


def negentropy(planes):
    """The sum of what log cosh tells of the distance from a normal distribution."""
    taken = planes[:, ::EVERY].astype("float64")
    taken = (taken - taken.mean(axis=1, keepdims=True)) / taken.std(axis=1, keepdims=True)
    return ((numpy.log(numpy.cosh(taken)).mean(axis=1) - 0.374567207491438) ** 2).sum()


def same_components(kind, folder, path):
    own = components_of(folder)
    values = numpy.fromfile(path, "<f4")
    if values.size % own.shape[1]:
        return {"same": False, "found": "%d numbers of %d pixels" % (values.size, own.shape[1])}
    planes = values.reshape(-1, own.shape[1])
    if len(planes) != len(own):
        return {"same": False, "found": "%d components, ours %d" % (len(planes), len(own))}
    own_spread, spread = (each[:, ::EVERY].var(axis=1, dtype="float64") for each in (own, planes))
    # Of equal quotients of signal and noise any direction is as good: the others have to lie in what the peer found.
    told = own[own_spread > NOISE * own_spread.min()] if kind == "mnf" else own
    cosine = float(numpy.linalg.svd(basis(told) @ basis(planes).T, compute_uv=False).min())
    found = {"same": cosine >= LEAST[kind], "cosine": cosine, "components": len(own)}
    if kind == "ica":
        found["contrast"] = float(negentropy(planes) / negentropy(own))
        found["same"] = bool(found["same"] and abs(found["contrast"] - 1) <= CONTRAST)
    elif kind == "pca":
        found["variance"] = float(spread.sum() / own_spread.sum())
        found["same"] = bool(found["same"] and abs(found["variance"] - 1) < 1e-3)
    else:
        quotients = numpy.sort(spread / spread.min()), numpy.sort(own_spread / own_spread.min())
        found["quotients"] = float(abs(quotients[0] / quotients[1] - 1).max())
        found["same"] = bool(found["same"] and found["quotients"] < 0.02)
    return found


def same_map(kind, folder, path):
    """Seconds x angles, ours in dB, up to one factor for all of it. With an adaptive map comes the conventional one."""
    name = "btr-mvdr.csv" if kind == "mvdr" else "btr.csv"
    rows = numpy.genfromtxt(os.path.join(folder, name), delimiter=",", skip_header=1)
    own, other = rows[:, 1:], numpy.load(path)
    if own.shape != other.shape:
        return {"same": False, "found": "%s, ours %s" % (other.shape, own.shape)}
    away = 10 * numpy.log10(other) - own
    away = (away - numpy.median(away))[own > own.max() - 30]
    worst = float(abs(away).max())
    return {"same": worst <= DECIBELS[kind], "decibels": worst}


def same_work(kind, folder, path, sample, options):
    return same_map(kind, folder, path) if kind in ("beams", "mvdr") else same_components(kind, folder, path)


if __name__ == "__main__":
    import sys

    print(json.dumps(same_work(*sys.argv[1:4], None, None)))

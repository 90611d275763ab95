#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes k20c.json: what was published of a Tesla K20c in 2013, as the figures that experiments give.

make-k20c.py > k20c.json

Tables 2.5, 2.6, 3.1, 3.3, 3.4, 4.2 to 4.4, 4.6 to 4.8 are the numbers themselves; formulas (4.1) to (4.6) are evaluated
at the sizes of the sweeps. GB is 2^30 and MB 2^20, as the formulas reproduce table 4.5 with these alone. Figures that
were only drawn are not here.
"""
import json
from math import exp, log

KILO, MEGA, GIGA = 2.0**10, 2.0**20, 2.0**30
experiments = {}


def add(experiment, group, name, value, unit, x=None, x_unit=None):
    figure = {"group": group, "name": name}
    if x is not None:
        figure.update(x=x, x_unit=x_unit)
    # More digits than six were published of nothing.
    figure.update(value=float(f"{value:.6g}"), unit=unit)
    experiments.setdefault(experiment, {"figures": []})["figures"].append(figure)


def footprints(least, most):
    size = least
    while size <= most:
        yield size
        if size / 2 * 3 <= most:
            yield size / 2 * 3
        size *= 2


def arithmetic():
    rows = {"add": (9, 9, 9, 10), "subtract": (9, 10, 9, 10), "multiply": (10, 9, 9, 11), "divide": (144, 169, 53, 90),
            "multiply-add": (8, 9, 9, 10)}
    for operation, clocks in rows.items():
        for kind, value in zip(("uint32", "int32", "float32", "float64"), clocks):
            add("lab-arithmetic", "latency", f"{kind} {operation}", value, "clocks")


def branches():
    order = [start + i for start in (0, 16, 4, 20, 8, 24, 12, 28) for i in range(4)]
    versions = {"Lane l takes branch l": [64 * i for i in range(32)],
                "Lane l takes branch 31 − l": [0, 66] + [64 * i for i in range(2, 31)] + [64 * 30 + 48]}
    for name, clocks in versions.items():
        for lane in range(32):
            add("lab-branches", "order", name, clocks[order.index(lane)], "clocks", lane, "lanes")


def latency():
    # 8 KiB of each, of one thread; global memory is that of the second-level cache.
    for name, clocks in (("Global memory", 218.86), ("Texture", 115.60), ("Constant memory", 110.13),
                         ("Shared memory", 47.69), ("Local memory", 203.75)):
        add("lab-latency", "latency", name, clocks, "clocks", 8192, "B")


def private_arrays():
    for name, largest in (("Vector addition", 73), ("Product of matrices", 6), ("Sorting", 0)):
        add("lab-private", "largest", name, largest, "1")


def bandwidth():
    for name, rate in (("1 byte", 63.02), ("4 bytes", 151.492), ("8 bytes", 157.146),
                       ("The library's own copy", 159.757)):
        add("lab-bandwidth", "copy", name, rate * GIGA, "B/s")


def host_memory():
    for group, name, milliseconds in (
            ("touch", "Pageable", 170.63), ("free", "Pageable", 1.99), ("allocate", "Page-locked", 469.98),
            ("free", "Page-locked", 165.10), ("touch", "Registered", 170.17), ("lock", "Registered", 26.65),
            ("unlock", "Registered", 45.90), ("free", "Registered", 1.69)):
        add("lab-host-memory", group, name, milliseconds / 1e3, "s", GIGA, "B")


def host_access():
    columns = ("Pageable, write", "Pageable, read", "Page-locked, write", "Page-locked, read", "Pageable to pageable",
               None, "Page-locked to page-locked", "Page-locked to pageable")
    tables = {"one-thread": """
16.48 12.81 16.55 12.85 23.26 23.31 22.72 23.04
15.44 12.26 15.11 12.36 11.48 12.33 11.89 12.29
7.84 8.35 8.07 8.47 7.87 7.62 7.56 7.95
7.75 8.36 7.62 8.43 6.43 6.61 6.54 6.59
7.64 8.39 7.77 8.40 6.01 6.03 6.02 6.14
7.72 8.40 7.73 8.41 5.65 5.67 5.62 5.72
7.77 8.41 7.81 8.41 5.66 5.64 5.65 5.73
7.81 8.41 7.79 8.41 5.66 5.67 5.66 5.72
7.79 8.41 7.79 8.41 5.66 5.66 5.65 5.72
7.82 8.41 7.99 8.41 4.09 5.65 3.44 5.56
7.90 8.41 5.76 6.72 3.44 3.63 3.36 5.56""", "all-threads": """
176.17 156.04 178.09 140.03 287.44 300.62 315.08 312.08
211.41 163.02 199.80 169.78 295.21 289.98 306.24 312.08
223.67 179.55 214.17 183.57 22.74 19.49 21.58 32.93
13.31 41.06 12.92 19.78 24.24 15.64 11.45 16.18
11.46 42.15 9.69 18.35 25.22 15.18 10.99 17.13
13.84 43.80 9.12 18.85 25.75 15.06 11.43 17.92
16.43 44.21 8.76 18.54 28.61 16.30 12.34 19.31
17.52 44.67 8.56 18.73 31.83 17.97 13.79 20.42
18.23 44.66 8.55 18.66 33.76 18.74 14.34 21.54
18.97 44.84 8.54 18.88 36.16 19.45 14.99 22.97
19.28 44.85 8.67 17.88 36.15 15.45 14.05 23.31"""}
    for group, text in tables.items():
        rows = [[float(word) for word in line.split()] for line in text.split("\n")[1:]]
        for column, name in enumerate(columns):
            for row, values in enumerate(rows):
                if name:
                    add("lab-host-access", group, name, values[column] * GIGA, "B/s", 4 * MEGA * 2**row, "B")


def piecewise(s, *pieces):
    for end, formula in pieces:
        if s < end:
            return formula(s)
    return pieces[-1][1](s)


def cubic(a, b, c, d):
    return lambda s: a + b * s + c * s * s + d * s**3


def link():
    curves = {
        ("to", "Pageable"): (
            (32, lambda s: 1.365e-4 * s - 3.883e-5), (2 * KILO, lambda s: 1.512e-4 * s + 1.173e-4),
            (256 * KILO, lambda s: 0.360 * log(s) - 2.479), (4 * MEGA, cubic(1.995, -3.838e-8, 2.191e-13, -3.579e-20)),
            (32 * MEGA, cubic(2.682, 1.072e-7, -5.043e-15, 7.050e-23)), (GIGA, lambda s: exp(1.197 - 514828.668 / s))),
        # The constant of the second piece is misprinted; 7.1e-5 fits what is said of its error.
        ("from", "Pageable"): (
            (32, lambda s: 7.661e-5 * s - 1.020e-5), (2 * KILO, lambda s: 8.703e-5 * s + 7.1e-5),
            (16 * KILO, cubic(1.716e-2, 8.241e-5, -2.251e-9, 1.406e-14)),
            (256 * KILO, lambda s: 0.343 * log(s) - 2.472),
            (2 * MEGA, cubic(1.510, 1.326e-6, -1.133e-12, 2.732e-19)), (GIGA, lambda s: exp(1.073 - 1012387.498 / s))),
        ("to", "Page-locked"): (
            (32, lambda s: 8.462e-5 * s - 2.697e-6), (2 * KILO, lambda s: 1.052e-4 * s - 1.106e-3),
            (256 * KILO, cubic(0.210, 5.970e-5, -3.382e-10, 6.660e-16)),
            (2 * MEGA, cubic(3.365, 6.030e-6, -5.147e-12, 1.278e-18)), (GIGA, lambda s: exp(1.776 - 278771.750 / s))),
        ("from", "Page-locked"): (
            (32, lambda s: 8.481e-5 * s - 1.332e-5), (4 * KILO, lambda s: 1.011e-4 * s + 1.086e-4),
            (256 * KILO, cubic(0.393, 4.759e-5, -1.974e-10, 3.074e-16)),
            (8 * MEGA, lambda s: exp(1.829 - 64448.291 / s)),
            (GIGA, lambda s: exp(1.831 - 83470.782 / s)))}
    sizes = [1.0] + list(footprints(2.0, GIGA))
    for (group, name), pieces in curves.items():
        for s in sizes:
            add("lab-link", group, name, piecewise(s, *pieces) * GIGA, "B/s", s, "B")


def registration():
    for s in footprints(4096.0, GIGA):
        lock = 0.0935 if s < MEGA else 2.473e-8 * s + 0.1306
        unlock = 8.117e-2 if s < MEGA else 4.254e-8 * s + 0.1579
        add("lab-registration", "cost", "Page-locking", lock / 1e3, "s", s, "B")
        add("lab-registration", "cost", "Unlocking", unlock / 1e3, "s", s, "B")


def zero_copy():
    # Two vectors of 1024 x 1024 float32.
    add("lab-zero-copy", "dot", "Copied from page-locked memory", 1.552e-3, "s", 8 * MEGA, "B")
    add("lab-zero-copy", "dot", "Read in place", 1.361e-3, "s", 8 * MEGA, "B")


def mandelbrot():
    rows = {"cuda": (1.38, 4.83, 17.29, 67.68, 267.57, 1062.54), "cuda2": (1.07, 3.78, 13.06, 52.56, 208.44, 827.15),
            "zerocopy1": (73.32, 290.73, 1162.41, 4653.66, 18637.97, 74596.48),
            "zerocopy2": (1.00, 3.75, 15.07, 64.40, 285.40, 1170.30),
            "zerocopy3": (72.65, 290.69, 1162.41, 4653.75, 18638.93, 74593.46),
            "zerocopy4": (0.95, 3.07, 12.04, 52.87, 204.64, 846.09)}
    for name, milliseconds in rows.items():
        for i, value in enumerate(milliseconds):
            add("lab-mandelbrot", "times", name, value / 1e3, "s", 1024 << i, "pixels")


for fill in (arithmetic, branches, latency, private_arrays, bandwidth, host_memory, host_access, link, registration,
             zero_copy, mandelbrot):
    fill()
profile = {
    "format": "eigenscope-device-profile", "version": 1, "date": "2013", "source": "published",
    "machine": {
        "name": "Tesla K20c", "driver": "CUDA 5.5", "architecture": "3.5", "units": 13, "warp": 32, "registers": 65536,
        "clock_hertz": 706e6, "memory_clock_hertz": 2600e6, "memory_bits": 320, "memory_bytes": 5 * 2**30,
        "l2_bytes": 1280 * 1024, "shared_bytes": 48 * 1024, "constant_bytes": 65536, "link_generation": 2,
        "link_width": 16},
    "experiments": experiments}
# A figure a line.
text = json.dumps(profile, indent=1, ensure_ascii=False)
for experiment in experiments.values():
    for figure in experiment["figures"]:
        text = text.replace(json.dumps(figure, indent=1, ensure_ascii=False).replace("\n", "\n" + 4 * " "),
                            json.dumps(figure, ensure_ascii=False), 1)
print(text)

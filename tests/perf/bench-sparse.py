#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of ten sparse matrices with a vector: ours in every format, librsb, SciPy and Intel's MKL, in one run.

usage: bench-sparse.py --ours perf-sparse --directory FOLDER --output FILE [--nonzeros N]
                       [--threads N] [--rounds N] [--float32] [NAME ...]

perf-sparse makes a matrix, measures every format and librsb on it, and leaves it in FOLDER; then SciPy (one thread, as
it has no more) and MKL (mkl_sparse_?_mv after mkl_sparse_optimize) multiply the same arrays, and what they find is
compared with ours. That is done --rounds times in turns; of each the least time counts. Peers that are not installed
are named and left out. FILE gets all of it as JSON, beside what is there already of other matrices; the table says how
many times ours each takes."""

import argparse
import ctypes
import datetime
import glob
import json
import os
import subprocess
import sys
import time

MATRICES = ("poisson-2d-5", "poisson-2d-9", "poisson-3d-7", "poisson-3d-27", "banded", "random-narrow", "random-wide",
            "power-law", "dense-rows", "blocks")
GOAL_LIBRARY, GOAL_CHOICE, WITHIN = 8, 9, 1.1


def note(text):
    print(text, file=sys.stderr, flush=True)


def least(call, seconds=0.4):
    """The least time of a call, after one that does not count."""
    call()
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best


class Mkl:
    """Inspector and executor of MKL's sparse BLAS, by ctypes."""

    class Description(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diagonal", ctypes.c_int)]

    def __init__(self, threads):
        names = ["libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"]
        found = sum((glob.glob(os.path.join(sys.prefix, "lib", name)) for name in names), [])
        self.library = ctypes.CDLL((found or names)[0])
        self.library.MKL_Set_Num_Threads(threads)
        text = ctypes.create_string_buffer(200)
        self.library.MKL_Get_Version_String(text, 200)
        self.version = text.value.decode().strip()

    def measure(self, matrix, x, y):
        letter = "d" if matrix.data.itemsize == 8 else "s"
        number = ctypes.c_double if letter == "d" else ctypes.c_float
        handle, general = ctypes.c_void_p(), self.Description(20, 0, 0)
        pointer = [array.ctypes.data_as(ctypes.c_void_p) for array in (matrix.indptr, matrix.indptr[1:], matrix.indices,
                                                                      matrix.data, x, y)]
        multiply = getattr(self.library, "mkl_sparse_%s_mv" % letter)
        status = getattr(self.library, "mkl_sparse_%s_create_csr" % letter)(
            ctypes.byref(handle), 0, ctypes.c_int(matrix.shape[0]), ctypes.c_int(matrix.shape[1]), *pointer[:4])
        if status == 0:
            begin = time.perf_counter()
            self.library.mkl_sparse_set_mv_hint(handle, 10, general, 100000)
            status = self.library.mkl_sparse_optimize(handle)
            built = time.perf_counter() - begin
        if status != 0:
            raise RuntimeError("MKL answers %d" % status)
        seconds = least(lambda: multiply(10, number(1), handle, general, pointer[4], number(0), pointer[5]))
        self.library.mkl_sparse_destroy(handle)
        return {"seconds": seconds, "build_ms": 1e3 * built}


class Scipy:
    """CSR times a vector."""

    def __init__(self):
        import scipy
        self.version = "SciPy " + scipy.__version__

    def measure(self, matrix, x, y):
        def multiply():
            y[:] = matrix @ x
        return {"seconds": least(multiply), "build_ms": 0.0}


def load(folder, name, is_narrow):
    import numpy
    import scipy.sparse
    value = numpy.float32 if is_narrow else numpy.float64
    n = int(numpy.fromfile(os.path.join(folder, name + ".n"), dtype=numpy.uint64)[0])
    row_from, column = (numpy.fromfile(os.path.join(folder, name + ending), dtype=numpy.int32)
                        for ending in (".from", ".column"))
    data = numpy.fromfile(os.path.join(folder, name + ".value"), dtype=value)
    wanted = numpy.fromfile(os.path.join(folder, name + ".y"), dtype=value)
    matrix = scipy.sparse.csr_matrix((data, column, row_from), shape=(n, n))
    return matrix, (1 / numpy.arange(1, n + 1, dtype=numpy.float64)).astype(value), wanted


def make_peers(threads):
    peers = {}
    for name, make in (("scipy", Scipy), ("mkl", lambda: Mkl(threads))):
        try:
            peers[name] = make()
        except (ImportError, OSError) as error:
            note("%s is left out: %s" % (name, error))
    return peers


def keep_least(rows, name, found):
    row = rows.setdefault(name, found)
    if found["seconds"] < row["seconds"]:
        rows[name] = found


def measure_matrix(arguments, peers, name, matrices):
    command = [arguments.ours, str(arguments.nonzeros), str(arguments.threads), arguments.directory, "--only",
               str(MATRICES.index(name))]
    command += ["--float32"] if arguments.float32 else []
    told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)[0]
    row = matrices.setdefault(name, {"rows": told["rows"], "nonzeros": told["nonzeros"], "chosen": told["chosen"],
                                     "formats": {}, "peers": {}})
    for format_name, found in told["formats"].items():
        if format_name == "library":
            keep_least(row["peers"], "librsb", found)
        else:
            keep_least(row["formats"], format_name, found)
    if not peers:
        return
    import numpy
    matrix, x, wanted = load(arguments.directory, name, arguments.float32)
    for peer, of in peers.items():
        y = numpy.zeros_like(wanted)
        found = of.measure(matrix, x, y)
        found["difference"] = float(numpy.linalg.norm(y - wanted) / numpy.linalg.norm(wanted))
        if found["difference"] > (1e-5 if arguments.float32 else 1e-12):
            raise RuntimeError("%s finds something else of %s: %g" % (peer, name, found["difference"]))
        keep_least(row["peers"], peer, found)


def judge(matrices):
    counts = {}
    for row in matrices.values():
        row["fastest"] = min(row["formats"], key=lambda name: row["formats"][name]["seconds"])
        best = row["formats"][row["fastest"]]["seconds"]
        chosen = row["formats"].get(row["chosen"], {"seconds": float("inf")})["seconds"]
        row["choice_over_fastest"] = round(chosen / best, 3)
        row["ratios"] = {peer: round(best / found["seconds"], 3) for peer, found in row["peers"].items()}
        counts["choice"] = counts.get("choice", 0) + (chosen <= WITHIN * best)
        for peer, ratio in row["ratios"].items():
            counts[peer] = counts.get(peer, 0) + (ratio <= 1)
    return counts


def show(matrices, counts):
    peers = sorted({peer for row in matrices.values() for peer in row["peers"]})
    print("%-14s %9s %10s  %-10s %9s  %-10s %6s  %s" % ("matrix", "rows", "nonzeros", "fastest", "ms", "chosen", "×",
                                                       "  ".join("%8s" % peer for peer in peers)))
    for name, row in matrices.items():
        print("%-14s %9d %10d  %-10s %9.3f  %-10s %6.2f  %s"
              % (name, row["rows"], row["nonzeros"], row["fastest"], 1e3 * row["formats"][row["fastest"]]["seconds"],
                 row["chosen"], row["choice_over_fastest"],
                 "  ".join("%8.2f" % row["ratios"][peer] if peer in row["ratios"] else "%8s" % "-" for peer in peers)))
    print("ours / peer: below 1, ours is faster; " + ", ".join("%s %d of %d" % (name, count, len(matrices))
                                                              for name, count in sorted(counts.items())))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--directory", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--nonzeros", type=int, default=8000000)
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--float32", action="store_true")
    parser.add_argument("names", metavar="NAME", nargs="*")
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
    os.makedirs(arguments.directory, exist_ok=True)
    peers, matrices = make_peers(arguments.threads), {}
    names = [name for name in MATRICES if name in (arguments.names or MATRICES)]
    for number in range(arguments.rounds):
        note("round %d of %d" % (number + 1, arguments.rounds))
        for name in names:
            measure_matrix(arguments, peers, name, matrices)
    if arguments.names and os.path.exists(arguments.output):
        with open(arguments.output, encoding="utf-8") as file:
            matrices = {**json.load(file)["matrices"], **matrices}
    counts = judge(matrices)
    with open(arguments.output, "w", encoding="utf-8") as file:
        json.dump({"date": datetime.date.today().isoformat(), "threads": arguments.threads,
                   "type": "float32" if arguments.float32 else "float64",
                   "versions": {name: peer.version for name, peer in peers.items()}, "matrices": matrices,
                   "counts": counts}, file, indent=1)
    show(matrices, counts)
    missed = len(MATRICES) - len(matrices)
    return 0 if counts.get("librsb", GOAL_LIBRARY) >= GOAL_LIBRARY - missed \
        and counts["choice"] >= GOAL_CHOICE - missed else 1


sys.exit(main())

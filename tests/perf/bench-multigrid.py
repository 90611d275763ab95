#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Multigrid as a preconditioner of conjugate gradients: ours, PyAMG's smoothed aggregation, and ours with the other
preconditioners, in one run.

usage: bench-multigrid.py --ours eigenscope-batch --directory FOLDER --output FILE [--threads N] [--rounds N]
                          [--tolerance T] [--preconditioners LIST] [NAME ...]

All solve A x = 1 from x = 0 on; ours in float64 with --threads and with one, PyAMG as its defaults are, whose products
and smoothing are of one thread. Of --rounds the least times count; reading and making the matrix are not part of them.
PyAMG's residual is computed anew as ours is; both have to be below the tolerance. FILE gets all of it as JSON, beside
the systems that it has from an earlier run; --rounds 0 adds other preconditioners to these."""

import argparse
import datetime
import json
import os
import subprocess
import sys
import time

SYSTEMS = {"poisson-2d": ("poisson2d:1000x1000", (1000, 1000)), "poisson-3d": ("poisson3d:100x100x100", (100,) * 3)}


def solve_ours(arguments, made, preconditioner, threads):
    folder = os.path.join(arguments.directory, "solved-" + preconditioner)
    subprocess.run(["rm", "-rf", folder], check=True)
    subprocess.run([arguments.ours, "run", "sparse-solve", made, "-q", "-o", folder, "--device", "cpu", "--threads",
                    str(threads), "solver=cg", "preconditioner=" + preconditioner, "iterations=20000",
                    "tolerance=%g" % arguments.tolerance], check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
        values = json.load(file)["values"]
    return {"setup_ms": values["build_ms"] + values["upload_ms"] + values["precondition_ms"],
            "solve_ms": 1e3 * values["seconds"], "iterations": values["iterations"], "residual": values["residual"],
            "complexity": values.get("operator_complexity")}


def solve_pyamg(arguments, shape):
    import numpy
    import pyamg
    matrix = pyamg.gallery.poisson(shape, format="csr")
    side = numpy.ones(matrix.shape[0])
    residuals = []
    begin = time.perf_counter()
    grids = pyamg.smoothed_aggregation_solver(matrix)
    ready = time.perf_counter()
    x = grids.solve(side, tol=arguments.tolerance, accel="cg", residuals=residuals)
    end = time.perf_counter()
    return {"setup_ms": 1e3 * (ready - begin), "solve_ms": 1e3 * (end - ready), "iterations": len(residuals) - 1,
            "residual": float(numpy.linalg.norm(side - matrix @ x) / numpy.linalg.norm(side)),
            "complexity": float(grids.operator_complexity())}


def keep_least(row, name, found):
    before = row.setdefault(name, found)
    for key in ("setup_ms", "solve_ms"):
        before[key] = round(min(before[key], found[key]), 1)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--directory", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--preconditioners", default="none,ilu")
    parser.add_argument("names", metavar="NAME", nargs="*")
    arguments = parser.parse_args()
    os.makedirs(arguments.directory, exist_ok=True)
    try:
        import pyamg
    except ImportError as error:
        print("PyAMG is not installed: %s" % error, file=sys.stderr)
        return 77
    kept = {}
    if os.path.exists(arguments.output):
        with open(arguments.output, encoding="utf-8") as file:
            kept = json.load(file)["systems"]
    wrong = []
    for name in arguments.names or SYSTEMS:
        made, shape = SYSTEMS[name]
        row = kept.setdefault(name, {})
        for how in list(row) if arguments.rounds > 0 else []:
            del row[how]
        for _ in range(arguments.rounds):
            keep_least(row, "multigrid", solve_ours(arguments, made, "multigrid", arguments.threads))
            keep_least(row, "one_thread", solve_ours(arguments, made, "multigrid", 1))
            keep_least(row, "pyamg", solve_pyamg(arguments, shape))
        for preconditioner in filter(None, arguments.preconditioners.split(",")):
            keep_least(row, preconditioner, solve_ours(arguments, made, preconditioner, arguments.threads))
        for how, found in row.items():
            wrong += [(name, how)] if not found["residual"] <= arguments.tolerance else []
            print("%-11s %-11s %5d iterations  set-up %9.1f ms  solving %9.1f ms  complexity %s"
                  % (name, how, found["iterations"], found["setup_ms"], found["solve_ms"], found["complexity"]),
                  flush=True)
    with open(arguments.output, "w", encoding="utf-8") as file:
        json.dump({"date": datetime.date.today().isoformat(), "threads": arguments.threads,
                   "processor": processor(), "pyamg": pyamg.__version__, "tolerance": arguments.tolerance,
                   "systems": kept}, file, indent=1)
        file.write("\n")
    for name, how in wrong:
        print("%s, %s: not converged" % (name, how), file=sys.stderr)
    return 1 if wrong else 0


sys.exit(main())

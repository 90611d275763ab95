#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear systems: ours and SciPy's conjugate gradients, BiCGStab and GMRES, in one run.

usage: bench-solvers.py --ours eigenscope-batch --directory FOLDER --output FILE [--threads N] [--rounds N]
                        [--tolerance T] [NAME ...]

`eigenscope-batch simulate matrix` makes each matrix; ours and SciPy (CSR, float64, the same restart) solve A x = A 1 in
turns, --rounds times, and of each the least time of solving alone counts: reading, preparing and checking are not part
of it. SciPy's residual is computed anew as ours is; both have to be below the tolerance, and iterations of the same
method have to be nearly as many. The table says how many times SciPy's time ours takes. FILE gets all of it as JSON."""

import argparse
import datetime
import json
import os
import subprocess
import sys
import time

SYSTEMS = {
    "poisson-2d": ("poisson2d:500x500", ["cg", "bicgstab"]),
    "poisson-3d": ("poisson3d:60x60x60", ["cg", "bicgstab", "gmres"]),
    "random": ("random:n=200000,mean=10,spread=500,dominant=1,seed=1", ["gmres", "bicgstab"]),
}
RESTART = 30
# Of iterations: ours against SciPy's.
WITHIN = 0.15


def solve_ours(arguments, path, solver):
    folder = os.path.join(arguments.directory, "solved-" + solver)
    command = [arguments.ours, "run", "sparse-solve", path, "-q", "-o", folder, "--device", "cpu", "--threads",
               str(arguments.threads), "side=known", "solver=" + solver, "restart=%d" % RESTART, "iterations=20000",
               "tolerance=%g" % arguments.tolerance, "orthogonal=classical"]
    subprocess.run(["rm", "-rf", folder], check=True)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
        values = json.load(file)["values"]
    return {name: values[name] for name in ("seconds", "iterations", "residual", "error", "format", "converged")}


def solve_scipy(matrix, side, solver, tolerance):
    import numpy
    import scipy.sparse.linalg as peer
    count = [0]

    def step(_):
        count[0] += 1
    more = {"restart": RESTART, "callback_type": "pr_norm"} if solver == "gmres" else {}
    begin = time.perf_counter()
    x, _ = getattr(peer, solver)(matrix, side, rtol=tolerance, atol=0, maxiter=20000, callback=step, **more)
    seconds = time.perf_counter() - begin
    residual = float(numpy.linalg.norm(side - matrix @ x) / numpy.linalg.norm(side))
    return {"seconds": seconds, "iterations": count[0], "residual": residual,
            "error": float(numpy.linalg.norm(x - 1) / numpy.sqrt(len(x)))}


def keep_least(rows, name, found):
    row = rows.setdefault(name, found)
    if found["seconds"] < row["seconds"]:
        rows[name] = found


def measure(arguments, name, systems):
    import numpy
    import scipy.io
    made, solvers = SYSTEMS[name]
    path = os.path.join(arguments.directory, name + ".mtx")
    if not os.path.exists(path):
        subprocess.run([arguments.ours, "simulate", "matrix", "name=" + made, "-o", path], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    matrix = scipy.io.mmread(path).tocsr()
    side = matrix @ numpy.ones(matrix.shape[0])
    for solver in solvers:
        row = systems.setdefault("%s %s" % (name, solver), {"made": made, "rows": matrix.shape[0],
                                                            "nonzeros": matrix.nnz})
        keep_least(row, "ours", solve_ours(arguments, path, solver))
        keep_least(row, "scipy", solve_scipy(matrix, side, solver, arguments.tolerance))


def judge(arguments, systems):
    wrong = []
    for name, row in systems.items():
        ours, scipy = row["ours"], row["scipy"]
        row["ratio"] = round(ours["seconds"] / scipy["seconds"], 3)
        apart = abs(ours["iterations"] - scipy["iterations"])
        # BiCGStab's way depends on rounding.
        if ours["residual"] > arguments.tolerance or scipy["residual"] > 2 * arguments.tolerance \
                or (" bicgstab" not in name and apart > max(2, WITHIN * scipy["iterations"])):
            wrong.append(name)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--directory", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("names", metavar="NAME", nargs="*")
    arguments = parser.parse_args()
    os.makedirs(arguments.directory, exist_ok=True)
    try:
        import scipy
    except ImportError as error:
        print("SciPy is not installed: %s" % error, file=sys.stderr)
        return 77
    systems = {}
    for number in range(arguments.rounds):
        print("round %d of %d" % (number + 1, arguments.rounds), file=sys.stderr, flush=True)
        for name in arguments.names or SYSTEMS:
            measure(arguments, name, systems)
    wrong = judge(arguments, systems)
    with open(arguments.output, "w", encoding="utf-8") as file:
        json.dump({"date": datetime.date.today().isoformat(), "threads": arguments.threads, "scipy": scipy.__version__,
                   "tolerance": arguments.tolerance, "systems": systems}, file, indent=1)
    print("%-22s %8s %9s  %6s %6s  %9s %9s  %5s"
          % ("system", "rows", "nonzeros", "ours", "SciPy", "ours ms", "SciPy ms", "ratio"))
    for name, row in systems.items():
        print("%-22s %8d %9d  %6d %6d  %9.1f %9.1f  %5.2f"
              % (name, row["rows"], row["nonzeros"], row["ours"]["iterations"], row["scipy"]["iterations"],
                 1e3 * row["ours"]["seconds"], 1e3 * row["scipy"]["seconds"], row["ratio"]))
    for name in wrong:
        print("%s: they do not agree" % name, file=sys.stderr)
    return 1 if wrong else 0


sys.exit(main())

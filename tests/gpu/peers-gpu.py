#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The analyses of bench-gpu in PyTorch, CuPy and RAPIDS cuML, each at its best, and whole processes beside
eigenscope-batch on the card. What is not installed is named and left out.

usage: peers-gpu.py [--batch COMMAND] [--bench COMMAND] [--output FILE] [--folder DIR] [--scale N] [NAME ...]

Names: float (614 x 1087 x 224 float32 on the card), large (781 x 6955 x 224 uint8 and int16, on the card and from
page-locked memory), reductions (FastICA and MNF of int16), process. Of each kind of work every configuration is
measured (layout of the samples, size of chunks, TF32 off and on, mean taken off before or after) and the fastest is
kept, with the largest relative error of its 27 eigenvalues against float64. --bench runs bench-gpu for ours, before the
peers and after them; --batch is eigenscope-batch for the processes, which alternate with it. Prints a line of JSON a
result, and writes all of them to FILE."""

import argparse
import functools
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../perf/peers")]

from gpu_results import analyses_of  # noqa: E402 (beside this file)
from launch import Launcher  # noqa: E402 (there too where it is packed)

LAUNCHER = Launcher()              # while this process is still small

BANDS, KEPT = 224, 27
SCENES = {"float": (614, 1087), "large": (781, 6955)}
ACCURATE = 1e-3                    # a peer whose eigenvalues are further away does not count as the same work
found = {"results": [], "skipped": {}, "date": time.strftime("%Y-%m-%d", time.gmtime())}
output = None                      # a file with what was found so far: this takes long, and may be ended


def note(**row):
    found["results"].append(row)
    print(json.dumps(row), flush=True)
    if output:
        with open(output + ".part", "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
        os.replace(output + ".part", output)


def skip(peer, why):
    if peer not in found["skipped"]:
        found["skipped"][peer] = str(why)
        print(json.dumps({"skipped": peer, "why": str(why)}), flush=True)


@functools.lru_cache(maxsize=1)
def samples(pixels, kind):
    """bands x pixels: six spectra in shares that vary, and noise."""
    random = numpy.random.default_rng(1)
    spectra = random.random((BANDS, 6), dtype="float32") * 40
    scale = {"uint8": 1, "int16": 40, "float32": 1}[kind]
    made = numpy.empty((BANDS, pixels), kind)
    for start in range(0, pixels, 1 << 18):
        part = made[:, start:start + (1 << 18)]
        shares = random.random((6, part.shape[1]), dtype="float32")
        part[:] = ((spectra @ shares + random.random(part.shape, dtype="float32") * 4) * scale).clip(0, 32767)
    return made


def measure(work, wait, repeats):
    times = []
    for i in range(repeats + 2):
        wait()
        start = time.perf_counter()
        work()
        wait()
        if i >= 2:
            times.append((time.perf_counter() - start) * 1e3)
    return times


def told(times):
    return {"ms": round(statistics.median(times), 3), "low_ms": round(min(times), 3), "high_ms": round(max(times), 3)}


def try_all(peer, version, work, kind, held, wait, configurations, repeats, error_of):
    """Every configuration; each of TF32 off and on is told by its fastest that is accurate, or by the most accurate."""
    tried = []
    for name, config, run in configurations:
        try:
            row = {"configuration": name, "tf32": config.get("tf32", False), "error": error_of(run()),
                   **told(measure(run, wait, repeats))}
        except Exception as error:      # out of memory, not supported: the next one
            row = {"configuration": name, "failed": "%s: %s" % (type(error).__name__, str(error)[:120])}
        tried.append(row)
        print(json.dumps({"tried": peer, "work": work, "type": kind, "samples": held, **row}), flush=True)
    for tf32 in (False, True):
        rows = [row for row in tried if "ms" in row and row["tf32"] == tf32]
        good = [row for row in rows if row["error"] <= ACCURATE]
        if rows:
            best = min(good, key=lambda row: row["ms"]) if good else min(rows, key=lambda row: row["error"])
            note(peer=peer, version=version, work=work, type=kind, samples=held, same=bool(good), **best)


def reference_values(data):
    """The 27 largest eigenvalues in float64, of bands x pixels on the host."""
    import torch

    import peers_gpu_torch as by_torch

    return by_torch.reference(torch.from_numpy(data)).numpy()


def errors_against(values):
    def error_of(result):
        own = numpy.sort(numpy.asarray(result[1], "float64"))[::-1][:KEPT]
        return float(abs(own / values - 1).max())

    return error_of


def compare_torch(data, kind, held, repeats, error_of):
    import torch

    import peers_gpu_torch as by_torch

    try_all("PyTorch", torch.__version__, "pca", kind, held, torch.cuda.synchronize,
            by_torch.configurations(data, kind, held), repeats, error_of)


def compare_cupy(data, repeats, error_of):
    import cupy

    def run_of(held, chunk, shifted):
        def run():
            n = held.shape[1]
            shift = held[:, :4096].mean(1, keepdims=True) if shifted else cupy.zeros((BANDS, 1), "float32")
            products, total = cupy.zeros((BANDS, BANDS)), cupy.zeros(BANDS)
            for start in range(0, n, chunk):
                part = held[:, start:start + chunk]
                part = part - shift if shifted else part
                products += part @ part.T
                total += part.sum(1)
            values, vectors = cupy.linalg.eigh((products - cupy.outer(total, total) / n) / (n - 1))
            kept = vectors[:, -KEPT:].astype("float32")
            mean = (total / n).astype("float32") + shift[:, 0]
            return kept.T @ held - (kept.T @ mean)[:, None], values[-KEPT:].get()
        return run

    def centred():
        centred = bands - bands.mean(1, keepdims=True)
        values, vectors = cupy.linalg.eigh(centred @ centred.T / (bands.shape[1] - 1))
        return vectors[:, -KEPT:].T @ centred, values[-KEPT:].get()

    bands = cupy.asarray(data)
    pixels = cupy.ascontiguousarray(bands.T).T
    configurations = [("bands x pixels, centred in one piece", {}, centred)]
    configurations += [("%s, chunks of %d%s" % (layout, chunk, ", mean off" * shifted), {},
                        run_of(held, chunk, shifted))
                       for layout, held in (("bands x pixels", bands), ("pixels x bands", pixels))
                       for chunk in (1 << 17, 1 << 30) for shifted in (False, True)]
    try_all("CuPy", cupy.__version__, "pca", "float32", "card", cupy.cuda.Device().synchronize, configurations, repeats,
            error_of)


def compare_cuml(data, repeats, error_of):
    import cuml
    import cupy

    held = cupy.asarray(data.T)

    def run():
        made = cuml.PCA(n_components=KEPT, svd_solver="full", output_type="cupy")
        return made.fit_transform(held), cupy.asarray(made.explained_variance_).get()

    try_all("RAPIDS cuML", cuml.__version__, "pca", "float32", "card", cupy.cuda.Device().synchronize,
            [("pixels x bands", {}, run)], repeats, error_of)


def compare_sklearn(data):
    import sklearn
    from sklearn.decomposition import PCA

    pixels = data.T
    times = []
    for _ in range(3):
        start = time.perf_counter()
        PCA(n_components=KEPT, svd_solver="covariance_eigh").fit_transform(pixels)
        times.append((time.perf_counter() - start) * 1e3)
    note(peer="scikit-learn, processor", version=sklearn.__version__, work="pca", type="float32", samples="host",
         **told(times))


def attempt(peer, work, *arguments):
    try:
        work(*arguments)
    except ImportError as error:
        skip(peer, error)
    except Exception as error:          # what is installed and does not run here
        skip(peer, "%s: %s" % (type(error).__name__, str(error)[:200]))


def compare_float(scale):
    data = samples(SCENES["float"][0] * (SCENES["float"][1] // scale), "float32")
    error_of = errors_against(reference_values(data))
    attempt("PyTorch", compare_torch, data, "float32", "card", 15, error_of)
    attempt("PyTorch", compare_torch, data, "float32", "page-locked", 9, error_of)
    attempt("CuPy", compare_cupy, data, 15, error_of)
    attempt("RAPIDS cuML", compare_cuml, data, 9, error_of)
    attempt("scikit-learn", compare_sklearn, data)


def compare_large(scale):
    for kind in ("uint8", "int16"):
        data = samples(SCENES["large"][0] * (SCENES["large"][1] // scale), kind)
        error_of = errors_against(reference_values(data))
        attempt("PyTorch", compare_torch, data, kind, "card", 9, error_of)
        attempt("PyTorch", compare_torch, data, kind, "page-locked", 7, error_of)


def compare_reductions(scale):
    import torch

    import peers_gpu_torch as by_torch

    width, height = SCENES["large"][0], SCENES["large"][1] // scale
    data = torch.from_numpy(samples(width * height, "int16")).cuda()
    for tf32 in (False, True):
        for name, run in (("fastica, 27 components, 30 steps, tanh", lambda: by_torch.fastica(data, KEPT, 30)),
                          ("mnf, 27 components", lambda: by_torch.mnf(data, width, KEPT))):
            torch.backends.cuda.matmul.allow_tf32 = tf32
            times = measure(run, torch.cuda.synchronize, 7)
            note(peer="PyTorch", version=torch.__version__, work=name.split(",")[0], type="int16", samples="card",
                 configuration=name, tf32=tf32, **told(times))


def write_cube(path, data, width, height):
    data.tofile(path)
    with open(path.rsplit(".", 1)[0] + ".hdr", "w", encoding="utf-8") as file:
        file.write("ENVI\nsamples = %d\nlines = %d\nbands = %d\nheader offset = 0\ndata type = 2\ninterleave = bsq\n"
                   "byte order = 0\n" % (width, height, BANDS))


def compare_processes(scale, batch, folder):
    """Ours and theirs by turns: python, its imports, the file in the page cache, the components on the disk."""
    import torch

    for width, height, rounds in ((614, 512, 5), (781, SCENES["large"][1] // scale, 4)):
        path = os.path.join(folder, "cube.img")
        write_cube(path, samples(width * height, "int16"), width, height)
        commands = {"PyTorch, " + how: [sys.executable, os.path.join(HERE, "peers_gpu_torch.py"), how, path,
                                        os.path.join(folder, "peer.f32")] for how in ("pageable", "staged")}
        # What of it is no work: the interpreter, the import and the card's context.
        commands["PyTorch, its start alone"] = [sys.executable, "-c", "import torch; torch.zeros(1).cuda()"]
        ours = os.path.join(folder, "ours")
        if batch:
            commands["Eigenscope"] = [*batch, "run", "pca", path, "-o", ours, "-q", "components=%d" % KEPT,
                                      "--device", "cuda:0"]
        times, peaks = {name: [] for name in commands}, {name: 0 for name in commands}
        for i in range(rounds + 1):
            for name, command in commands.items():
                shutil.rmtree(ours, ignore_errors=True)
                run = LAUNCHER.run(command)
                if run["status"] != 0:
                    skip(name + ", a process", run["said"])
                elif i > 0:
                    times[name].append(run["ms"])
                    peaks[name] = max(peaks[name], run["peak_mb"])
        for name, values in times.items():
            if values:
                note(peer=name, version=torch.__version__ if "PyTorch" in name else "", work="process", type="int16",
                     samples="%d x %d x %d" % (width, height, BANDS), peak_mb=round(peaks[name], 1), **told(values))


def run_ours(bench, names, when):
    """bench-gpu's lines, as they are and as numbers."""
    said = subprocess.run([*bench, "--device", "cuda:0", *names], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False).stdout.decode()
    print(said, flush=True)
    for row in analyses_of(said):
        note(peer="Eigenscope", when=when, work="analysis", **row)


def main():
    global output
    parser = argparse.ArgumentParser(description="Other programs on the card.")
    parser.add_argument("--batch", type=shlex.split, default=[])
    parser.add_argument("--bench", type=shlex.split, default=[])
    parser.add_argument("--output")
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    output = asked.output
    names = asked.names or ["float", "large", "reductions", "process"]
    try:
        import torch

        if not torch.cuda.is_available():
            raise ImportError("PyTorch sees no card")
        found["card"] = torch.cuda.get_device_name(0)
    except ImportError as error:
        skip("PyTorch", error)
        names = [name for name in names if name == "float"]
    wanted = {"float": ["float"], "large": ["resident", "pinned"], "reductions": ["fastica", "mnf"], "process": []}
    own = [each for name in names for each in wanted[name]]
    if asked.bench and own:
        run_ours(asked.bench, own, "before")
    for name, work in (("float", compare_float), ("large", compare_large), ("reductions", compare_reductions)):
        if name in names:
            attempt("PyTorch", work, asked.scale)
    if "process" in names:
        with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
            attempt("PyTorch", compare_processes, asked.scale, asked.batch, folder)
    if asked.bench and own:
        run_ours(asked.bench, own, "after")


if __name__ == "__main__":
    main()

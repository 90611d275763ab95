# SPDX-License-Identifier: GPL-3.0-or-later
"""One peer at one job, in a process of its own: worker.py process|computing JOB PEER CONFIGURATION FILE OUT OPTIONS
[REPEATS]. CONFIGURATION and OPTIONS are JSON.

process: from the file to the result in OUT, as a program would do it that does nothing else; its time is taken from
outside. computing: the samples in memory before, once to warm up, REPEATS times measured; prints JSON. Exits with 77
where the peer is not installed."""

import importlib
import json
import sys

MODULES = {"NumPy": "numpy", "PyTorch": "torch", "scikit-learn": "sklearn", "Spectral Python": "spectral",
           "Acoular": "acoular"}


def computing(job, peer, config, path, out, options, repeats):
    import resource
    import time

    import numpy
    import threadpoolctl

    from cubes import save

    work, planes = job.prepare(peer, config, path, options)
    times, steps = [], None
    for i in range(repeats + 1):
        start = time.perf_counter()
        found = work()
        if i > 0:
            times.append((time.perf_counter() - start) * 1e3)
    if isinstance(found, tuple):
        found, steps = found
    found = planes(found) if planes else found
    numpy.save(out, found) if out.endswith(".npy") else save(found, out)
    result = {"version": importlib.import_module(MODULES[peer]).__version__, "ms": times,
              "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
              "libraries": [{"name": pool["internal_api"], "version": pool["version"], "threads": pool["num_threads"],
                             "kernels": pool.get("architecture")} for pool in threadpoolctl.threadpool_info()]}
    if peer == "PyTorch":
        import torch

        result["libraries"].append({"name": "torch", "version": torch.__version__, "threads": torch.get_num_threads(),
                                    "kernels": torch.backends.cpu.get_cpu_capability()})
    if steps is not None:
        result["steps"] = steps
    print(json.dumps(result))


def main():
    mode, name, peer, config, path, out, options, *repeats = sys.argv[1:]
    config, options = json.loads(config), json.loads(options)
    try:
        job = importlib.import_module(name)
        if mode == "process":
            job.process(peer, config, path, out, options)
        else:
            computing(job, peer, config, path, out, options, int(repeats[0]))
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(77)


if __name__ == "__main__":
    main()

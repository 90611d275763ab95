#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Other programs at the jobs of `eigenscope-batch bench`, each at its best, beside ours in the same run.

usage: bench-peers.py --ours PROGRAM --directory SAMPLES --output FILE [--rounds N] [--threads N] [--keep-choices]
                      [NAME ...]

Of each peer every configuration of peers/*.py is tried once, and the fastest whose result is the same work as ours is
taken: one for whole processes, one for computing alone. Then they alternate with ours: whole process against whole
process (started, imported, file mapped, computed, written), and computing (samples in memory as float32, in the layout
that the peer likes best, warm) against the stages of our result.json without input and output. Medians and extremes.
Ours is compared with the best of each peer; a ratio below 1 says that ours is faster.

What is measured goes to FILE as JSON, job by job, beside what is there already. Peers that are not installed are named
and left out. Runs in the environment that ./dev bench --peers makes, and by Debian's packages where there is none."""

import argparse
import datetime
import functools
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "peers"))

import check  # noqa: E402 (below this folder)
import worker  # noqa: E402
from launch import Launcher  # noqa: E402

JOBS = {
    "pca-bsq": ("pca", {}),
    "pca-16bit": ("pca", {}),
    "pca-float-1500": ("pca", {}),
    "fastica-bsq": ("ica", {"keep": 10}),
    "mnf-bsq": ("mnf", {"keep": 10}),
    "pca-large": ("pca", {"large": True}),
    "fastica-large": ("ica", {"keep": 10, "large": True}),
    "mnf-large": ("mnf", {"keep": 10, "large": True}),
    "far-beams-512": ("beams", {}),
    "far-beams-64": ("beams", {"acoular": True}),
    "mvdr-64-128": ("mvdr", {"snapshots": 8, "blocks": 16, "length": 2048, "first": 25}),
    "mvdr-512-64": ("mvdr", {"snapshots": 8, "blocks": 8, "length": 2048, "first": 25}),
    "mvdr-2048-1": ("mvdr", {"snapshots": 1, "blocks": 1, "length": 8192, "first": 327}),
}
NOT_INSTALLED = 77


class Skipped(Exception):
    pass


def note(text):
    print(text, file=sys.stderr, flush=True)


def environment(threads):
    """The same number of threads for all; libraries find out for themselves which processor this is."""
    found = {name: value for name, value in os.environ.items() if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA"):
        found[name + "_NUM_THREADS"] = str(threads)
    return found


def timed(launcher, command):
    """Wall time and processor time in ms, peak resident size in MB."""
    found = launcher.run(command)
    if found["status"] == NOT_INSTALLED:
        raise Skipped(found["said"])
    if found["status"] != 0:
        raise RuntimeError("%s ended with %d: %s" % (" ".join(command), found["status"], found["said"]))
    return found


def told(values):
    return {"ms": round(statistics.median(values), 3), "low_ms": round(min(values), 3),
            "high_ms": round(max(values), 3), "runs": len(values)}


class Job:
    def __init__(self, name, bench, folder, threads):
        self.name, self.sample, self.folder, self.threads = name, bench["sample"], folder, threads
        self.module, self.options = JOBS[name]
        self.output = os.path.join(folder, "ours")
        self.command = [self.output if word == "%output" else word for word in bench["command"]]
        self.large = self.options.get("large", False)
        self.env = environment(threads)
        # As it finds the environment; and as peers do.
        self.own_launcher, self.peers_launcher = Launcher(), Launcher(self.env)

    def ours(self):
        """Whole process, and the computing in it."""
        shutil.rmtree(self.output, ignore_errors=True)
        found = timed(self.own_launcher, self.command + ["--threads", str(self.threads)])
        with open(os.path.join(self.output, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
        self.values = result["values"]
        found["computing"] = sum(stage["ms"] for stage in result["stages"] if stage["name"] not in ("input", "output"))
        return found

    def worker(self, mode, peer, config, *more):
        result = os.path.join(self.folder, "peer.npy" if self.module in ("beams", "mvdr") else "peer.f32")
        return result, [sys.executable, "-s", os.path.join(HERE, "peers", "worker.py"), mode, self.module, peer,
                        json.dumps(config), self.sample, result, json.dumps(self.options), *more]

    def process(self, peer, config):
        result, command = self.worker("process", peer, config)
        return timed(self.peers_launcher, command), result

    def computing(self, peer, config, repeats):
        result, command = self.worker("computing", peer, config, str(repeats))
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env, check=False)
        if done.returncode == NOT_INSTALLED:
            raise Skipped(done.stderr.decode().strip())
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode()[-600:])
        return json.loads(done.stdout), result

    def check(self, result):
        return check.same_work(self.module, self.output, result, self.sample, self.options)

    def choose(self, peer, configurations):
        """The fastest configuration for whole processes and for computing whose result is right, and what was tried."""
        tried = []
        for config in configurations:
            row = {"configuration": config}
            tried.append(row)
            try:
                runs = [self.process(peer, config) for _ in range(1 if self.large else 2)]
                row["process_ms"] = round(min(run["ms"] for run, _ in runs), 1)
                row["check"] = self.check(runs[0][1])
                if not self.large:
                    found, result = self.computing(peer, config, 2)
                    row["computing_ms"] = round(min(found["ms"]), 1)
                    again = self.check(result)
                    row["check"] = row["check"] if not row["check"]["same"] else again
            except RuntimeError as error:
                row["failed"] = str(error)
            note("    %s %s: %s" % (peer, json.dumps(config), json.dumps({k: v for k, v in row.items()
                                                                         if k != "configuration"})))
        right = [row for row in tried if row.get("check", {}).get("same")]
        choice = {"tried": tried}
        for kind in ("process", "computing"):
            rows = [row for row in right if kind + "_ms" in row]
            choice[kind] = min(rows, key=lambda row, key=kind + "_ms": row[key])["configuration"] if rows else None
        return choice


def processes(runs):
    return {**told([run["ms"] for run in runs]), "cpu_ms": round(statistics.median(run["cpu_ms"] for run in runs), 1),
            "peak_mb": round(max(run["peak_mb"] for run in runs), 1)}


def measure(job, choices, rounds):
    """Ours before each peer, round by round."""
    own, peers = [], {peer: {"process": [], "computing": []} for peer in choices}
    for _ in range(rounds):
        for peer, choice in choices.items():
            own.append(job.ours())
            peers[peer]["process"].append(job.process(peer, choice["process"])[0])
            if choice.get("computing") is not None:
                found, _ = job.computing(peer, choice["computing"], 3)
                peers[peer]["computing"].append(found)
    own = own or [job.ours() for _ in range(rounds)]
    ours = {"process": processes(own), "computing": told([run["computing"] for run in own])}
    if "steps" in job.values:
        ours["steps"] = job.values["steps"]
    found = {"ours": ours, "peers": {peer: compared(ours, choices[peer], **peers[peer]) for peer in choices}}
    computing = [row["computing"]["ms"] for row in found["peers"].values() if "computing" in row]
    return {**found, "best_computing_ms": min(computing)} if computing else found


def compared(ours, choice, process, computing):
    row = {"version": choice["version"], "process": processes(process), "configuration": choice["process"],
           "check": next(row["check"] for row in choice["tried"] if row["configuration"] == choice["process"])}
    row["ratio"] = round(ours["process"]["ms"] / row["process"]["ms"], 3)
    if computing:
        row["computing"] = {**told([ms for found in computing for ms in found["ms"]]),
                            "peak_mb": round(max(found["peak_mb"] for found in computing), 1)}
        row |= {key: computing[-1][key] for key in ("libraries", "steps") if key in computing[-1]}
        row["computing_configuration"] = choice["computing"]
        row["computing_ratio"] = round(ours["computing"]["ms"] / row["computing"]["ms"], 3)
    return row


def run_job(job, kept, rounds, keep):
    """keep(choices): what is kept of a run that is stopped."""
    module = importlib.import_module(job.module)
    job.ours()
    with open(job.sample, "rb") as file:
        while file.read(1 << 24):
            pass
    choices, skipped = {}, {}
    for peer, configurations in module.configurations(job.options).items():
        if peer in kept:
            choices[peer] = kept[peer]
            continue
        try:
            choice = job.choose(peer, configurations)
            if choice["process"] is None:
                skipped[peer] = "no configuration did the same work"
                note("    %s: %s" % (peer, skipped[peer]))
                continue
            choice["version"] = version_of(peer)
            choices[peer] = choice
            keep(choices)
        except Skipped as error:
            skipped[peer] = "not installed: %s" % error
            note("    %s is not installed: %s" % (peer, error))
    return {**measure(job, choices, rounds), "skipped": skipped}


def version_of(peer):
    return importlib.import_module(worker.MODULES[peer]).__version__


def show(name, found):
    ours = found["ours"]
    note("%-16s ours %29.0f ms, computing %6.0f ms, %5.0f MB" % (name, ours["process"]["ms"], ours["computing"]["ms"],
                                                              ours["process"]["peak_mb"]))
    for peer, row in found["peers"].items():
        computing = (", computing %6.0f ms, %5.0f MB, ratios %.2f and %.2f"
                     % (row["computing"]["ms"], row["process"]["peak_mb"], row["ratio"], row["computing_ratio"])
                     if "computing" in row else "%30.0f MB, ratio %.2f" % (row["process"]["peak_mb"], row["ratio"]))
        note("  %-24s %23.0f ms%s" % (peer + " " + str(row["version"]), row["process"]["ms"], computing))


def main():
    parser = argparse.ArgumentParser(description="Other programs beside eigenscope-batch.")
    parser.add_argument("--ours", required=True)
    parser.add_argument("--directory", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep-choices", action="store_true", help="those of the last run (FILE.choices)")
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    for name in asked.names:
        if name not in JOBS:
            parser.error("there is no job %s; there are %s" % (name, ", ".join(JOBS)))
    os.environ.setdefault("OMP_NUM_THREADS", str(asked.threads))
    names = asked.names or list(JOBS)
    listed = json.loads(subprocess.run([os.path.abspath(asked.ours), "bench", "--commands", "--directory",
                                        os.path.abspath(asked.directory), *names], stdout=subprocess.PIPE,
                                       check=True).stdout)
    benches = {bench["name"]: bench for bench in listed}
    found = {"jobs": {}}
    if os.path.exists(asked.output):
        with open(asked.output, encoding="utf-8") as file:
            found = json.load(file)
    chosen_path = asked.output + ".choices"
    chosen = {}
    if os.path.exists(chosen_path):
        with open(chosen_path, encoding="utf-8") as file:
            chosen = json.load(file)

    def write_choices(name, choices):
        chosen[name] = choices
        with open(chosen_path, "w", encoding="utf-8") as file:
            json.dump(chosen, file, indent=1)

    for name in names:
        with tempfile.TemporaryDirectory(dir=asked.directory) as folder:
            note(name)
            job = Job(name, benches[name], folder, asked.threads)
            kept = chosen.get(name, {}) if asked.keep_choices else {}
            found["jobs"][name] = run_job(job, kept, asked.rounds, functools.partial(write_choices, name))
            found |= {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
                      "threads": asked.threads, "python": sys.version.split()[0]}
            show(name, found["jobs"][name])
        with open(asked.output + ".new", "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
        os.replace(asked.output + ".new", asked.output)


if __name__ == "__main__":
    main()

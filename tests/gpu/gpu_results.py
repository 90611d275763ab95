# SPDX-License-Identifier: GPL-3.0-or-later
"""What the programs of tests/gpu and tests/perf print on a card, as numbers.

usage: gpu_results.py GPU-RESULTS OUTPUT: the folder of tests/gpu/run.sh as one small JSON file, with the card and the
date. Whole lines are taken; a line of another form is left out."""

import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../perf")]

import measured  # noqa: E402 (there; beside this file where it is packed)

NUMBER = r"([0-9]+(?:\.[0-9]+)?)"
ANALYSIS = re.compile(r"^(.{46}.*?) +" + NUMBER + r" ms(?:   bytes +" + NUMBER + r" ms, x " + NUMBER + r")?"
                      r"   \((\d+) components, fastest " + NUMBER + r" ms; (.*)\)$")
HEADING = re.compile(r"^(\w+ \d+ x \d+ x \d+)$")
HOTSPOT = re.compile(r"^(.{18}) (.{14,20}?) +" + NUMBER + r" ms(?: +" + NUMBER + r" GB/s)?(?:   floor +" + NUMBER
                     + r" ms, x " + NUMBER + r")?$")


def analyses_of(text):
    """bench-gpu's whole analyses: name, ms, fastest_ms, bytes_ms and its ratio where there are some, steps."""
    rows, scene, analysis = [], None, None
    for line in text.split("\n"):
        heading = HEADING.match(line)
        if heading:
            scene = heading.group(1)
        found = ANALYSIS.match(line)
        if not found:
            continue
        name, ms, bytes_ms, ratio, components, fastest, steps = found.groups()
        on_card = name.strip() == "the same, the cube on the card"
        if on_card:
            name = analysis + ", on the card" if analysis else name
        else:
            analysis = name.strip()
        row = {"name": (scene + ": " if scene and re.match(r"(pca|mnf|fastica) ", analysis) else "") + name.strip(),
               "ms": float(ms), "fastest_ms": float(fastest), "components": int(components),
               "steps": {step.rsplit(" ", 1)[0]: float(step.rsplit(" ", 1)[1])
                         for step in steps.split(", ") if " " in step}}
        if any(each["name"] == row["name"] for each in rows):
            row["name"] += ", %s components" % components
        if ratio:
            row |= {"bytes_ms": float(bytes_ms), "ratio": float(ratio)}
        rows.append(row)
    return rows


def scalars_of(text):
    """Lines of bench-gpu that are a name and one number: the link, and quotients of one card and all."""
    found = {}
    for line in text.split("\n"):
        one = re.match(r"^(upload of .*?|one card / all cards, .*?) +" + NUMBER + r"(?: GB/s)?$", line)
        if one:
            found[one.group(1)] = float(one.group(2))
    return found


def hotspots_of(text):
    rows = []
    for line in text.split("\n"):
        found = HOTSPOT.match(line)
        if found:
            name, detail, ms, rate, floor, ratio = found.groups()
            row = {"name": (name.strip() + " " + detail.strip()).strip(), "ms": float(ms)}
            row |= {key: float(value) for key, value in (("gb_per_s", rate), ("floor_ms", floor), ("ratio", ratio))
                    if value}
            rows.append(row)
    return rows


def beams_of(text):
    """bench-gpu's beams from page-locked memory and from files, and perf-arrays' on the card."""
    rows, elements = [], None
    for line in text.split("\n"):
        found = re.match(r"^(in a file, )? *(\d+) elements: +" + NUMBER + r" ms a block, +" + NUMBER
                         + r" x real time   link " + NUMBER + r" ms, x " + NUMBER, line)
        if found:
            in_file, n, ms, factor, link, ratio = found.groups()
            rows.append({"name": "%s, %s" % (n, "in a file" if in_file else "page-locked"), "ms": float(ms),
                         "real_time": float(factor), "bytes_ms": float(link), "ratio": float(ratio)})
        heading = re.match(r"^(\d+) elements(, uneven)?, (.*?), prepared", line)
        if heading:
            elements = heading.group(1) + (heading.group(2) or "") + (
                "" if heading.group(3).startswith("frame") else ", " + heading.group(3))
        found = re.match(r"^  (.{34}) +" + NUMBER + r" ms +" + NUMBER + r" x real time", line)
        if found and elements:
            row = {"name": "%s, %s" % (elements, found.group(1).strip()), "ms": float(found.group(2)),
                   "real_time": float(found.group(3))}
            once = re.search(r"bytes once " + NUMBER + r" ms, x " + NUMBER, line)
            if once:
                row |= {"bytes_ms": float(once.group(1)), "ratio": float(once.group(2))}
            rate = re.search(r"\(" + NUMBER + r" TFLOP/s\)", line)
            if rate:
                row["tflops"] = float(rate.group(1))
            rows.append(row)
    return rows


def adaptive_of(text):
    rows = []
    for line in text.split("\n"):
        found = re.match(r"^  (\w+) +(\d+) elements, K +(\d+), (columns|matrix) *: +" + NUMBER + r" ms, +" + NUMBER
                         + r" x real time of 1 s   adding " + NUMBER + ", matrix " + NUMBER + ", factor " + NUMBER
                         + ", spectrum " + NUMBER + " ms", line)
        if found:
            method, elements, k, form = found.groups()[:4]
            numbers = [float(value) for value in found.groups()[4:]]
            keys = ("ms", "real_time", "adding_ms", "matrix_ms", "factor_ms", "spectrum_ms")
            rows.append({"name": "%s, %s elements, K %s, %s" % (method, elements, k, form), **dict(zip(keys, numbers))})
    return rows


def jacobi_of(text):
    rows = []
    for line in text.split("\n"):
        found = re.match(r"^  (jacobi|eigen) +(\d+) elements, K +(\d+), +(\d+) bins: eigenpairs +" + NUMBER
                         + r" ms a bin, all +" + NUMBER + " ms a bin", line)
        if found:
            method, elements, k, bins, pairs, whole = found.groups()
            row = {"name": "%s, %s elements, K %s, %s bins" % (method, elements, k, bins), "ms": float(pairs),
                   "all_ms": float(whole)}
            sweeps = re.search(r"   (\d+) sweeps", line)
            if sweeps:
                row["sweeps"] = int(sweeps.group(1))
            rows.append(row)
    return rows


def processes_told(text):
    """run_processes' lines: a cube's size, the device, the time of a process; what writing as much takes alone."""
    rows, size = [], ""
    for line in text.split("\n"):
        found = re.match(r"^PCA of (\d+) x (\d+) x (\d+) int16, (\d+) components, (\S+(?: into memory)?) +" + NUMBER
                         + " ms   x", line)
        if found:
            width, height, bands, components, device, ms = found.groups()
            size = "%.1f GB" % (int(width) * int(height) * int(bands) * 2e-9)
            rows.append({"name": "pca %s, %s" % (size, device), "components": int(components), "ms": float(ms)})
        found = re.match(r"^The components of (\d+) x (\d+) alone, to that disk +" + NUMBER + " ms$", line)
        if found:
            rows.append({"name": "writing alone of %s" % size, "ms": float(found.group(3))})
    return rows


def first_of(text):
    """What the first analysis costs beside those after it."""
    start = re.search(r"^start of the device +" + NUMBER + " ms$", text, re.M)
    first = re.search(r"^first analysis after it, from ordinary memory +" + NUMBER + " ms, second +" + NUMBER, text,
                      re.M)
    if not start or not first:
        return {}
    return {"start_ms": float(start.group(1)), "first_ms": float(first.group(1)), "second_ms": float(first.group(2))}


def read(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def gather(folder):
    """All that is in a folder of results. JSON of steps (peers.json, processes.json ...) goes in as it is."""
    report, analyses = read(folder, "report.txt"), read(folder, "analyses.log")
    card = re.search(r"^(NVIDIA [^,\n]+), .*?, ([0-9.]+)$", report, re.M)
    date = re.search(r"^\d{4}-\d\d-\d\d$", report, re.M)
    found = {"machine": {"card": card.group(1), "driver": card.group(2)} if card else {},
             "date": date.group(0) if date else None, **scalars_of(analyses),
             "analyses": analyses_of(analyses), "hotspots": hotspots_of(read(folder, "hotspots.log")),
             "beams": beams_of(analyses) + beams_of(read(folder, "arrays.log")), "adaptive": adaptive_of(analyses),
             "jacobi": jacobi_of(analyses), "processes": processes_told(read(folder, "processes.log")),
             "first": first_of(read(folder, "first.log"))}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json") and name != "gpu.json":
            found[name[:-5]] = json.loads(read(folder, name))
    if "peers" in found:
        found["peers"] = with_peers(found["peers"])
    return found


def best_of(peers):
    """The fastest accurate one of each kind of work: "pca float32 card", "pca float32 card, TF32", "..., CuPy"."""
    best = {}
    for row in peers["results"]:
        if row["peer"] == "Eigenscope" or row["work"] == "process" or not row.get("same", True):
            continue
        name = "%s %s %s%s%s" % (row["work"], row["type"], row["samples"], ", TF32" if row.get("tf32") else "",
                                 "" if row["peer"] == "PyTorch" else ", " + row["peer"])
        if name not in best or row["ms"] < best[name]["ms"]:
            best[name] = row
    return best


def ours_of(peers):
    """Ours in the run of the peers, the middle of before and after."""
    times = {}
    for row in peers["results"]:
        if row["peer"] == "Eigenscope" and row["work"] == "analysis":
            times.setdefault(row["name"], []).append(row["ms"])
    return {name: {"ms": round(sum(values) / len(values), 3), "runs": len(values)} for name, values in times.items()}


def processes_of(peers):
    """Whole processes by scene: ours, the faster way of PyTorch, and what of that is its start."""
    scenes = {}
    for row in peers["results"]:
        if row["work"] == "process":
            scene = scenes.setdefault(row["samples"], {})
            name = "PyTorch" if row["peer"] in ("PyTorch, pageable", "PyTorch, staged") else row["peer"]
            if name not in scene or row["ms"] < scene[name]["ms"]:
                scene[name] = row
    return scenes


def comparisons(peers):
    """(what, ours, the peer's row) of all that both have done."""
    own, found = ours_of(peers), []
    for name, row in best_of(peers).items():
        scene = "614 x 1087 x 224" if row["type"] == "float32" else "781 x 6955 x 224"
        where = {"card": "on the card", "page-locked": "page-locked"}.get(row["samples"])
        ours = own.get("%s %s %s" % (row["type"], scene, where)) if row["work"] == "pca" else None
        if ours:
            found.append((name, ours["ms"], row))
    for scene, rows in processes_of(peers).items():
        if "Eigenscope" in rows and "PyTorch" in rows:
            found.append(("process of " + scene, rows["Eigenscope"]["ms"], rows["PyTorch"]))
    return found


def behind(peers):
    found = ["%s, %s (%.2f)" % (name, row["peer"], own / row["ms"]) for name, own, row in comparisons(peers)
             if own >= row["ms"]]
    return ("Ours is not ahead at: " + "; ".join(found) + ".") if found else "Ours is ahead in all of them."


def with_peers(peers):
    return {**peers, "best": best_of(peers), "ours": ours_of(peers), "processes": processes_of(peers),
            "behind": behind(peers)}


def main(folder, path):
    found = gather(folder)
    with open(path, "w", encoding="utf-8") as output:
        json.dump(found, output, indent=1)
        output.write("\n")
    goals = [name for name in (os.path.join(HERE, "goals.txt"), os.path.join(HERE, "../perf/goals.txt"))
             if os.path.exists(name)]
    measured.show_goals({"gpu": found}, goals[0])
    if "peers" in found:
        print("\n" + found["peers"]["behind"])


if __name__ == "__main__":
    main(*sys.argv[1:])

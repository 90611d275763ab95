# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of measurements by name, and as pages and terminals show them.

An expression is a path through JSON, its steps apart by ">" ("bench>benches>pca-bsq>median_ms"; of a list the row with
that name), or two of them with " ÷ " between. The first step names the source: bench (eigenscope-batch bench --json),
peers (bench-peers.py), gpu (gpu_results.py), cards (on_cards.py), processes (bench-processes.py), sparse
(bench-sparse.py), sparse-gpu (bench-sparse on a card), embeddings (bench-embeddings.py), multigrid
(bench-multigrid.py), multigrid-gpu (sparse-solve's result.json, on a card); SOURCES
tells their files in docs/measured."""

import json
import os
import re

SOURCES = {"bench": "cpu-bench.json", "peers": "cpu-peers.json", "gpu": "gpu.json", "cards": "cards.json",
           "processes": "processes.json", "sparse": "sparse.json",
           "sparse-gpu": "sparse-gpu.json", "embeddings": "embeddings.json", "multigrid": "multigrid.json",
           "multigrid-gpu": "multigrid-gpu.json"}


def source_of(found):
    """Which source the content of a file is."""
    members = {"benches": "bench", "jobs": "peers", "analyses": "gpu", "cards": "cards", "scaling": "processes",
               "cg": "sparse-gpu", "matrices": "sparse", "methods": "embeddings",
               "pyamg": "multigrid", "systems": "multigrid-gpu"}
    return next((name for member, name in members.items() if member in found), None)


def load(paths):
    sources = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        name = source_of(found)
        if name is None:
            raise ValueError(path + " is no file of measurements")
        sources[name] = found
    return sources


def load_folder(folder):
    return load([os.path.join(folder, name) for name in SOURCES.values() if os.path.exists(os.path.join(folder, name))])


def path_value(path, sources):
    value = sources
    for step in path.strip().split(">"):
        if isinstance(value, list):
            value = next((row for row in value if isinstance(row, dict) and row.get("name") == step), None)
        else:
            value = value.get(step) if isinstance(value, dict) else None
        if value is None:
            raise KeyError(path.strip())
    return value


def value_of(expression, sources):
    """A number or a text. KeyError: it was not measured."""
    first, *second = expression.split(" ÷ ")
    value = path_value(first, sources)
    return value / path_value(second[0], sources) if second else value


def number(value, form=""):
    """Three digits or so; a form of Python's, such as .2f, where another is wanted."""
    if isinstance(value, str):
        return re.sub(r"^([0-9.]+)\+.*", r"\1", value)
    if form:
        return format(value, form)
    size = abs(value)
    return format(value, ".2f" if size < 1 else ".1f" if size < 100 and value != int(value) else ",.0f")


def milliseconds(row):
    return number(row["ms"]) + " ms"


def megabytes(row):
    return number(row["peak_mb"], ".0f") + " MB"


def title(peer, row):
    return "%s %s" % (peer, re.sub(r"\+.*", "", row["version"] or "")) if row.get("version") else peer


def compare_rows(name, what, sources):
    """One job: ours, and every peer; cells of (what, program, process, peak, ratio, computing, ratio)."""
    job = path_value("peers>jobs>" + name, sources)
    ours = job["ours"]
    steps = " (%d steps)" % ours["steps"] if isinstance(ours.get("steps"), int) else ""
    rows = [(what + steps, "Eigenscope", milliseconds(ours["process"]), megabytes(ours["process"]), "",
             milliseconds(ours["computing"]), "")]
    for peer, row in sorted(job["peers"].items(), key=lambda item: item[1]["process"]["ms"]):
        computing = row.get("computing")
        steps = " (%d steps)" % row["steps"] if "steps" in row else ""
        rows.append(("", title(peer, row) + steps, milliseconds(row["process"]), megabytes(row["process"]),
                     number(row["ratio"], ".2f"), milliseconds(computing) if computing else "",
                     number(row["computing_ratio"], ".2f") if computing else ""))
    return rows


def best_row(name, what, sources, page):
    """Ours as a whole process, beside the fastest other program: a row of README's."""
    job, machine = path_value("peers>jobs>" + name, sources), path_value("bench>machine", sources)
    peer, row = min(job["peers"].items(), key=lambda item: item[1]["process"]["ms"])
    return "| %s | [%s](%s); %s: %s | %s, %d threads |" % (what, milliseconds(job["ours"]["process"]), page,
                                                           title(peer, row), milliseconds(row["process"]),
                                                           machine["processor"], machine["threads"])


def behind(sources):
    """What ours is not ahead of: sentences, or one that says that there is nothing."""
    found = []
    for name, job in path_value("peers>jobs", sources).items():
        for peer, row in job["peers"].items():
            for key, what in (("ratio", "as a whole process"), ("computing_ratio", "at computing alone")):
                if row.get(key, 0) >= 1:
                    found.append("%s, %s %s (%.2f)" % (name, title(peer, row), what, row[key]))
    return "Ours is not ahead at: %s." % "; ".join(found) if found else "Ours is ahead in all of them."


def goals(sources, path):
    """(what, value, goal, reached) of what was measured. A line of the file: EXPRESSION <= GOAL UNIT: WHAT."""
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = re.match(r"^(.*?) <= ([0-9.]+)([^:]*): (.*)$", line.strip())
            if not found or line.startswith("#"):
                continue
            expression, goal, unit, what = found.groups()
            try:
                value = value_of(expression, sources)
            except KeyError:
                continue
            rows.append((what, number(value) + unit, goal + unit, value <= float(goal)))
    return rows


def show_goals(sources, path):
    rows = goals(sources, path)
    if rows:
        print("\n%-72s %12s %12s" % ("asked", "found", "goal"))
    for what, value, goal, reached in rows:
        print("%-72s %12s %12s  %s" % (what, value, goal, "" if reached else "missed"))

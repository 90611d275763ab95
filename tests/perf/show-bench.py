#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was measured as a table, with what is asked and whether ours is ahead.

usage: show-bench.py FILE...           bench.json, peers.json, gpu.json, processes.json; any of them
       show-bench.py --keep ROOT FILE...  puts them into docs/measured, from where check-tables.py --write makes the
                                          tables of the pages"""

import json
import os
import sys

import measured

HERE = os.path.dirname(os.path.abspath(__file__))


def show_own(found):
    print("%s, %s (%s)\n" % (found["machine"]["processor"], found["machine"]["detail"], found["date"]))
    print("%-20s %12s %10s %10s %10s" % ("", "median ms", "lowest", "highest", "peak MB"))
    for row in found["benches"]:
        if "median_ms" in row:
            print("%-20s %12.1f %10.1f %10.1f %10.0f" % (row["name"], row["median_ms"], row["fastest_ms"],
                                                         row.get("slowest_ms", 0), row["peak_mb"]))
        else:
            for key, value in row.items():
                if key.endswith("_ms"):
                    print("%-20s %12.1f" % (row["name"] + " " + key[:-3], value))


def show_peers(found):
    print("\nBeside other programs, %d threads (%s); a ratio below 1: ours is faster\n"
          % (found["threads"], found["date"]))
    form = "%-16s %-28s %12s %8s %7s %12s %7s"
    print(form % ("", "", "process", "peak", "ratio", "computing", "ratio"))
    for name, job in found["jobs"].items():
        for cells in measured.compare_rows(name, name, {"peers": found}):
            print(form % (cells[0][:16], *cells[1:]))
        for peer, why in job["skipped"].items():
            print(form % ("", peer, "left out: " + why[:60], "", "", "", ""))
    print("\n" + measured.behind({"peers": found}))


def show_processes(found):
    print("%s, %s (%s): processes of one thread, medians of %d\n" % (found["machine"]["processor"],
                                                                    found["machine"]["detail"], found["date"],
                                                                    found["repeats"]))
    form = "%-40s %9s %12s %12s %9s %9s %11s"
    print(form % ("", "processes", "total ms", "program ms", "speed-up", "waiting", "planned ms"))
    for job in found["scaling"]:
        for i, run in enumerate(job["runs"]):
            print(form % (job["what"] if i == 0 else "", run["processes"], "%.1f" % run["total_ms"],
                          "%.1f" % run["whole_ms"], "%.2f" % run["speed_up"], "%.0f %%" % run["waiting_percent"],
                          "%.1f" % run["planned_ms"] if "planned_ms" in run else ""))
        if "ceiling" in job:
            print("  the slower of two unrelated processes at once: %.1f ms, of one alone %.1f ms: at most %.2f times"
                  % (job["apart_two_ms"], job["apart_one_ms"], job["ceiling"]))
        if not job["same_bytes"]:
            print("  four processes wrote other bytes than one")
    if "alone" in found:
        alone = found["alone"]
        print("\n%s, one process: %.1f ms, started by mpirun %.1f ms (%+.1f %%); the whole program %.0f and %.0f ms"
              % (alone["what"], alone["plain_ms"], alone["launched_ms"], alone["overhead_percent"],
                 alone["plain_whole_ms"], alone["launched_whole_ms"]))


def main(arguments):
    if arguments[:1] == ["--keep"]:
        folder = os.path.join(arguments[1], "docs", "measured")
        for name, found in measured.load(arguments[2:]).items():
            with open(os.path.join(folder, measured.SOURCES[name]), "w", encoding="utf-8") as file:
                json.dump(found, file, indent=1, ensure_ascii=False)
                file.write("\n")
        return
    sources = measured.load(arguments)
    if "bench" in sources:
        show_own(sources["bench"])
    if "peers" in sources:
        show_peers(sources["peers"])
    if "processes" in sources:
        show_processes(sources["processes"])
    measured.show_goals(sources, os.path.join(HERE, "goals.txt"))


if __name__ == "__main__":
    main(sys.argv[1:])

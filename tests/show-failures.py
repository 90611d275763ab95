#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""show-failures.py FOLDER...: what the failed programs of the last `meson test` in these build folders said, once more
and last, so that it is where a reader of a long log looks first."""

import json
import pathlib
import sys

LINES = 80


def last_lines(text):
    lines = text.rstrip().splitlines()
    return "\n".join((["..."] if len(lines) > LINES else []) + lines[-LINES:])


def show(folder):
    log = pathlib.Path(folder, "meson-logs", "testlog.json")
    if not log.exists():
        return
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        test = json.loads(line)
        if test["result"] in ("OK", "SKIP", "EXPECTEDFAIL"):
            continue
        print(f"\n==== {folder}: {test['name']}: {test['result']}, status {test.get('returncode')}")
        for stream in ("stdout", "stderr"):
            if test.get(stream):
                print(f"---- {stream}\n{last_lines(test[stream])}")


for build in sys.argv[1:]:
    show(build)

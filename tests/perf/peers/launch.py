# SPDX-License-Identifier: GPL-3.0-or-later
"""Times processes. What the kernel calls the peak of a process counts its parent before the exec, so that they are
started by a small process of their own: this file, run without site packages. It reads one JSON list a line, a command,
and answers with a line of JSON: ms, cpu_ms, peak_mb, status, and the end of what was said on standard error."""

import json
import os
import subprocess
import sys
import time


class Launcher:
    def __init__(self, env=None):
        self.process = subprocess.Popen([sys.executable, "-S", "-E", os.path.abspath(__file__)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env=env)

    def run(self, command):
        """Wall time in ms, of a process without output, and the rest."""
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def timed(command):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = (time.perf_counter() - start) * 1e3
    process.returncode = os.waitstatus_to_exitcode(status)
    return {"ms": elapsed, "cpu_ms": (usage.ru_utime + usage.ru_stime) * 1e3, "peak_mb": usage.ru_maxrss / 1024,
            "status": process.returncode, "said": said.decode(errors="replace").strip()[-600:]}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(timed(json.loads(line))), flush=True)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The laboratory's figures of copies beside those of link-copies, in one run: away by at most 2 %, both ways at once,
where the two engines share a link that neither rules, by 5.
usage: compare_copies.py PROFILE.json COPIES.json"""

import json
import sys

LARGEST = 268435456
PAIRS = (("to", "lab-link", "to", "Page-locked", LARGEST, 0.02),
         ("from", "lab-link", "from", "Page-locked", LARGEST, 0.02),
         ("both", "lab-link", "both", "Page-locked", LARGEST, 0.05),
         ("within", "lab-bandwidth", "copy", "The library's own copy", None, 0.02))


def find(profile, experiment, group, name, size):
    for figure in profile["experiments"].get(experiment, {}).get("figures", []):
        if figure["group"] == group and figure["name"] == name and figure.get("x") == size:
            return figure["value"]
    return None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        copies = json.load(file)
    failed = 0
    for way, experiment, group, name, size, most in PAIRS:
        value = find(profile, experiment, group, name, size)
        if value is None:
            print(f"{way:8} the profile has no such figure")
            failed += 1
            continue
        away = value / copies[way] - 1
        failed += abs(away) > most
        print(f"{way:8} laboratory {value / 1e9:8.2f} GB/s, copies {copies[way] / 1e9:8.2f} GB/s, {100 * away:+.1f} %"
              + (f": more than {100 * most:.0f} %" if abs(away) > most else ""))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

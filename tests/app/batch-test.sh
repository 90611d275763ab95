#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of eigenscope-batch begin with: a folder of their own, TAP, and the program with its status and its
# sentence. To be sourced, with the program in `batch`; they end with "1..$n".
work=$(mktemp -d)
# A child that is killed before it has become the program runs this as well.
trap '[ "$BASHPID" -ne $$ ] || rm -rf "$work"' EXIT
cd "$work" || exit 1
n=0
failed=0

ok() {                         # ok DESCRIPTION STATUS-OF-CHECK; shows the files err and out where it failed
  n=$((n + 1))
  if [ "$2" -eq 0 ]; then echo "ok $n - $1"; return; fi
  echo "not ok $n - $1"
  failed=$((failed + 1))
  tail -qn 40 err out 2> /dev/null | sed 's/^/# /'
}

run() { "$batch" "$@" > out 2> err; }
expect() {                     # expect STATUS DESCRIPTION ARGUMENTS...
  local status=$1 description=$2; shift 2
  run "$@"; local got=$?
  [ $got -eq "$status" ]; ok "$description: exit status $status (was $got)" $?
}
sentence() {                   # one line on stderr that contains every word given
  [ "$(grep -c '^eigenscope-batch: ' err)" -eq 1 ] || return 1
  local word; for word in "$@"; do grep -qF -- "$word" err || return 1; done
}

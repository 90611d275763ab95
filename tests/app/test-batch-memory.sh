#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Where memory is short: done, or status 4 with one sentence, within some seconds; never an abort, never a hang.
# usage: test-batch-memory.sh EIGENSCOPE-BATCH          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE= ES_CUDA_MODULE=none
batch=$(realpath "$1")
. "$(dirname "$0")/batch-test.sh"

"$batch" simulate cube -o scene.img width=120 height=100 bands=100 no-data=0 > out 2> err || exit 1
"$batch" simulate recording -o rec.w64 array=line:16,1.5 rate=8000 seconds=12 > out 2> err || exit 1
operations=("pca scene.img" "pca scene.img eigensolver=jacobi" "mnf scene.img" "fastica scene.img components=5"
            "cbf rec.w64" "mvdr rec.w64" "lofar rec.w64 bearing=60" "demon rec.w64 bearing=60"
            "demon rec.w64 element=3 segment=11.9" "localize rec.w64 azimuth=-180:180:20 elevation=0 refine=0")

# ---- a limited address space; sanitizers need all of it
if (ulimit -v 4000000; "$batch" --version > out 2> err); then
  # Too few for the libraries themselves, or for the buffers of their threads: whatever comes of it, it comes soon.
  status=0
  for megabytes in 60 100 150 180 200 250 300; do
    (ulimit -v $((megabytes * 1024)); exec timeout -s KILL 20 "$batch" --version > out 2> err)
    [ $? -ne 137 ] || { echo "# $megabytes MB: no end"; status=1; }
  done
  ok "no start waits for memory that never comes" $status
  for megabytes in 350 500 620 700 850; do
    status=0
    for operation in "${operations[@]}"; do
      # shellcheck disable=SC2086
      (ulimit -v $((megabytes * 1024)); exec timeout -s KILL 60 "$batch" run $operation -q > out 2> err)
      got=$?
      { [ $got -eq 0 ] || { [ $got -eq 4 ] && [ "$(grep -c '^eigenscope-batch: ' err)" -eq 1 ]; }; } \
        || { echo "# $operation: status $got"; sed 's/^/# /' err; status=1; }
    done
    ok "addresses of $megabytes MB" $status
  done
  # Threads that go into OpenBLAS together, where one of them has just enough: each limit once.
  status=0
  for megabytes in $(seq 540 8 800); do
    (ulimit -v $((megabytes * 1024)); exec timeout -s KILL 60 "$batch" run mvdr rec.w64 -q > out 2> err)
    got=$?
    [ $got -eq 0 ] || [ $got -eq 4 ] || { echo "# $megabytes MB: status $got"; status=1; }
  done
  ok "adaptive beams in what is just enough" $status
  (ulimit -v 4000000; "$batch" run pca scene.img -q > out 2> err)
  ok "addresses of 4 GB are enough" $?

  # ---- what --memory allows: peaks of the whole process, beside one that computes nothing
  "$batch" simulate recording -o long.w64 array=line:4,1.5 rate=96000 seconds=20 > out 2> err || exit 1
  peak() {                     # peak ARGUMENT...: megabytes, as the kernel counts them; its exit status
    python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=open("out", "w"), stderr=open("err", "w"))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
sys.exit(status)' "$batch" "$@"
  }
  base=$(peak info long.w64)
  allowed=16
  for operation in "${operations[@]}" "demon long.w64 segment=0.5" "demon long.w64 segment=19.9" "lofar long.w64" \
                   "lofar long.w64 transform=4096 average=400" "lofar long.w64 transform=1048576" "cbf long.w64" \
                   "localize long.w64 azimuth=-180:180:20 elevation=0 refine=0 band=100:4000" \
                   "localize long.w64 x=-50:50:0.5 y=-50:50:0.5 z=-9:9:0.5 band=100:110"; do
    # shellcheck disable=SC2086
    megabytes=$(peak run $operation -q --memory ${allowed}M)
    got=$?
    echo "# $operation: status $got, $megabytes MB over $base"
    # What the libraries take for themselves is in it; beams are 41 MB over a base that is 13 or 14.
    [ "$megabytes" -le $((base + allowed + 28)) ] \
      && { [ $got -eq 0 ] || { [ $got -eq 4 ] && grep -q 'expected .* to be allowed' err; }; }
    ok "$operation in $allowed MB" $?
  done

  # A cube of 96 MB: what looks at it twice, what is computed of a result, and the other verbs.
  "$batch" simulate cube -o large.img width=800 height=600 bands=100 no-data=0 > out 2> err || exit 1
  base=$(peak info large.img)
  "$batch" run pca large.img components=20 -o components -q > out 2> err || exit 1
  for verb in "run pca large.img -q" "run mnf large.img denoise=yes -q" "run fastica large.img components=5 -q" \
              "run reconstruct large.img result=components/result.json output=cube -q -o again" \
              "compare pca large.img --repeats 1" "compare mnf large.img --repeats 1"; do
    # shellcheck disable=SC2086
    megabytes=$(peak $verb --memory ${allowed}M)
    got=$?
    echo "# $verb: status $got, $megabytes MB over $base"
    [ $got -eq 0 ] && [ "$megabytes" -le $((base + allowed + 24)) ]; ok "$verb in $allowed MB" $?
  done
  # Written as it is made, whatever its length.
  for verb in "simulate cube -o larger.img width=2000 height=800 bands=100" \
              "simulate recording -o larger.w64 array=line:16,1.5 rate=48000 seconds=60"; do
    # shellcheck disable=SC2086
    megabytes=$(peak $verb)
    got=$?
    echo "# $verb: status $got, $megabytes MB over $base"
    [ $got -eq 0 ] && [ "$megabytes" -le $((base + 40)) ]; ok "$verb in 40 MB" $?
  done
fi

echo "1..$n"
[ $failed -eq 0 ]

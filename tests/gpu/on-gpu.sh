#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The part of tests/gpu/run.sh that runs on the machine with the card: from a build folder (ES_GPU_PROGRAMS), or from a
# pack (rt.tar.xz beside this file). Steps by name: conformance sanitizer hotspots sparse lab profiles ladders
# processes analyses peers uploaders window; without names all of them.

set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
results=${ES_GPU_RESULTS:-$PWD/gpu-results}
device=${ES_GPU_DEVICE:-cuda:0}
mkdir -p "$results"
sample=$results/sample.img

if [[ -n ${ES_GPU_PROGRAMS:-} ]]; then
  at () { find "$ES_GPU_PROGRAMS"/{app,tests,kernels} -name "$1" -type f | head -1; }
  on_gpu () { "$@"; }
  on_mesa () { LIBGL_ALWAYS_SOFTWARE=1 __GLX_VENDOR_LIBRARY_NAME=mesa "$@"; }
  with_rt () { "$@"; }
else
  mkdir -p /tmp/rt
  tar xJf "$here/rt.tar.xz" -C /tmp/rt
  cp -r "$here/icons" /tmp/rt/share/
  set +u; . /tmp/rt/env.sh; set -u
  at () { echo "$RT/bin/$1"; }
fi
peers=$here/peers-gpu.py
ES_CUDA_MODULE=$(at libeigenscope-cuda.so)
export ES_CUDA_MODULE

failed=0
# step NAME TITLE COMMAND...: runs it, keeps its output, says how it went.
step ()
{
  local name=$1 title=$2 status=0
  shift 2
  printf '\n== %s\n' "$title"
  "$@" > "$results/$name.log" 2>&1 || status=$?
  case $status in
    0) ;;
    77) echo "skipped" ;;
    *) echo "FAILED with status $status"; failed=1 ;;
  esac
}
show () { tail -n "${2:-60}" "$results/$1.log"; }

# sanitize_group TOOL GROUP: one group of hot spots under one tool, in a process of its own. What initcheck may report
# of the CUDA libraries, and why, is in sanitizer/ beside this file.
sanitize_group ()
{
  local tool=$1 group=$2 log=$results/sanitizer-$1-${2//\//-}.log status=0 attempt more=()
  [[ $tool != initcheck ]] || more=(--suppressions "$here/sanitizer/initcheck.xml")
  for attempt in 1 2 3; do
    status=0
    on_gpu timeout "${ES_GPU_SANITIZER_LIMIT:-1800}" compute-sanitizer --error-exitcode 9 --tool "$tool" "${more[@]}" \
      "$(at test-conformance)" --module "$ES_CUDA_MODULE" --quick --only "$group" > "$log" 2>&1 || status=$?
    # Where several threads start kernels at once the tool loses one now and then and says so; that is no finding.
    grep -q 'Internal Sanitizer Error' "$log" || break
  done
  printf '%s %s %s %s\n' "$tool" "$group" "$status" "$(grep -E 'SUMMARY' "$log" | tail -1)"
  return $status
}

run_conformance ()
{
  step conformance "Conformance of every hot spot" on_gpu "$(at test-conformance)" --module "$ES_CUDA_MODULE"
  grep -cE '^ok' "$results/conformance.log" | sed 's/$/ passed/'
  grep -E '^not ok|ERROR' "$results/conformance.log" | head
}

run_sanitizer ()
{
  local tool group at_once=$(( $(nproc) > 4 ? $(nproc) - 2 : 2 ))
  local groups=$results/groups

  printf '\n== compute-sanitizer, every group by itself, %s at once\n' "$at_once"
  on_gpu "$(at test-conformance)" --module "$ES_CUDA_MODULE" -l 2> /dev/null | sed -n 's,^/conformance/,,p' > "$groups"
  : > "$results/sanitizer.log"
  for tool in ${ES_GPU_SANITIZERS:-memcheck initcheck racecheck}; do
    while read -r group; do
      while [[ $(jobs -rp | wc -l) -ge $at_once ]]; do wait -n || true; done
      sanitize_group "$tool" "$group" >> "$results/sanitizer.log" < /dev/null &
    done < "$groups"
  done
  wait
  awk '$3 == 0 { good[$1]++; next } { print "FAILED", $0; bad = 1 }
       END { for (tool in good) print tool, good[tool] " groups clean"; exit bad }' "$results/sanitizer.log" || failed=1
}

run_hotspots ()
{
  step hotspots "Hot spots, 781 x 6955 x 224" on_gpu "$(at perf-hotspots)" --module "$ES_CUDA_MODULE" 781 6955 224 27
  show hotspots
  step arrays "Beams, published settings" on_gpu "$(at perf-arrays)" --module "$ES_CUDA_MODULE" 512 4096 16384 32768
  show arrays
}

# Ten matrices in every format beside the library's, conjugate gradients and GMRES; words of ES_GPU_SPARSE: its options.
run_sparse ()
{
  step sparse "Sparse matrices" on_gpu "$(at bench-sparse)" --device "$device" --output "$results/sparse.json" \
    ${ES_GPU_SPARSE:-}
  show sparse 300
}

# Every probe of the laboratory over its sweep, and as an object; how long it takes to leave off; few of each kind under
# memcheck.
run_lab ()
{
  local module probe=$(at lab-probe) index=${device#cuda:}

  module=$(at libeigenscope-lab-cuda.so)
  [[ $index =~ ^[0-9]+$ ]] || index=0
  step lab "Laboratory" on_gpu "$probe" "$module" "$index"
  show lab 3
  step lab-json "Laboratory, as an object" on_gpu "$probe" "$module" "$index" --json --output "$results/lab.json"
  step lab-cancel "Laboratory, cancelled" on_gpu "$probe" "$module" "$index" --cancel 2
  show lab-cancel 2
  if command -v compute-sanitizer > /dev/null; then
    step lab-memcheck "Laboratory under memcheck" on_gpu timeout "${ES_GPU_SANITIZER_LIMIT:-1800}" compute-sanitizer \
      --error-exitcode 9 --tool memcheck "$probe" "$module" "$index" --quick --repeats 1
    grep SUMMARY "$results/lab-memcheck.log"
  fi
}

# The profiles of the card and of the processor, as anybody makes them, and how long that takes; the card's copies
# beside those of a program that knows nothing of the laboratory.
run_profiles ()
{
  local name index=${device#cuda:}
  # What is kept of them is not for the steps that follow.
  local -x ES_LAB_MODULE ES_LAB_CUDA_MODULE XDG_DATA_HOME=$results/data

  [[ $index =~ ^[0-9]+$ ]] || index=0
  ES_LAB_MODULE=$(at libeigenscope-lab.so)
  ES_LAB_CUDA_MODULE=$(at libeigenscope-lab-cuda.so)
  for name in "cuda:$index" cpu; do
    SECONDS=0
    step "profile-${name%:*}" "Profile of $name" on_gpu "$(at eigenscope-batch)" characterise "$name" \
      -o "$results/profile-${name%:*}.json"
    echo "$SECONDS s"
    grep -E '^eigenscope-batch: ' "$results/profile-${name%:*}.log"
  done
  step link-copies "Copies without the laboratory" on_gpu "$(at link-copies)" "$index"
  step copies "Copies beside the laboratory's" python3 -B "$here/compare_copies.py" "$results/profile-cuda.json" \
    "$results/link-copies.log"
  show copies
}

# Every rung of the ladders against the definition, also under memcheck; the ladders as anybody climbs them, to be kept.
run_ladders ()
{
  local name module production=$ES_CUDA_MODULE index=${device#cuda:}
  local -x ES_LADDER_MODULE ES_LADDER_CUDA_MODULE ES_LAB_MODULE ES_LAB_CUDA_MODULE

  [[ $index =~ ^[0-9]+$ ]] || index=0
  ES_LADDER_MODULE=$(at libeigenscope-ladder.so)
  module=$(at libeigenscope-ladder-cuda.so)
  ES_LADDER_CUDA_MODULE=$module
  ES_LAB_MODULE=$(at libeigenscope-lab.so)
  ES_LAB_CUDA_MODULE=$(at libeigenscope-lab-cuda.so)
  step ladders "Rungs against the definition" on_gpu "$(at test-ladder)" "$module" --production "$production" \
    --device "$index"
  show ladders
  step ladders-climb "Ladders" on_gpu "$(at test-ladder)" "$module" --production "$production" --device "$index" --climb
  show ladders-climb
  if command -v compute-sanitizer > /dev/null; then
    step ladders-memcheck "Rungs under memcheck" on_gpu timeout "${ES_GPU_SANITIZER_LIMIT:-1800}" compute-sanitizer \
      --error-exitcode 9 --tool memcheck "$(at test-ladder)" "$module" --production "$production" --device "$index" \
      --quick
    grep SUMMARY "$results/ladders-memcheck.log"
    step ladders-racecheck "Rungs under racecheck" on_gpu timeout "${ES_GPU_SANITIZER_LIMIT:-1800}" compute-sanitizer \
      --error-exitcode 9 --tool racecheck "$(at test-ladder)" "$module" --production "$production" --device "$index" \
      --quick
    grep SUMMARY "$results/ladders-racecheck.log"
  fi
  for name in covariance transform ica noise fourier beams jacobi azimuth; do
    SECONDS=0
    step "ladder-$name" "Ladder $name" on_gpu "$(at eigenscope-batch)" run "ladder-$name" "cuda:$index" \
      -o "$results/ladders/$name"
    echo "$SECONDS s"
  done
}

run_analyses ()
{
  step analyses "Whole analyses" on_gpu "$(at bench-gpu)" --device "$device" ${ES_GPU_BENCH:-}
  show analyses
}

# A command line as a word: what on_gpu does to the program, without the shell's function.
as_command ()
{
  if [[ -n ${RT_LIBS:-} ]]; then
    printf 'env LD_LIBRARY_PATH=%q %q' "$RT_LIBS" "$1"
  else
    printf '%q' "$1"
  fi
}

# The median of ES_GPU_REPEATS whole processes, in milliseconds, each into a folder that is not there yet.
# time_process FOLDER ARGUMENTS...
time_process ()
{
  local folder=$1 times=$results/times k start end
  shift
  : > "$times"
  for (( k = 0; k < ${ES_GPU_REPEATS:-5}; k++ )); do
    rm -rf "$folder/out"
    start=$(date +%s%N)
    on_gpu "$(at eigenscope-batch)" run "$@" -q -o "$folder/out" || return 1
    end=$(date +%s%N)
    echo $(( (end - start) / 10000 )) >> "$times"
  done
  rm -rf "$folder/out"
  sort -n "$times" | awk '{ t[NR] = $1 } END { printf "%.1f", t[int ((NR + 1) / 2)] / 100 }'
}

# The median of ES_GPU_REPEATS writes of BYTES to a disk, each until it is durable, in milliseconds: what no process can
# beat that leaves as much there. time_disk FOLDER BYTES
time_disk ()
{
  local folder=$1 bytes=$2 times=$results/times k start end
  : > "$times"
  for (( k = 0; k < ${ES_GPU_REPEATS:-5}; k++ )); do
    start=$(date +%s%N)
    dd if=/dev/zero of="$folder/plain" bs=4M count="$bytes" iflag=count_bytes conv=fsync status=none || return 1
    end=$(date +%s%N)
    echo $(( (end - start) / 10000 )) >> "$times"
    rm -f "$folder/plain"
  done
  sort -n "$times" | awk '{ t[NR] = $1 } END { printf "%.1f", t[int ((NR + 1) / 2)] / 100 }'
}

# From a file in the system's cache to the components on the disk, with everything that a process does once; once more
# to where there is no disk.
measure_processes ()
{
  local folder disk name size components device to ms cpu devices
  local options=(bands=224 seed=7)

  folder=$(mktemp -d -p "${ES_GPU_SCRATCH:-/dev/shm}")
  disk=$(mktemp -d -p "${ES_GPU_DISK:-$results}")
  devices=$(on_gpu "$(at eigenscope-batch)" devices | grep -oE '^ *cuda:(0|all)' | tr -d ' ')
  for name in small large; do
    case $name in
      small) size='781 x 6955'; components=27 ;;
      large) size='1562 x 13910'; components=3 ;;
    esac
    if ! on_gpu "$(at eigenscope-batch)" simulate cube -o "$folder/$name.img" width="${size% x *}" \
           height="${size#* x }" "${options[@]}" > /dev/null; then
      echo "$size x 224: no room for it in $folder"
      continue
    fi
    cpu=0
    for device in cpu $devices auto ${devices:+memory}; do
      to=$disk
      if [[ $device == memory ]]; then
        to=$folder
        device='cuda:0 into memory'
      fi
      ms=$(time_process "$to" pca "$folder/$name.img" components=$components --device "${device%% *}") || return 1
      [[ $device != cpu ]] || cpu=$ms
      awk -v ms="$ms" -v cpu="$cpu" -v what="PCA of $size x 224 int16, $components components, $device" \
        'BEGIN { printf "%-64s %9.1f ms   x %.2f of the CPU\n", what, ms, ms / cpu }'
    done
    rm -f "$folder/$name"*
    ms=$(time_disk "$disk" $(( ${size% x *} * ${size#* x } * components * 4 ))) || return 1
    printf '%-64s %9.1f ms\n' "The components of $size alone, to that disk" "$ms"
  done
  rm -rf "$folder" "$disk"
}

run_processes ()
{
  step processes "Whole processes" measure_processes
  show processes
  step first "The first analysis and those after it" on_gpu "$(at bench-gpu)" --device "$device" first
  grep -E 'start of the device|first analysis' "$results/first.log"
}

run_peers ()
{
  step peers "The same in other programs" python3 -B "$peers" --batch "$(as_command "$(at eigenscope-batch)")" \
    --bench "$(as_command "$(at bench-gpu)")" --output "$results/peers.json" ${ES_GPU_PEERS:-}
  grep -vE '^\{"(tried|peer": "Eigenscope)' "$results/peers.log"
}

run_uploaders ()
{
  start_display
  step uploaders "Uploaders" on_gpu "$(at test-render-uploaders)"
  tail -3 "$results/uploaders.log"
  step uploaders-perf "Uploaders, 2048 x 2048" on_gpu "$(at test-render-uploaders)" --perf
  show uploaders-perf 20
  step uploaders-mesa "Uploaders where OpenGL is Mesa's" on_mesa "$(at test-render-uploaders)"
  tail -3 "$results/uploaders-mesa.log"
}

take_picture () { [[ ! -e /tmp/Xvfb_screen0 ]] || cp /tmp/Xvfb_screen0 "$results/$1.xwd"; }

display_started=no
start_display ()
{
  [[ $display_started == no ]] || return 0
  display_started=yes
  if declare -F start_x > /dev/null; then
    start_x :97 1280x800x24
  fi
  [[ -n ${DISPLAY:-} ]] || echo "no display: set DISPLAY to one that the card drives"
}

run_window ()
{
  start_display
  on_gpu "$(at eigenscope-batch)" simulate cube -o "$sample" width=960 height=720 bands=210 seed=7 > /dev/null
  G_MESSAGES_DEBUG=EsRender on_gpu timeout 60 "$(at eigenscope)" "$sample" --device "$device" --run pca \
    > "$results/window.log" 2>&1 &
  local window=$!
  sleep 10
  take_picture window
  # The threshold's handle in the eigenvalues, for a window of 1280 x 800: a little more of the variance.
  local pointer
  pointer=$(command -v xdotool || echo "${RT:-}/bin/xdotool")
  if [[ -x $pointer ]]; then
    with_rt "$pointer" mousemove 1224 382 mousedown 1
    sleep 0.2
    with_rt "$pointer" mousemove 1224 381
    sleep 0.2
    with_rt "$pointer" mousemove 1224 380
    sleep 0.2
    with_rt "$pointer" mouseup 1 mousemove 640 720
    sleep 2
    take_picture window-dragged
  fi
  # The program itself: what is in the background is the shell that waits for it.
  pkill -P "$window" 2> /dev/null
  kill "$window" 2> /dev/null
  wait "$window" 2> /dev/null
  rm -f "$results"/sample.*
}

{
  nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader 2> /dev/null || echo "no nvidia-smi"
  date -u +%F
  on_gpu "$(at eigenscope-batch)" devices
  for name in ${*:-conformance sanitizer hotspots sparse lab profiles ladders processes analyses peers \
               uploaders window}; do
    "run_$name"
  done
  # What was measured as one small file, and what is asked of it.
  printf '\n== Goals\n'
  python3 -B "$here/gpu_results.py" "$results" "$results/gpu.json"
  echo
  [[ $failed -eq 0 ]] && echo "all done" || echo "something failed"
} 2>&1 | tee "$results/report.txt"
grep -q '^all done' "$results/report.txt"

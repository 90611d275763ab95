#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Everything that needs a GPU: conformance of every hot spot with the CPU's, compute-sanitizer, the hot spots and whole
# analyses measured, sparse products and solvers beside a library, every probe of the laboratory, profiles of the card
# and the processor, every rung of the ladders, the three uploaders compared and measured, and the real window on a
# sample.
#
#   tests/gpu/run.sh             builds and runs on this machine
#   tests/gpu/run.sh HOST        builds here, packs, copies to HOST with ssh, runs there, brings the results back
#   tests/gpu/run.sh pack DIR    builds and packs into DIR; there: copy DIR to a machine with a card and run DIR/run.sh
#   tests/gpu/run.sh cards [HOST | pack DIR]    the same of on-cards.sh: several cards of one host, by processes; packed
#                                are the headless tool and the Open MPI of this machine
#
# Results: gpu-results/ (report.txt, logs, screenshots, gpu.json for tests/perf/show-bench.py). The machine with the
# card needs its driver and the CUDA Toolkit's libraries; compute-sanitizer, and PyTorch, CuPy or RAPIDS cuML for the
# peers, where they are to be used.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${ES_GPU_BUILD:-$root/build-gpu}
tools=${ES_GPU_TOOLS:-$root/../shared/gpu}

fail () { printf 'run.sh: %s\n' "$*" >&2; exit 1; }

make_build ()
{
  [[ -f $build/build.ninja ]] || meson setup "$build" "$root" --buildtype=release -Dcuda=enabled \
    -Dgpu_arch="${ES_GPU_ARCH:-all}"
  ninja -C "$build"
}

programs=(app/eigenscope app/eigenscope-batch app/eigenscope-rehearse
          kernels/cuda/libeigenscope-cuda.so kernels/lab/cuda/libeigenscope-lab-cuda.so tests/gpu/lab-probe
          kernels/lab/cpu/libeigenscope-lab.so tests/gpu/link-copies
          kernels/ladder/cuda/libeigenscope-ladder-cuda.so kernels/ladder/cpu/libeigenscope-ladder.so
          tests/kernels/ladder/test-ladder
          compute/libraries/libeigenscope-{eigen,gdal,hdf5,matio,sndfile}.so
          tests/kernels/conformance/test-conformance tests/perf/perf-hotspots tests/perf/perf-arrays
          tests/gpu/bench-gpu tests/gpu/bench-sparse tests/render/test-render-uploaders tests/libeigenscope-test-ui.so)

make_pack ()
{
  local folder=$1

  [[ -x $tools/pack.sh ]] || fail "the packer $tools/pack.sh is missing; set ES_GPU_TOOLS to its folder"
  make_build
  mkdir -p "$folder"
  cp "$here/on-gpu.sh" "$folder/run.sh"
  cp "$here"/{peers-gpu.py,peers_gpu_torch.py,gpu_results.py,compare_copies.py} \
    "$root"/tests/perf/{measured.py,goals.txt} \
    "$root/tests/perf/peers/launch.py" "$folder/"
  cp -r "$here/sanitizer" "$folder/"
  # The application's own icons as GTK draws them without a loader for SVG.
  local icons=$folder/icons/hicolor/16x16/actions
  mkdir -p "$icons"
  cp /usr/share/icons/hicolor/index.theme "$folder/icons/hicolor/"
  find "$root/resources/icons" /usr/share/icons/Adwaita -name 'es-*.svg' -o -name 'edit-undo-symbolic.svg' | sort -u \
    | while read -r icon; do gtk4-encode-symbolic-svg "$icon" 16x16 -o "$icons"; done
  SCHEMAS="$root/data/org.eigenscope.Eigenscope.gschema.xml" \
    "$tools/pack.sh" "$folder/rt.tar.xz" "${programs[@]/#/$build/}"
}

make_pack_of_cards ()
{
  local folder=$1 mpi

  [[ -x $tools/pack.sh ]] || fail "the packer $tools/pack.sh is missing; set ES_GPU_TOOLS to its folder"
  [[ -n ${ES_GPU_BUILT:-} ]] || make_build
  mkdir -p "$folder"
  cp "$here/on-cards.sh" "$folder/run.sh"
  cp "$here/on_cards.py" "$folder/"
  NOX=1 "$tools/pack.sh" "$folder/rt.tar.xz" "$build/app/eigenscope-batch" \
    "$build/kernels/cuda/libeigenscope-cuda.so" "$build/compute/ranks/libeigenscope-mpi.so" \
    "$build"/compute/libraries/libeigenscope-{gdal,hdf5}.so
  # The launcher's libraries come from the other archive.
  mpi=$(mktemp -d)
  bash "$here/pack-mpi.sh" "$mpi"
  tar -C "$mpi" --owner=0 --group=0 -cf - . | xz -T0 > "$folder/mpi.tar.xz"
  rm -rf "$mpi"
}

on_host ()                     # on_host PACKER HOST
{
  local folder remote

  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  "$1" "$folder"
  remote=$(ssh "$2" mktemp -d)
  scp -q -r "$folder"/* "$2:$remote/"
  ssh "$2" "cd '$remote' && bash ./run.sh" || true
  scp -q -r "$2:$remote/gpu-results" .
  ssh "$2" "rm -rf '$remote'"
}

run_cards ()                   # run_cards [HOST | pack DIR]
{
  case ${1:-} in
    '')
      make_build
      ES_GPU_PROGRAMS=$build exec bash "$here/on-cards.sh" ;;
    pack) make_pack_of_cards "${2:?run.sh cards pack DIR}" ;;
    *) on_host make_pack_of_cards "$1" ;;
  esac
}

case ${1:-} in
  '')
    make_build
    ES_GPU_PROGRAMS=$build exec bash "$here/on-gpu.sh" ;;
  cards)
    run_cards "${@:2}" ;;
  pack)
    make_pack "${2:?run.sh pack DIR}" ;;
  -*)
    sed -n '3,18s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 2 ;;
  *)
    on_host make_pack "$1" ;;
esac

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The part of tests/gpu/run.sh that runs on a machine with several cards: the same analyses by one process and by
# several that have a card each (on_cards.py beside this file), from a build folder (ES_GPU_PROGRAMS) with the Open MPI
# of this machine, or from a pack (rt.tar.xz and mpi.tar.xz beside this file). Steps by name: pca streamed mvdr fastica
# killed visible; without names all of them. ES_CARDS_SECONDS: until when (460); results: gpu-results/.

set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
results=${ES_GPU_RESULTS:-$PWD/gpu-results}
mkdir -p "$results"
begin=$(date +%s)

if [[ -n ${ES_GPU_PROGRAMS:-} ]]; then
  program=$(find "$ES_GPU_PROGRAMS/app" -name eigenscope-batch -type f)
  libraries=
  ES_RANKS_LAUNCH="mpirun -q --oversubscribe --bind-to none -n"
  ES_CUDA_MODULE=${ES_CUDA_MODULE:-$(find "$ES_GPU_PROGRAMS/kernels" -name libeigenscope-cuda.so)}
  ES_MPI_MODULE=$(find "$ES_GPU_PROGRAMS/compute" -name libeigenscope-mpi.so)
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
else
  root=/tmp/rt
  mkdir -p $root
  for archive in "$here"/rt*.tar.xz; do tar xJf "$archive" -C $root; done
  mkdir -p $root/mpi
  tar xJf "$here/mpi.tar.xz" -C $root/mpi
  set +u; . $root/env.sh; . $root/mpi/env.sh; set -u
  program=$root/bin/eigenscope-batch
  for setting in "${ranks_env[@]}"; do
    # The machine's own tools keep their libraries.
    case $setting in LD_LIBRARY_PATH=*) libraries=${setting#*=};; PATH=*) ;; *) export "${setting?}";; esac
  done
  # A process that a launcher starts by another name than its own finds its libraries, too.
  launch=$root/launch
  printf '#!/bin/sh\nexport PATH=%q LD_LIBRARY_PATH=%q\nexec %q -q --oversubscribe --bind-to none -n "$@"\n' \
    "$ES_RANKS_ROOT/bin:$PATH" "$libraries" "$ES_RANKS_ROOT/bin/orterun" > $launch
  chmod +x $launch
  ES_RANKS_LAUNCH=$launch
  ES_CUDA_MODULE=${ES_CUDA_MODULE:-$root/bin/libeigenscope-cuda.so}
  ES_MPI_MODULE=$root/bin/libeigenscope-mpi.so
fi
export ES_RANKS_LAUNCH ES_CUDA_MODULE ES_MPI_MODULE

# NCCL: the system's, or the one that came with PyTorch.
if [[ -z ${ES_NCCL_LIBRARY:-} ]] && ! ldconfig -p | grep -q 'libnccl\.so\.2'; then
  ES_NCCL_LIBRARY=$(python3 - <<'P'
import glob, importlib.util, os, site, sys
places = site.getsitepackages() + [site.getusersitepackages()] + sys.path
found = [path for place in places for path in glob.glob(os.path.join(place, 'nvidia', 'nccl', 'lib', 'libnccl.so.2'))]
print(found[0] if found else '')
P
)
  [[ -z $ES_NCCL_LIBRARY ]] || export ES_NCCL_LIBRARY
fi
# Multicast over the links is not to be had on every machine.
export NCCL_NVLS_ENABLE=${NCCL_NVLS_ENABLE:-0}

wrapper=$results/program
printf '#!/bin/sh\n%sexec %q "$@"\n' "${libraries:+export LD_LIBRARY_PATH=$(printf '%q' "$libraries")
}" "$program" > "$wrapper"
chmod +x "$wrapper"

{
  date -u +%FT%TZ
  nvidia-smi --query-gpu=index,name,memory.total,driver_version,pcie.link.gen.current,pcie.link.width.current \
    --format=csv,noheader 2> /dev/null || echo "no nvidia-smi"
  nvidia-smi topo -m 2> /dev/null
  lscpu | grep -E 'Model name|^CPU\(s\)|Socket|NUMA|Thread'
  free -g | head -2
  df -h /dev/shm /tmp | tail -2
  echo "NCCL: ${ES_NCCL_LIBRARY:-as the system has it}"
  timeout 60 "$wrapper" devices
  echo "four processes that do nothing:"
  for _ in 1 2 3; do
    start=$(date +%s%N)
    timeout 60 $ES_RANKS_LAUNCH 4 "$wrapper" run pca nothing.img > "$results/nothing.log" 2>&1
    echo "  status $? after $(( ($(date +%s%N) - start) / 1000000 )) ms: $(grep -m1 eigenscope "$results/nothing.log")"
  done
} 2>&1 | tee "$results/machine.txt"

cards=$(timeout 60 "$wrapper" devices | grep -cE '^ *cuda:[0-9]')
steps=${*:-pca streamed mvdr fastica killed visible}
left=$(( ${ES_CARDS_SECONDS:-460} - ($(date +%s) - begin) ))
python3 -B "$here/on_cards.py" "$wrapper" --results "$results" ${ES_GPU_SCRATCH:+--scratch "$ES_GPU_SCRATCH"} \
  --cards "${ES_CARDS:-$cards}" --seconds "$left" --repeats "${ES_GPU_REPEATS:-5}" --scale "${ES_CARDS_SCALE:-1}" \
  --steps "${steps// /,}" 2>&1 | tee "$results/cards.txt"
rm -f "$wrapper" "$results/nothing.log"

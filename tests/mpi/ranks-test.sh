#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of several processes begin with: the launcher, and cubes of 8 and 16 bits and of float32. To be sourced
# by scripts with the arguments EIGENSCOPE-BATCH MPIRUN PYTHON MPI-MODULE, which are $batch, $mpirun, $python then; they
# end with "1..$n".
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1"); mpirun=$2; python=$3
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
ES_MPI_MODULE=$(realpath "$4"); export ES_MPI_MODULE
export ES_CUDA_MODULE=none OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
. "$here/../app/batch-test.sh"

launch() {                     # launch ARGUMENTS OF MPIRUN...: what the launcher itself says is left out
  timeout 120 "$mpirun" -q "$@" > out 2> all; local status=$?
  grep '^eigenscope-batch: ' all > err
  return $status
}
together() { local processes=$1; shift; launch -n "$processes" "$batch" "$@"; }      # together N ARGUMENTS...
expect_together() {            # expect_together STATUS DESCRIPTION N ARGUMENTS...
  local status=$1 description=$2; shift 2
  together "$@"; local got=$?
  [ $got -eq "$status" ]; ok "$description: exit status $status (was $got)" $?
}
pair() {                       # pair ARGUMENTS -- ARGUMENTS: of the first, and of the second process
  local first=()
  while [ "$1" != -- ]; do first+=("$1"); shift; done
  shift
  launch -n 1 "$batch" "${first[@]}" : -n 1 "$batch" "$@"
}
need_a_launcher() {            # ends the test where none starts processes here
  together 2 run pca nothing.img; [ $? -eq 3 ] || { echo "1..0 # SKIP the launcher starts no processes here"; exit 0; }
}

# cubes WIDTH HEIGHT BANDS: cube.img of 16 bits, byte.img and float.img of the same
cubes() {
  "$batch" simulate cube -o cube.img width="$1" height="$2" bands="$3" seed=3 > out 2> err || exit 1
  "$python" - <<'PY'
import array, re
samples = array.array('h')
samples.frombytes(open('cube.img', 'rb').read())
header = open('cube.hdr').read()
for name, code, values in (('byte', 1, array.array('B', (min(max(v // 40, 0), 255) for v in samples))),
                           ('float', 4, array.array('f', (v * 0.37 for v in samples)))):
    open(name + '.img', 'wb').write(values.tobytes())
    open(name + '.hdr', 'w').write(re.sub(r'data type *= *\d+', f'data type = {code}', header))
PY
}

# same DESCRIPTION "N..." ARGUMENTS...: what so many processes write is what one does; with tiles so small that all have
# several
same() {
  local description=$1 numbers=$2 folders= processes; shift 2
  rm -rf one many-*
  expect 0 "$description" run "$1" --memory 4M --device cpu --threads 1 -o one "${@:2}"
  for processes in $numbers; do
    together "$processes" run "$1" --memory 4M --device cpu --threads 1 -o many-"$processes" "${@:2}" \
      || { ok "$description by $processes" 1; return; }
    folders="$folders many-$processes"
  done
  # shellcheck disable=SC2086
  "$python" "$here/compare-results.py" one $folders > out
  ok "$description has the same bytes for $numbers processes" $?
}

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The example jobs of queues: they are shell, and do with what a queue would give them what they say.
# usage: test-jobs.sh EIGENSCOPE-BATCH JOBS [MPIRUN MPI-MODULE]          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1"); jobs=$(realpath "$2"); mpirun=${3:-}
export ES_CUDA_MODULE=none
[ -z "$mpirun" ] || { ES_MPI_MODULE=$(realpath "$4"); export ES_MPI_MODULE; }
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
. "$(dirname "$0")/batch-test.sh"

for job in "$jobs"/*; do
  bash -n "$job" 2> err && [ "$(head -n 1 "$job")" = '#!/bin/bash' ] && grep -qE '^#(SBATCH|PBS) ' "$job"
  ok "$(basename "$job") is a job in bash" $?
done

"$batch" simulate cube -o cube.img width=60 height=40 bands=20 > out 2> err || exit 1
"$batch" simulate cube -o other.img width=60 height=40 bands=20 seed=2 > out 2> err || exit 1
"$batch" run pca cube.img -o one components=3 --device cpu > out 2> err || exit 1

# ---- what a queue would give them: it notes what it was asked for, and runs the rest by two processes where it can
timeout 60 "${mpirun:-false}" -q -n 2 "$batch" info cube.img > out 2> err && together=$mpirun || together=
mkdir programs
ln -s "$batch" programs/eigenscope-batch
cat > programs/srun <<'END'
#!/bin/bash
echo "$(basename "$0") $*" >> asked
[ ! -e status ] || exit "$(cat status)"
while [ $# -gt 0 ] && [ "$1" != eigenscope-batch ]; do shift; done
[ -n "$TOGETHER" ] && exec "$TOGETHER" -q --oversubscribe --bind-to none -n 2 "$@"
exec "$@"
END
cp programs/srun programs/mpirun
printf '#!/bin/bash\necho "scontrol $*" >> asked\n' > programs/scontrol
chmod +x programs/*
export TOGETHER=$together SLURM_CPUS_PER_TASK=1 SLURM_JOB_ID=17
submit() {                     # submit JOB ARGUMENTS...: what was asked of the queue is in the file asked
  rm -f asked
  PATH=$work/programs:$PATH bash "$jobs/$1" "${@:2}" > out 2> err
}
same() { cmp one/components.img "$1/components.img" > out 2>&1; }

submit analysis.slurm pca cube.img by-slurm components=3 && same by-slurm \
  && grep -q '^srun --mpi=pmix .* --threads 1 .*--resume.* components=3$' asked && ! grep -q scontrol asked
ok "an analysis by SLURM" $?
echo 5 > status; submit analysis.slurm fastica cube.img stopped; [ $? -eq 5 ] && grep -q '^scontrol requeue 17$' asked
ok "that is stopped goes back into the queue" $?
submit analysis.slurm cbf sea.wav stopped; [ $? -eq 5 ] && ! grep -q scontrol asked && ! grep -q -e --resume asked
ok "but not where nothing is left to go on from" $?
echo 3 > status; submit analysis.slurm pca cube.img failed; [ $? -eq 3 ] && ! grep -q scontrol asked
ok "nor what failed" $?
rm status
submit analysis.slurm pca; [ $? -ne 0 ] && grep -q FILE err && [ ! -e asked ]; ok "what is missing is said" $?
submit cards.slurm pca cube.img by-cards components=3 && grep -q -- '--device auto' asked \
  && [ -e by-cards/result.json ]
ok "an analysis by cards" $?
submit many.slurm pca results cube.img other.img && [ -e results/cube/result.json ] \
  && [ -e results/other/result.json ]
ok "many files" $?
(export PBS_O_WORKDIR=$work OPERATION=pca FILE=cube.img RESULT=by-pbs MORE='components=3'; submit analysis.pbs) \
  && same by-pbs && grep -q '^mpirun .* --resume .* components=3$' asked
ok "an analysis by PBS" $?
(unset FILE; export OPERATION=pca RESULT=by-pbs; submit analysis.pbs); [ $? -ne 0 ] && grep -q FILE err
ok "what is missing is said there, too" $?

echo "1..$n"
[ $failed -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Linear systems without a window: files in, layers out, the same bytes for any number of threads, and what cannot be.
# usage: test-batch-solve.sh EIGENSCOPE-BATCH PYTHON                                                             (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE= ES_CUDA_MODULE=none
batch=$(realpath "$1")
python=$2
. "$(dirname "$0")/batch-test.sh"
value() {                      # value RESULT NAME
  "$python" -c "import json, sys; print (json.load (open (sys.argv[1]))['values'][sys.argv[2]])" "$1/result.json" "$2"
}

# ---- a file of three equations, and its right-hand side
cat > a.mtx << 'END'
%%MatrixMarket matrix coordinate real general
3 3 7
1 1 4
1 2 1
2 1 2
2 2 5
2 3 1
3 2 1
3 3 3
END
printf '6\n15\n11\n' > b.txt
for solver in bicgstab gmres jacobi; do
  expect 0 "three equations by $solver" run sparse-solve a.mtx -q -o "x-$solver" solver=$solver side=file \
    side-file=b.txt tolerance=1e-12
  "$python" - "x-$solver/solution.csv" << 'END'
import csv, sys
rows = list (csv.reader (open (sys.argv[1], encoding='utf-8-sig')))[1:]
x = [float (row[1]) for row in rows]
sys.exit (max (abs (4*x[0] + x[1] - 6), abs (2*x[0] + 5*x[1] + x[2] - 15), abs (x[1] + 3*x[2] - 11)) > 1e-10)
END
  ok "are solved" $?
done
expect 0 "the default" run sparse-solve a.mtx -q -o auto
[ "$(value auto solver)" = gmres ]; ok "is GMRES of a matrix that is not symmetric" $?
expect 0 "of one that is" run sparse-solve poisson2d:40x40 -q -o auto2 side=known
[ "$(value auto2 solver)" = cg ] && [ "$(value auto2 converged)" = True ]; ok "conjugate gradients" $?
[ -s auto2/residual.csv ] && [ -s auto2/run.csv ] && grep -q '^\[yes\] Converged' auto2/verdict.txt
ok "with residuals, a table and a verdict" $?

# ---- threads
expect 0 "one thread" run sparse-solve poisson2d:300x200 -q -o one --threads 1 solver=bicgstab preconditioner=ilu
expect 0 "two threads" run sparse-solve poisson2d:300x200 -q -o two --threads 2 solver=bicgstab preconditioner=ilu
cmp -s one/solution.csv two/solution.csv; ok "the same bytes" $?

# ---- multigrid
expect 0 "multigrid" run sparse-solve poisson2d:120x90 -q -o grids preconditioner=multigrid --threads 1
expect 0 "by two threads" run sparse-solve poisson2d:120x90 -q -o grids2 preconditioner=multigrid --threads 2
[ "$(value grids converged)" = True ] && [ "$(value grids iterations)" -le 14 ] && [ -s grids/levels.csv ]
ok "few iterations, and a table of its grids" $?
cmp -s grids/solution.csv grids2/solution.csv; ok "the same bytes" $?
expect 3 "conjugate gradients of what is not symmetric" run sparse-solve a.mtx -q -o bad solver=cg \
  preconditioner=multigrid
sentence 'row 2, column 1'; ok "names the places" $?

# ---- what does not converge ends as a result that says so
expect 0 "too few iterations" run sparse-solve poisson2d:40x40 -q -o few iterations=3
[ "$(value few converged)" = False ] && grep -q '^\[no\] Not converged' few/verdict.txt; ok "is told" $?
sentence 'Not converged'; ok "as a warning, too" $?

# ---- what cannot be
sed 's/^3 3 7/3 4 7/' a.mtx > wide.mtx
expect 3 "not square" run sparse-solve wide.mtx -q -o bad
sentence '3 rows and 4 columns'; ok "says both sizes" $?
sed -e 's/^3 3 7/3 3 6/' -e '/^2 2 5/d' a.mtx > gap.mtx
expect 3 "no diagonal" run sparse-solve gap.mtx -q -o bad solver=jacobi
sentence 'row 2'; ok "names the row" $?
sed -e 's/^3 3 7/3 3 5/' -e '/^3 /d' a.mtx | sed '1a3 3 5' > empty.mtx
sed 's/^2 2 5/2 2 5e200/' a.mtx > huge.mtx
expect 3 "more than float32 holds" run sparse-solve huge.mtx -q -o bad precision=float32 tolerance=1e-4
sentence 'Row 2 has 5e+200 in column 2' precision=float64; ok "says where, and what to do" $?
expect 0 "float64 holds it" run sparse-solve huge.mtx -q -o huge preconditioner=diagonal
expect 3 "an empty row" run sparse-solve empty.mtx -q -o bad
sentence 'Row 3'; ok "names it" $?
expect 3 "eigenpairs of what is not square" run sparse-eigen wide.mtx -q -o bad number=1
sentence '3 rows and 4 columns'; ok "says both sizes" $?
expect 3 "eigenpairs of what is not symmetric" run sparse-eigen a.mtx -q -o bad number=1
sentence 'row 1, column 2 is 1'; ok "names the place" $?
expect 2 "more eigenpairs than rows" run sparse-eigen poisson2d:2x2 -q -o bad number=5
sed 's/^2 2 5/2 2 nan/' a.mtx > nan.mtx
sed 's/^2 2 5/2 2/' a.mtx > broken.mtx
sed 's/^2 2 5/2 7 5/' a.mtx > outside.mtx
for operation in sparse-products sparse-solve sparse-eigen; do
  for file in nan broken outside; do
    expect 3 "$operation of $file.mtx" run $operation $file.mtx -q -o bad; sentence "$file.mtx" 'line 6'
    ok "names the line" $?
  done
done
expect 3 "a right-hand side that is too short" run sparse-solve poisson2d:4x4 -q -o bad side=file side-file=b.txt
sentence b.txt '3 numbers' '16 rows'; ok "says how long both are" $?
expect 2 "a tolerance of 0" run sparse-solve a.mtx -q -o bad tolerance=0
[ ! -e bad ]; ok "and nothing is left" $?

expect 4 "diagonals of a matrix that has nearly as many as rows" \
  run sparse-solve random:n=5000,mean=6,dominant=1,seed=3 -q -o bad format=dia --memory 64M
sentence '(DIA)”, padded to' 'of which 64.0'; ok "says how much that is" $?
expect 0 "by rows" run sparse-solve random:n=5000,mean=6,dominant=1,seed=3 -q -o scattered --memory 64M
[ ! -e bad ]; ok "and nothing is left of it" $?

# ---- cancelled
# Within a second, once of three times: others may have the processor.
for attempt in 1 2 3; do
  "$batch" run sparse-solve poisson2d:300x300 -q -o stopped solver=jacobi iterations=10000000 tolerance=1e-15 \
    > out 2> err & pid=$!
  sleep $attempt; kill -TERM $pid; from=$(date +%s%3N); wait $pid
  [ $? -eq 5 ] && [ $(($(date +%s%3N) - from)) -lt 1000 ]; soon=$?
  [ ! -e stopped ] || soon=1
  [ $soon -ne 0 ] && [ ! -e stopped ] || break
done
ok "a run that is cancelled leaves nothing" $soon

echo "1..$n"
[ $failed -eq 0 ]

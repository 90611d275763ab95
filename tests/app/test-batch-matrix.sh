#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch with sparse matrices: files and names of them, their statistics, files that it writes, spy pictures.
# usage: test-batch-matrix.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"
json() { "$python" -c "import json,sys; d = json.load(open('out')); sys.exit(not ($1))"; }

# ---- info
printf '%%%%MatrixMarket matrix coordinate real symmetric\n%% of a test\n3 3 4\n1 1 2\n2 1 -1\n2 1 -2\n3 3 4\n' > s.mtx
expect 0 "info of a file" info s.mtx
grep -q '3 × 3, 4 nonzeros' out && grep -q '^  symmetric' out && grep -q 'added up' out; ok "what it is" $?
expect 0 "as JSON" info s.mtx --json
json "d['kind'] == 'matrix' and d['rows'] == 3 and d['nonzeros'] == 4 and d['stored_as'] == 'symmetric' and
      d['duplicates'] == 1 and d['statistics']['zero_diagonal'] == 1 and d['statistics']['lower_bandwidth'] == 1 and
      d['statistics']['lengths'] == [{'from': 1, 'to': 1, 'rows': 2}, {'from': 2, 'to': 3, 'rows': 1}]"
ok "the same" $?
gzip -k s.mtx; mv s.mtx.gz packed
expect 0 "compressed, by its content" info packed --json
json "d['nonzeros'] == 4 and d['name'] == 'packed'"; ok "the same matrix" $?
expect 0 "of a name" info poisson2d:30x20 --json
json "d['rows'] == 600 and d['nonzeros'] == 5 * 600 - 2 * (30 + 20) and d['name'] == 'poisson2d:30x20'"
ok "five points, less at the sides" $?
cp s.mtx poisson2d:2x2
expect 0 "a file of such a name" info poisson2d:2x2 --json
json "d['rows'] == 3"; ok "goes before what would be made" $?

# ---- what is wrong
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 3 1\n' > range.mtx
expect 3 "an index out of range" info range.mtx
sentence range.mtx "line 4" "column 3"; ok "with its line" $?
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n' > complex.mtx
expect 3 "complex numbers" info complex.mtx
sentence complex.mtx complex; ok "are named" $?
{
  printf '%%%%MatrixMarket\tmatrix coordinate\treal general\r\n%% a\r\n\r\n 2\t2 2 \r\n'
  printf '%%b\r\n1\t1\t1.5\r\n\r\n2 2\t2\r\n'
} > tabs.mtx
expect 0 "tabs, comments, empty lines and carriage returns" info tabs.mtx --json
grep -q '"nonzeros" : 2' out; ok "are read" $?
printf '\357\273\277%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n' > marked.mtx
expect 3 "a mark before the banner" info marked.mtx
sentence 'marked.mtx”, line 1' '%%MatrixMarket'; ok "is told of a matrix" $?
head -c 12 packed > cut.mtx.gz
expect 3 "a compressed one of twelve bytes" info cut.mtx.gz
sentence cut.mtx.gz gzip 'cut short'; ok "is told to be cut short" $?
printf '%%%%MatrixMarket matrix coordinate real general\n100000 100000 2147483648\n1 1 1\n' > huge.mtx
expect 3 "2^31 entries in one line" info huge.mtx
sentence huge.mtx 2147483648 'fewer than 2^31'; ok "are told" $?
mkdir folder.mtx
expect 3 "a folder" info folder.mtx
sentence folder.mtx 'a matrix was expected'; ok "is told" $?
expect 3 "a name that says nothing" info random:n=5,colour=red
sentence random:n=5,colour=red "colour" "spread"; ok "with what was expected" $?
expect 3 "a word that makes none" info poison2d:3x3
sentence poison2d:3x3 "no such file" " poisson2d," "banded"; ok "with those that do" $?
expect 3 "the same, to an operation" run sparse-products poison2d:3x3 -o r
sentence poison2d:3x3 " poisson2d,"; ok "has the same answer" $?
expect 3 "the same, to a picture" spy poison2d:3x3 -o none.png
sentence poison2d:3x3 " poisson2d,"; ok "as well" $?
cp s.mtx poison2d:3x3
expect 0 "a file that is called so" info poison2d:3x3; rm poison2d:3x3
expect 3 "one of another folder" info missing/poison2d:3x3
! grep -q " poisson2d," err; ok "is a file that is missing" $?
expect 2 "an operation on cubes" run pca s.mtx -o r
sentence pca s.mtx; ok "does not take it" $?
[ ! -e r ]; ok "and leaves nothing" $?
expect 2 "the other way round" info s.mtx --file-says
expect 2 "options of recordings" info s.mtx --sensitivity -180
expect 2 "a plan for a matrix" plan lofar s.mtx --cluster here

# ---- simulate
expect 0 "a file of a name" simulate matrix -o m.mtx name=random:n=200,mean=9,symmetric=1
head -n 1 m.mtx | grep -q '^%%MatrixMarket matrix coordinate real symmetric$'; ok "as its symmetry is" $?
"$batch" info m.mtx --json > out; cp out of-file
"$batch" info random:n=200,mean=9,symmetric=1 --json > out
"$python" -c "
import json
a, b = json.load(open('of-file')), json.load(open('out'))
assert a['nonzeros'] == b['nonzeros'] and a['statistics'] == b['statistics']"; ok "holds the same matrix" $?
expect 0 "compressed" simulate matrix -o m.mtx.gz name=random:n=200,mean=9,symmetric=1
gzip -dc m.mtx.gz | cmp - m.mtx; ok "the same text" $?
cp s.mtx kept.mtx
expect 3 "over a file of somebody" simulate matrix -o kept.mtx name=example:4x4
cmp -s s.mtx kept.mtx; ok "which stays" $?
expect 2 "another ending" simulate matrix -o m.csv name=example:4x4

# ---- spy
expect 0 "a spy picture" spy example:4x4 -o spy.png size=64
"$python" - <<'P'; ok "a PNG of 64 x 64" $?
import struct
data = open('spy.png', 'rb').read()
assert data[:8] == b'\x89PNG\r\n\x1a\n' and struct.unpack('>II', data[16:24]) == (64, 64)
P
expect 0 "of a file, in colours" spy s.mtx -o spy2.png width=30 height=20 colours=viridis
"$python" - <<'P'; ok "of the size that was told" $?
import struct
assert struct.unpack('>II', open('spy2.png', 'rb').read()[16:24]) == (30, 20)
P
expect 2 "no matrix" spy -o spy.png
expect 2 "no picture" spy s.mtx -o spy.jpg
expect 2 "half a size" spy s.mtx -o spy3.png width=30
[ ! -e spy3.png ]; ok "leaves nothing" $?

echo "1..$n"
[ $failed -eq 0 ]

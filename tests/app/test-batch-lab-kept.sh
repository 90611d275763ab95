#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch characterise, on a machine that answers the same every time: what it keeps, what the program itself
# takes from it, and what becomes of what cannot be kept or read.
# usage: test-batch-lab-kept.sh EIGENSCOPE-BATCH FAKE-LAB RECORDED-LAB FAKE-DEVICE PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
export ES_LAB_MODULE=$(realpath "$2") ES_LAB_CUDA_MODULE=$(realpath "$3") ES_CUDA_MODULE=$(realpath "$4")
python=$5
. "$(dirname "$0")/batch-test.sh"
export XDG_DATA_HOME=$work/data
kept=$work/data/eigenscope/profiles

expect 0 "the processor" characterise cpu -o cpu.json
grep -q "The profile is kept" out; ok "it says that it is kept" $?
[ "$(find "$kept" -type f | wc -l)" -eq 1 ]; ok "one file" $?
"$python" -c 'import json, sys
kept, given = (json.load(open(name)) for name in sys.argv[1:])
place = kept.pop("place")
assert place["threads"] > 0 and "uuid" in place and place["processor"] and "place" not in given
assert kept == given' "$kept"/*.json cpu.json 2> err; ok "with the same in it, and where it was beside it" $?
expect 0 "once more, without a file of its own" characterise cpu -q
[ ! -s out ] && [ "$(find "$kept" -type f | wc -l)" -eq 1 ]; ok "in its place, and nothing is said" $?

"$batch" simulate cube -o cube.img width=200 height=100 bands=40 seed=3 > out 2> err || exit 1
upload() {                     # upload FOLDER EXPRESSION: of values.upload and the step of reading
  "$python" - "$1" "$2" <<'END'
import json, sys
result = json.load(open(sys.argv[1] + '/result.json'))
upload = result['values']['upload']
step = next(stage['title'] for stage in result['stages'] if stage['name'] == 'input')
warnings = result['warnings']
print(upload, step, warnings, file=open('out', 'w'))
sys.exit(0 if eval(sys.argv[2]) else 1)
END
}
expect 0 "an analysis on a card that was never measured" run pca cube.img --device cuda:0 -o before
upload before "upload['from'] == 'defaults' and upload['page_locked'] and 'defaults' in step and warnings == []"
ok "takes the defaults, and says so" $?
expect 0 "the card" characterise cuda:0 -q
[ "$(find "$kept" -type f | wc -l)" -eq 2 ]; ok "a file each" $?
expect 0 "the analysis again" run pca cube.img --device cuda:0 -o after
upload after "upload['from'] == 'profile' and warnings == [] and 'the profile of ' + upload['profile_date'] in step"
ok "takes what was measured, and says so" $?
cmp -s before/components.img after/components.img; ok "and finds the same" $?
grep -q "from the profile of" <("$batch" run pca cube.img --device cuda:0); ok "on standard output as well" $?

for file in "$kept"/*cuda-0*.json "$kept"/*GPU*.json; do [ -e "$file" ] && echo '{' > "$file"; done
expect 0 "with a profile that is broken" run pca cube.img --device cuda:0 -o broken
upload broken "upload['from'] == 'defaults' and len(warnings) == 1 and 'GPU-fake-0.json' in warnings[0]"
ok "it is a warning" $?

rm -r "$work/data"; echo > "$work/data"
expect 0 "where nothing can be kept" characterise cpu -o again.json
sentence "data"; ok "it is said in a sentence" $?
[ -s again.json ]; ok "and the file is there" $?
echo "1..$n"
[ $failed -eq 0 ]

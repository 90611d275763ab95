#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eigenscope-batch plan: the work that is planned against what runs tell of it, files, shapes, and what is refused.
# usage: test-batch-plan.sh EIGENSCOPE-BATCH PYTHON          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
export ES_CUDA_MODULE=none
. "$(dirname "$0")/batch-test.sh"

cat > here.json <<'END'
{ "format": "eigenscope-cluster", "version": 1, "name": "Two machines", "nodes": 2,
  "node": { "threads": 1, "memory_bytes": 8e9,
            "processor": { "float32_per_second": 6e10, "float64_per_second": 4e10, "int8_per_second": 2.5e11,
                           "int16_per_second": 1.25e11, "memory_bytes_per_second": 1.3e10,
                           "copy_bytes_per_second": 1e12 } },
  "network": { "latency_seconds": 1e-6, "bytes_per_second": 5e9 } }
END
"$batch" simulate cube -o cube.img width=120 height=90 bands=40 seed=7 > out 2> err || exit 1
"$batch" simulate cube -o float.img width=120 height=90 bands=40 seed=7 type=float32 > out 2> err || exit 1
"$batch" simulate recording -o sea.wav array=line:16,1.5 rate=2000 seconds=20 'sources=noise,123,0,300:440' > out \
  2> err || exit 1

# ---- what is planned is what runs tell that they did
cat > compare.py <<'END'
import json, sys
result, plan, factor = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), float(sys.argv[3])
stages = {stage['name']: stage for stage in result['stages']}
steps = {step['name']: step for step in plan['steps_of_one']}
assert steps, plan
for name, step in steps.items():
    if name in ('adding', 'waterfall'):      # is a part of the beams there, or is written behind the steps
        continue
    assert name in stages, (name, list(stages))
    if name == 'iteration':        # takes as many steps as it needs
        continue
    told = stages[name]['work']['operations']
    assert abs(step['operations'] - told) <= 1e-9 * told, (name, step['operations'], told)
    # With what was measured in the place of what is expected, a step takes what it took.
    took = 1e-3 * (stages[name]['work'].get('busy_ms') or stages[name]['ms'])
    seconds = step['of'].get('arithmetic', 0) + step['of'].get('serial', 0)
    if step['cause'] in ('arithmetic', 'serial'):
        assert abs(seconds - took) <= 0.01 * took + 1e-6, (name, seconds, took)
read = sum(step['file_bytes'] for step in steps.values())
told = sum(stage.get('work', {}).get('file_bytes', 0) for stage in stages.values())
assert read <= told * 1.001 and told <= read * factor, (read, told)
END
check() {                      # check OPERATION FILE FACTOR ARGUMENTS...: read at most so many times what is planned
  local operation=$1 file=$2 factor=$3; shift 3
  run run "$operation" "$file" -o "out-$operation-$file" --threads 1 "$@"
  run plan "$operation" "$file" --cluster here.json --measured "out-$operation-$file/result.json" --json "$@" \
    && cp out plan.json && "$python" compare.py "out-$operation-$file/result.json" plan.json "$factor" 2>> err
  ok "$operation of $file is planned as it tells its work" $?
}
check pca cube.img 1.001 components=10
check pca float.img 1.2 components=10
# Noise takes rows of neighbours along.
check mnf cube.img 1.5 keep=count components=10
check mnf float.img 1.5 noise=mean-residual keep=count components=10
check fastica cube.img 1.001 components=5
check cbf sea.wav 1.001 --array line:16,1.5
check mvdr sea.wav 1.001 --array line:16,1.5 band=300:440
check lofar sea.wav 1.001 --array line:16,1.5 bearing=123
check demon sea.wav 1.001 --array line:16,1.5 segment=4

# ---- what need not be there
expect 0 "a terabyte on paper" plan pca shape=50000x50000x200:int16 --cluster here.json
grep -q '1000 GB' out && grep -q 'Covariance' out && grep -q '^The 2 nodes of this cluster take ' out \
  && grep -q '^It scales to ' out && grep -q '^It is fastest with ' out
ok "table, steps and sentences" $?
expect 0 "a recording on paper" plan mvdr shape=64x3600s@4000:int16 --array line:64,1.5 band=320:480 --cluster here.json
expect 0 "a table of all" plan pca shape=500x500x200:int16 --cluster here.json -o all.csv
[ "$(wc -l < all.csv)" -eq 1001 ] && tail -n 1 all.csv | grep -q '^1000,1000,'
ok "a row for each number of nodes" $?
expect 0 "a page" plan pca shape=500x500x200:int16 --cluster here.json -o page.html
grep -q '<svg' page.html && grep -q 'Two machines' page.html && tail -n 1 page.html | grep -q '</html>'
ok "with its curve" $?
expect 0 "a file of JSON" plan pca shape=500x500x200:int16 --cluster here.json -o plan.json
"$python" - <<'END' 2> err; ok "of a thousand numbers of nodes, whose parts add up" $?
import json
plan = json.load(open('plan.json'))
assert [count['nodes'] for count in plan['counts']] == list(range(1, 1001))
for count in plan['counts']:
    assert abs(sum(count['of'].values()) - count['seconds']) <= 1e-9 * count['seconds']
    assert abs(count['efficiency'] - plan['counts'][0]['seconds'] / count['nodes'] / count['seconds']) < 1e-9
assert plan['nodes_there'] == 2 and plan['held_back_by'] in plan['counts'][-1]['of']
END

# ---- this machine, and clusters as files
expect 0 "this machine" plan pca shape=500x500x200:int16 --cluster here --save-cluster mine.json
grep -q '^This machine: ' out && "$python" -c "
import json
mine = json.load(open('mine.json'))
assert mine['format'] == 'eigenscope-cluster' and mine['nodes'] == 1 and 'disk' not in mine, mine
assert mine['network']['latency_seconds'] > 0 and mine['network']['bytes_per_second'] > 1e6, mine" 2> err
ok "its network was measured, and all is written" $?
run plan pca shape=500x500x200:int16 --cluster mine.json -o first.csv \
  && run plan pca shape=500x500x200:int16 --cluster mine.json -o second.csv --save-cluster again.json \
  && cmp first.csv second.csv && cmp mine.json again.json
ok "what was written is read, and written again the same" $?
cp here.json here
expect 0 "a file that is called here" plan pca shape=500x500x200:int16 --cluster here
grep -q '^Two machines$' out; ok "is that file" $?
rm here

# ---- what is refused, in a sentence
expect 2 "no cluster" plan pca cube.img; sentence --cluster; ok "says which option" $?
expect 2 "no data" plan pca --cluster here.json; sentence shape=; ok "says what is missing" $?
expect 2 "file and shape" plan pca cube.img shape=1x1x2:int16 --cluster here.json
expect 2 "no shape" plan pca shape=12x12 --cluster here.json; sentence 12x12 614x512x224:int16; ok "shows one" $?
expect 2 "an analysis that nobody plans" plan health sea.wav --cluster here.json; sentence health fastica
ok "says which can be planned" $?
expect 2 "an unknown parameter" plan pca cube.img depth=3 --cluster here.json
expect 2 "a cube as a recording" plan cbf cube.img --cluster here.json
expect 3 "no such cluster" plan pca cube.img --cluster none.json
sentence none.json sixty-four here; ok "names it, and those there are" $?
expect 2 "no steps" plan fastica cube.img --cluster here.json --steps 0; sentence --steps; ok "says how many" $?
expect 2 "an ending of nothing" plan pca cube.img --cluster here.json -o plan.txt
sentence plan.txt .html .csv && [ ! -e plan.txt ]; ok "says which there are, and writes nothing" $?
sed 's/"threads": 1/"threads": 0/' here.json > bad.json
expect 3 "a cluster without threads" plan pca cube.img --cluster bad.json
sentence bad.json node.threads 'expected a number from 1'; ok "names the field, what was found and expected" $?
expect 3 "another operation's result" plan pca cube.img --cluster here.json --measured out-mnf-cube.img/result.json
sentence result.json 'same operation'; ok "says what was expected" $?
expect 3 "no result" plan pca cube.img --cluster here.json --measured here.json
expect 3 "a place that cannot be written" plan pca cube.img --cluster here.json -o none/plan.html

echo "1..$n"
exit $((failed > 0))

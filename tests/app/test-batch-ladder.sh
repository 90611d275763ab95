#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Ladders without a window, of a module whose rungs take known times: what is written, what is refused, and that what
# was written needs nothing to be looked at.
# usage: test-batch-ladder.sh EIGENSCOPE-BATCH PYTHON FAKE-LADDER FAKE-DEVICE RECORDED-LABORATORY          (TAP)
set -u
export LC_ALL=C.UTF-8 LANGUAGE=
batch=$(realpath "$1")
python=$2
ES_LADDER_CUDA_MODULE=$(realpath "$3")
ES_CUDA_MODULE=$(realpath "$4")
ES_LAB_CUDA_MODULE=$(realpath "$5")
export ES_CUDA_MODULE ES_LAB_CUDA_MODULE ES_LADDER_CUDA_MODULE
. "$(dirname "$0")/batch-test.sh"
export XDG_DATA_HOME=$work/data

expect 0 "a ladder of a card" run ladder-covariance cuda:0 -q -o covariance
rm -f covariance/ladder.pdf    # where somebody can draw
[ "$(ls covariance | tr '\n' ' ')" = "ladder.html result.json roofline.csv rungs.csv steps.csv verdict.txt " ]
ok "numbers, and pages of them" $?
grep -q '^\[yes\] What Eigenscope does is the fastest of all' covariance/verdict.txt; ok "says what is fastest" $?
[ "$(tail -n +2 covariance/rungs.csv | wc -l)" -eq 9 ] && grep -q '^v4-4,' covariance/rungs.csv; ok "a row a rung" $?
cat > page.py << 'END'
import html.parser, json, sys
page = open('covariance/ladder.html').read()
open_tags = []
class Parser(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        if tag not in ('meta', 'link', 'br'):
            open_tags.append(tag)
        assert not any(name in ('src', 'href') for name, value in attributes), (tag, attributes)
    def handle_startendtag(self, tag, attributes):
        pass
    def handle_endtag(self, tag):
        assert open_tags.pop() == tag, tag
Parser().feed(page)
assert not open_tags, open_tags
values = json.load(open('covariance/result.json'))['values']['ladder']
assert [rung['id'] for rung in values['rungs']][:3] == ['v0', 'v1', 'v2']
assert values['rungs'][4]['seconds'] == [0.26942] * 11 or abs(values['rungs'][4]['seconds'][0] - 0.26942) < 1e-12
for rung in values['rungs']:
    if 'source' in rung:
        assert rung['source'].split('\n')[0] in page
assert 'class="plus"' in page and 'class="minus"' in page
END
"$python" page.py > out.txt 2> err; ok "the page is whole, needs nothing beside it and has the changed lines" $?

# ---- again, into the same folder, as less
expect 0 "some rungs, where there was a result" run ladder-covariance cuda:0 -q -o covariance rungs=v0,v4 repeats=3
[ "$(tail -n +2 covariance/rungs.csv | wc -l)" -eq 2 ]; ok "has those rows" $?
expect 0 "without strategies" run ladder-ica cuda:0 -q -o ica 'off=M Z'
! grep -q '^v4,' ica/rungs.csv && grep -q '^v3,' ica/rungs.csv; ok "leaves out what applies them" $?
expect 0 "by threads" run ladder-jacobi cuda:0 -q -o jacobi size=1024
[ "$(tail -n +2 jacobi/threads.csv | wc -l)" -eq 5 ]; ok "has a row for each" $?

# ---- what is somebody else's
mkdir own
for name in ladder.html ladder.pdf; do echo mine > own/$name; done
expect 0 "pages of somebody else" run ladder-ica cuda:0 -o own
[ "$(cat own/ladder.html.~1~)" = mine ] && [ "$(wc -l < own/ladder.html)" -gt 9 ] &&
  { [ ! -e own/ladder.pdf.~1~ ] || [ "$(cat own/ladder.pdf.~1~)" = mine ]; }
ok "stay beside those that are made" $?
grep -qF 'ladder.html.~1~' err; ok "and are named" $?
expect 0 "again" run ladder-ica cuda:0 -q -o own
[ ! -e own/ladder.html.~2~ ] && [ ! -e own/ladder.pdf.~2~ ]; ok "those that the program made are replaced" $?

# ---- what cannot be
expect 2 "a strategy that there is not" run ladder-ica cuda:0 -q off=Q_9
sentence Q_9 G_3; ok "says which there are" $?
expect 2 "a rung that there is not" run ladder-ica cuda:0 -q -o none rungs=v9
sentence v9 v5 && [ ! -e none ]; ok "says which there are, and writes nothing" $?
ES_LADDER_CUDA_MODULE=/nowhere.so expect 4 "without a module" run ladder-ica cuda:0 -q -o none
sentence 'module of ladders'; ok "says so" $?
ES_FAKE_LADDER=poor expect 4 "without memory" run ladder-ica cuda:0 -q -o none
sentence smaller; ok "says what would help" $?

echo "1..$n"
exit $((failed > 0))

#!/bin/bash
# whorl tour check: all shipped tours pass, and each thing that it finds is found in a tour that is broken so. The numbers
# in the words of scenes, in pictures.
#
#   tours_test.sh WHORL [--sanitized]   with a sanitizer, one of the shipped tours: the others are done in gtests
set -u
whorl=$1
source=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=tests/app/cli/calls.sh
source "$(dirname "$(readlink -f "$0")")/calls.sh"

# --- what is shipped ---
shipped=("$source"/assets/tours/*.json)
if [ "${2-}" = --sanitized ]; then shipped=("$source"/assets/tours/writes.json); fi
for tour in "${shipped[@]}"; do
    name=$(basename "$tour" .json)
    ok "$whorl" tour check "$name"
    grep -q "^$name: [0-9]* scenes, [0-9]* claims*: nothing to correct$" out || fail "$name: no summary"
done

# --- what is broken, one thing a scene ---
finds() { grep -qF -- "$1" out || { cat out; fail "the check does not say '$1'"; }; }
long=$(printf 'Many words that no audience can read. %.0s' {1..120})
printf 'R 0x10 4 a.c:1\nR 0x20 4 b.c:1\n' >known.trace
echo text >a.c
cat >broken.json <<END
{"scenes": [
 {"id": "false", "title": "T", "words": "See.", "claim": ["n == 8", "L1.misses < 3"], "input": "matmul:n=8", "machine": "paper", "at": 100},
 {"id": "unknown", "title": "T", "words": "{L1.mises} misses.", "at": 100},
 {"id": "beyond", "title": "T", "words": "See.", "at": 100, "to": 100000},
 {"id": "input", "title": "T", "words": "See.", "input": "missing.trace"},
 {"id": "sources", "title": "T", "words": "See.", "input": "known.trace"},
 {"id": "long", "title": "T", "words": "$long", "input": "matmul:n=8", "machine": "paper"},
 {"id": "choices", "title": "T", "words": "See.", "input": "matmul:n=8", "machine": "paper", "at": 10,
  "question": {"text": "Which?", "choices": ["{n}", "{2 * n / 2}"], "answer": "{n}"}},
 {"id": "asks", "title": "T", "words": "See.", "at": 0, "question": {"predict": "outcome", "level": "L7"}},
 {"id": "sound", "title": "{n}", "words": "{L1.misses} misses.", "claim": "n > 7", "at": 20}]}
END
"$whorl" tour check broken.json >out 2>err
[ $? = 1 ] || fail "the exit status of a tour with findings is not 1"
finds 'scenes[0].claim[1]: "L1.misses < 3" does not hold: '
finds 'scenes[1].words: "L1.mises", character 1: there is no quantity "L1.mises"; did you mean "L1.misses"?'
finds 'scenes[2].to: 100000 is after the end of the trace, which has '
finds 'scenes[3].input: '
finds 'scenes[4].input: source files are missing: "b.c"; put them beside the tour, or name their folder with --sources'
finds 'scenes[5].words: the words do not fit the stage at 1024x768: they are drawn at '
finds 'scenes[6].question.choices[1]: "8" is the choice 1 too; the choices must differ'
finds 'scenes[7]: Scene "asks" asks nothing: '
grep -qx 'broken.json: 9 scenes, 3 claims: 8 findings' out || fail "the summary is wrong: $(tail -1 out)"
"$whorl" tour check broken.json --json -o found.json 2>err
[ $? = 1 ] || fail "the exit status is another with --json"
python3 - <<'END' || fail "--json is not what the text says"
import json
found = json.load(open("found.json"))
assert found["scenes"] == 9 and found["claims"] == 3 and len(found["findings"]) == 8, found
assert found["findings"][0]["path"] == "scenes[0].claim[1]", found
END
printf '{"scenes": [{"id": "a", "title": "{4}", "words": "See.", "input": "matmul", "question": {"text": "?", "choices": ["a", "b"], "answer": "c"}}]}' >faulty.json
"$whorl" tour check faulty.json >out 2>err
[ $? = 1 ] || fail "the exit status of a faulty tour is not 1"
finds 'scenes[0].title: "4" names no quantity;'
finds 'scenes[0].question.answer: "c" is none of the choices;'
wrong "no such file" "$whorl" tour check nosuch.json
wrong "there is no tour" "$whorl" tour check nosuch
wrong "check" "$whorl" tour chekc rings

# --- the numbers in pictures ---
ok "$whorl" frame --tour blocking --scene race -o race.svg
# Terms are texts of their own.
grep -q "4 896<" race.svg && grep -q ", or 740<" race.svg || fail "a picture lacks the numbers of its words"
ok "$whorl" frame --tour blocking --scene race -m paper2x4 -o other.svg
grep -q "4 896 misses in L1" other.svg && fail "the numbers are of another machine"
ok "$whorl" scenes blocking
grep -qF "The whole product: {run.L1.misses} misses in L1, or {with.run.L1.misses}" out || fail "a list has no expressions"

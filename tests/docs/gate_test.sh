#!/usr/bin/env bash
# gate_test.sh WHORL STATS.MD: the gate that docs/stats.md gives, as it stands there, passes a change that costs nothing, and
# catches a loop that is turned the other way round, with its line, although an edit above has moved it; and programs are
# graded by their limits.
set -euo pipefail
real=$(realpath "$1") page=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir bin before after same
ln -s "$real" bin/whorl
export LC_ALL=C.UTF-8 PATH=$folder/bin:$PATH XDG_STATE_HOME=$folder/state
unset DISPLAY WAYLAND_DISPLAY
failed() {
    echo "FAILED: $*"
    exit 1
}

awk '/^```/ { if (inside) exit; inside = $0 == "```bash gate.sh"; next } inside' "$page" >gate.sh
[[ -s gate.sh ]] || failed "the page has no gate"

cat >before/sum.c <<'END'
#include <stdio.h>
double a[256][256];
int main(void) {
    double sum = 0;
    for (int i = 0; i < 256; ++i)
        for (int j = 0; j < 256; ++j)
            sum += a[i][j];
    printf("%g\n", sum);
    return 0;
}
END
sed '/^int main/i /* sums up all of it */' before/sum.c >same/sum.c
sed 's/a\[i\]\[j\]/a[j][i]/' same/sum.c >after/sum.c
for build in before same after; do gcc -O1 -g "$build/sum.c" -o "$build/sum"; done

sh gate.sh before/sum same/sum >out 2>err || failed "what costs nothing does not pass: $(cat err)"
grep -q 'No limit is exceeded' out || failed "it is not said that it passes: $(cat out)"
status=0
sh gate.sh before/sum after/sum >out 2>err || status=$?
[[ $status == 1 ]] || failed "the status is $status: $(cat err)"
grep -qE '^- `L1.misses>\+2%`: L1 misses: .*most in [^ ]*after/sum\.c:8 \(was line 7\): \+' out ||
    failed "the line is not named: $(cat out)"
grep -q 'most in main: +' out || failed "the function is not named: $(cat out)"
grep -q '^whorl: cycles>+2% is exceeded: access cycles: ' err || failed "the reason is not told: $(cat err)"
status=0
sh gate.sh before/sum nowhere/sum >out 2>err || status=$?
[[ $status != 0 && $status != 1 ]] || failed "an error has the status of a limit"

# --- a grade: a transposition that walks one array down its columns, and one by blocks ---
cat >driver.c <<'END'
void transpose(int a[32][32], int b[32][32]);
int A[32][32], B[32][32];
int main(int count, char** words) {
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j) A[i][j] = i * 32 + j;
    transpose(A, B);
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j)
            if (B[j][i] != A[i][j]) return 3;
    return count > 1;
}
END
cat >plain.c <<'END'
void transpose(int a[32][32], int b[32][32]) {
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j) b[j][i] = a[i][j];
}
END
cat >blocks.c <<'END'
void transpose(int a[32][32], int b[32][32]) {
    for (int i = 0; i < 32; i += 8)
        for (int j = 0; j < 32; j += 8)
            for (int k = i; k < i + 8; ++k) {
                int *r = &a[k][j], t[8] = {r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]};
                for (int l = 0; l < 8; ++l) b[j + l][k] = t[l];
            }
}
END
grade() {
    whorl grade --compile "gcc -g -O1 driver.c" --function transpose --only region=A,B --limit 'L1.misses<=300' \
        --limit 'accesses<=2048' -m s5E1b5 "$@"
}
grade blocks.c --json >out 2>err || failed "what keeps to its limits does not pass: $(cat out err)"
python3 - <<'END' || failed "the grade is $(cat out)"
import json
g = json.load(open("out"))
assert g["passed"] and g["accesses"] == 2048 and g["status"] == 0
assert [l["passed"] for l in g["limits"]] == [True, True] and g["limits"][0]["value"] <= 300
END
status=0
grade plain.c >out 2>err || status=$?
[[ $status == 1 ]] && grep -q '^FAILED  L1 misses: 1 1' out && grep -qx 'not passed' out || failed "plain: $status $(cat out err)"
status=0
grade blocks.c -- fail >out 2>err || status=$?
[[ $status == 1 ]] && grep -q 'ended with status 1' out || failed "a program that fails passes: $(cat out err)"
echo 'int main(' >broken.c
status=0
grade broken.c --json >out 2>err || status=$?
[[ $status == 2 ]] && grep -q '"passed": false' out && grep -q 'cannot be compiled' out || failed "broken: $status $(cat out err)"
status=0
grade plain.c --limit 'L1.mises<=3' >out 2>err || status=$?
[[ $status == 2 ]] && grep -q 'did you mean "L1_misses"' err || failed "a limit that is none: $(cat err)"

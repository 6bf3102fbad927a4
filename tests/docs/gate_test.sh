#!/usr/bin/env bash
# gate_test.sh WHORL STATS.MD: the gate that docs/stats.md gives, as it stands there, passes a change that costs nothing, and
# catches a loop that is turned the other way round, with its line, although an edit above has moved it.
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

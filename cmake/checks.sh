# shellcheck shell=bash
# Sourced by ./test: what each of ./test, .ci/run and ./test --all runs. ctest runs every test of the build but for those
# that are left out here; a setting NAME=VALUE says how much such a test does.

# A column is "yes", "-" (left out) or the settings of the tests of that line, whose names match the expression.
kChecks='
tests                      ./test   .ci/run                 ./test --all
.+\.Part|app\.(monkey|waits) yes     WHORL_TEST_SHARE=30     yes
app\.broken                yes      yes                     -
faults                     yes      WHORL_FAULT_STEP=8      yes
slow\.(faults|broken)      -        -                       yes
bench\.floor               -        yes                     yes
slow\.(asan|tsan)          -        WHORL_SLOW_SHARE=10     WHORL_SLOW_SHARE=100
slow\.(page|browser)        -        -                       yes
slow\.fuzz                 -        WHORL_FUZZ_SECONDS=4    WHORL_FUZZ_SECONDS=60
slow\.tidy                 -        WHORL_TIDY=changed      WHORL_TIDY=all
'

# chooseChecks 1|2|3: exports the settings of that column, and puts the names of the tests that it leaves out into leftOut,
# an expression.
chooseChecks() {
    local name columns
    leftOut=
    while read -r name columns; do
        [[ -n $name && $name != tests ]] || continue
        read -ra columns <<<"$columns"
        case ${columns[$1 - 1]} in
            -) leftOut+="${leftOut:+|}$name" ;;
            *=*) export "${columns[$1 - 1]?}" ;;
        esac
    done <<<"$kChecks"
    leftOut="^($leftOut)\$"
}

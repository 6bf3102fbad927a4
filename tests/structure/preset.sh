#!/usr/bin/env bash
# preset.sh PRESET [TARGET...]: builds these targets, or all, by a preset of CMakePresets.json and runs its tests.
# Continues after an error, to report all of them; silent about successes.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=tests/structure/steps.sh
source tests/structure/steps.sh
preset=$1
folder=build/$preset
shift

# What ccache, if installed, needs to handle precompiled headers.
export CCACHE_SLOPPINESS=pch_defines,time_macros
mkdir -p "$folder"
build() {
    cmake --preset "$preset" >"$folder/configure.log" 2>&1 || {
        cat "$folder/configure.log"
        return 1
    }
    cmake --build "$folder" --parallel "$(nproc)" --target "${@:-all}" -- -k 0 >"$folder/build.log" 2>&1 || {
        grep -vE '^\[ *[0-9]+/|^[0-9]+ warnings? generated' "$folder/build.log"
        return 1
    }
}

# Sanitizers of this age may fail on a kernel that randomizes addresses widely; a container may not allow the query.
fixedAddresses=()
if setarch --addr-no-randomize true 2>/dev/null; then fixedAddresses=(setarch --addr-no-randomize); fi

# A sanitizer that looked up names itself would do so in each run, for the leaks of libraries (leaks.supp).
runTests() {
    "${fixedAddresses[@]}" ctest --preset "$preset" --parallel "$(($(nproc) + 1))" | asan_symbolize-14 -d
}

if [[ $preset == tsan ]]; then unlessLate 9 "the thread sanitizer"; fi
step "$preset: build" build "$@"
# Of the rounds of tests with random input, that percentage.
export WHORL_TEST_SHARE=${WHORL_SLOW_SHARE:-100}
step "$preset: tests" runTests

#!/usr/bin/env bash
# preset.sh PRESET [TARGET...]: builds these targets, or all, by a preset of CMakePresets.json and runs its tests. Goes
# on after an error, so as to tell all of them; says nothing of what went well.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=tests/structure/steps.sh
source tests/structure/steps.sh
preset=$1
folder=build/$preset
shift

# What ccache, where there is one, needs to know of precompiled headers.
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

# Sanitizers of this age may not survive a kernel that scatters addresses widely; a container may not let us ask.
fixedAddresses=()
if setarch --addr-no-randomize true 2>/dev/null; then fixedAddresses=(setarch --addr-no-randomize); fi

step "$preset: build" build "$@"
step "$preset: tests" "${fixedAddresses[@]}" ctest --preset "$preset" --parallel "$(nproc)"

#!/usr/bin/env bash
# tidy.sh: clang-tidy over every source file of the program, each compiled by itself, which also detects a missing
# #include.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=tests/structure/steps.sh
source tests/structure/steps.sh

tidy() {
    mkdir -p build/tidy
    cmake --preset tidy >build/tidy/configure.log 2>&1 || {
        cat build/tidy/configure.log
        return 1
    }
    run-clang-tidy-14 -quiet -j "$(nproc)" -p build/tidy '/(sim|render|app)/.*\.cpp$' >build/tidy/tidy.log 2>&1 || {
        grep -vE '^(clang-tidy-14|[0-9]+ warnings? generated|Suppressed|Use -header-filter)' build/tidy/tidy.log
        return 1
    }
}

step "clang-tidy" tidy

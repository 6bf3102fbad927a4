#!/usr/bin/env bash
# tidy.sh: clang-tidy over every source file of the program. In CI, where WHORL_SLOW_SHARE makes the slow tests short,
# many files are read as one, since most of the time goes into the headers; else each is compiled by itself, so that a missing
# #include is found too.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=tests/structure/steps.sh
source tests/structure/steps.sh

tidy() {
    local unity=OFF
    if [[ -n ${WHORL_SLOW_SHARE-} ]]; then unity=ON; fi
    mkdir -p build/tidy
    cmake --preset tidy -D WHORL_UNITY=$unity >build/tidy/configure.log 2>&1 || {
        cat build/tidy/configure.log
        return 1
    }
    run-clang-tidy-14 -quiet -j "$(nproc)" -p build/tidy -header-filter='/(sim|render|app)/.*\.(h|cpp)$' \
        '(/(sim|render|app)/.*\.cpp|/Unity/unity_.*\.cxx)$' >build/tidy/tidy.log 2>&1 || {
        grep -vE '^(clang-tidy-14|[0-9]+ warnings? generated|Suppressed|Use -header-filter)' build/tidy/tidy.log
        return 1
    }
}

step "clang-tidy" tidy

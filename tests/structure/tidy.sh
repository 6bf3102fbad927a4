#!/usr/bin/env bash
# tidy.sh: clang-tidy over the source files of the program. WHORL_TIDY=all: each compiled by itself, so that a missing
# #include is found too. WHORL_TIDY=changed: those that differ from the newest commit that is four hours old, and those
# that changed headers belong to, several compiled as one; where there is no such commit, or the checks themselves have
# changed, every file.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=tests/structure/steps.sh
source tests/structure/steps.sh

# changedFiles: the C++ files that have changed, one a line; fails where that is not known.
changedFiles() {
    local base files
    base=$(git rev-list -1 --before='4 hours ago' HEAD 2>/dev/null) || return 1
    [[ -n $base ]] || return 1
    files=$(git diff --name-only "$base" && git ls-files --others --exclude-standard) || return 1
    if grep -qE '^(\.clang-tidy|CMakePresets\.json|tests/structure/tidy\.sh)$' <<<"$files"; then return 1; fi
    grep -E '^(sim|render|app)/.*\.(cpp|h)$' <<<"$files" || true
}

# A header is read with its own source file; one that has none with the first file that includes it.
sourcesOf() {
    local file
    while read -r file; do
        if [[ $file == *.h ]]; then
            if [[ -f ${file%.h}.cpp ]]; then
                file=${file%.h}.cpp
            else
                file=$(grep -rlF --include='*.cpp' "#include \"$file\"" sim render app | sort | head -n 1) || true
            fi
        fi
        if [[ -f $file ]]; then printf '%s\n' "$file"; fi
    done | sort -u
}

# unitsOf: the files that are compiled for these, as expressions of run-clang-tidy.
unitsOf() {
    local file unit
    while read -r file; do
        # A file that is compiled by itself is in none of them.
        unit=$(grep -rlF --include='unity_*.cxx' "/$file\"" build/tidy/CMakeFiles | head -n 1) || true
        printf '%s$\n' "${unit:-/$file}"
    done | sort -u
}

tidy() {
    local unity=OFF files=() which=('(/(sim|render|app)/.*\.cpp|/Unity/unity_.*\.cxx)$')
    if [[ ${WHORL_TIDY-all} == changed ]]; then unity=ON; fi
    mkdir -p build/tidy
    cmake --preset tidy -D WHORL_UNITY=$unity >build/tidy/configure.log 2>&1 || {
        cat build/tidy/configure.log
        return 1
    }
    if [[ $unity == ON ]] && changedFiles >build/tidy/changed; then
        mapfile -t files < <(sourcesOf <build/tidy/changed)
        printf 'clang-tidy reads what has changed: %s files\n' "${#files[@]}"
        if ((${#files[@]} == 0)); then return 0; fi
        mapfile -t which < <(printf '%s\n' "${files[@]}" | unitsOf)
    fi
    run-clang-tidy-14 -quiet -j "$(nproc)" -p build/tidy -header-filter='/(sim|render|app)/.*\.(h|cpp)$' \
        "${which[@]}" >build/tidy/tidy.log 2>&1 || {
        grep -vE '^(clang-tidy-14|[0-9]+ warnings? generated|Suppressed|Use -header-filter)' build/tidy/tidy.log
        return 1
    }
}

if [[ ${WHORL_TIDY-all} == changed ]]; then unlessLate 15 "clang-tidy"; fi
step "clang-tidy" tidy

#!/usr/bin/env bash
# fuzz.sh FOLDER: runs every fuzzer fuzz_NAME that was built in FOLDER for a minute, or for WHORL_FUZZ_SECONDS, from its
# corpus in tests/fuzz/corpus/NAME. New inputs stay in FOLDER.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
corpora=$here/../fuzz/corpus
# shellcheck source=tests/structure/steps.sh
source "$here/steps.sh"

fuzzOne() {
    local name learnt log corpus
    name=$(basename "$1")
    log=$PWD/$name.log
    learnt=$PWD/learnt/$name
    mkdir -p "$learnt"
    for corpus in "$corpora/${name#fuzz_}" "$corpora/$name"; do
        if [[ -d $corpus ]]; then set -- "$@" "$corpus"; fi
    done
    # A fixed seed: code that a change does not touch should behave as before.
    if "$1" -seed=1 -max_total_time="${WHORL_FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$PWD/$name." "$learnt" "${@:2}" >"$log" 2>&1; then
        printf '%s: %s inputs tried\n' "$name" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    else
        tail -n 60 "$log"
        printf '%s: FAILED, all it said is in %s\n' "$name" "$log"
        return 1
    fi
}

# As many at a time as there are processors.
fuzzAll() {
    find . -maxdepth 1 -type f -name 'fuzz_*' -executable -print0 | sort -z | xargs -0 -r -n 1 -P "$(nproc)" "$here/fuzz.sh"
}

# Calls itself for each fuzzer.
if [[ -d $1 ]]; then
    cd "$1"
    if [[ -z $(find . -maxdepth 1 -type f -name 'fuzz_*' -executable) ]]; then
        echo "no fuzzer was built in $1"
        exit 1
    fi
    step "fuzzers" fuzzAll
else
    fuzzOne "$1"
fi

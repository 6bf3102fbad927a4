#!/usr/bin/env bash
# fuzz.sh: lets every fuzzer fuzz_NAME that was built in the current folder run for a minute, or for
# WHORL_FUZZ_SECONDS, from its corpus in tests/fuzz/corpus/NAME. What it learns stays in the current folder.
set -euo pipefail
corpora=$(dirname "$(readlink -f "$0")")/../fuzz/corpus

fuzzOne() {
    local name learnt log corpus
    name=$(basename "$1")
    log=$PWD/$name.log
    learnt=$PWD/learnt/$name
    mkdir -p "$learnt"
    for corpus in "$corpora/${name#fuzz_}" "$corpora/$name"; do
        if [[ -d $corpus ]]; then set -- "$@" "$corpus"; fi
    done
    # A fixed seed: what a change does not touch should behave as it did yesterday.
    if "$1" -seed=1 -max_total_time="${WHORL_FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$PWD/$name." "$learnt" "${@:2}" >"$log" 2>&1; then
        printf '%s: %s inputs tried\n' "$name" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    else
        tail -n 60 "$log"
        printf '%s: FAILED, all it said is in %s\n' "$name" "$log"
        return 1
    fi
}

# Calls itself for each fuzzer, as many at a time as there are processors.
if (($#)); then
    fuzzOne "$1"
else
    if [[ -z $(find . -type f -name 'fuzz_*' -executable) ]] && compgen -G "$corpora/../*.cpp" >/dev/null; then
        echo "there are sources in tests/fuzz, but no fuzzer was built from them"
        exit 1
    fi
    find . -type f -name 'fuzz_*' -executable -print0 | sort -z | xargs -0 -r -n 1 -P "$(nproc)" "$0"
fi

#!/usr/bin/env bash
# second_build.sh FOLDER [OPTION=VALUE...] [-- COMMAND...]: builds the tree with clang++ and these options of CMake in
# FOLDER, then runs COMMAND there. Goes on after an error, so as to tell all of them; says nothing of what went well.
set -euo pipefail
folder=$1
shift
options=()
while (($#)) && [[ $1 != -- ]]; do
    options+=("-D$1")
    shift
done

# What ccache needs to know of precompiled headers.
export CCACHE_SLOPPINESS=pch_defines,time_macros
mkdir -p "$folder"
cmake -S "$(dirname "$(readlink -f "$0")")/../.." -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DWHORL_STRUCTURE=OFF \
    "${options[@]}" >"$folder/configure.log" 2>&1 || {
    cat "$folder/configure.log"
    exit 1
}
cmake --build "$folder" --parallel "$(nproc)" -- -k 0 >"$folder/build.log" 2>&1 || {
    grep -vE '^\[ *[0-9]+/|^[0-9]+ warnings? generated' "$folder/build.log"
    exit 1
}
if (($#)); then
    cd "$folder"
    "${@:2}"
fi

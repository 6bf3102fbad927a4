#!/bin/bash
# build_revision.sh REVISION TARGET...: builds these of a revision in release and prints its build folder; "tree" is the
# working tree as it is. What has been built stays in build/nets, for the next time: remove that at will.
set -euo pipefail
revision=$1
shift
root=$(dirname "$(readlink -f "$0")")/../..
root=$(cd "$root" && pwd)
if [ "$revision" = tree ]; then
    source=$root
    build=$root/build/nets/tree
else
    commit=$(git -C "$root" rev-parse --verify --quiet "$revision^{commit}") || {
        echo "$0: there is no revision $revision" >&2
        exit 2
    }
    source=$root/build/nets/$commit
    build=$source/build
    if [ ! -e "$source/CMakeLists.txt" ]; then
        mkdir -p "$source"
        git -C "$root" archive "$commit" | tar -x -C "$source"
    fi
fi
# A compiler's cache makes this cheap; both are compiled alike, so that nothing differs but their sources.
launcher=()
if command -v ccache >/dev/null && [ -z "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ]; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
fi
mkdir -p "$(dirname "$build")"
{
    cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWHORL_TESTS=ON "${launcher[@]}"
    ninja -C "$build" "$@"
} >"$build.log" 2>&1 || {
    tail -n 30 "$build.log" >&2
    exit 2
}
echo "$build"

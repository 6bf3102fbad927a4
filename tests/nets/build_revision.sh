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
    build=$root/build
    # That of ./test, unless it has been made another one.
    if [ -e "$build/CMakeCache.txt" ] && ! { grep -qx 'CMAKE_BUILD_TYPE:[A-Z]*=Release' "$build/CMakeCache.txt" &&
        grep -qx 'WHORL_SANITIZE:[A-Z]*=' "$build/CMakeCache.txt"; }; then build=$root/build/nets/tree; fi
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
mkdir -p "$build"
options=(-DWHORL_TESTS=ON)
if [ ! -e "$build/CMakeCache.txt" ]; then
    options+=(-G Ninja -DCMAKE_BUILD_TYPE=Release)
    # A compiler's cache makes it cheap.
    if command -v ccache >/dev/null && [ -z "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ]; then
        options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
    fi
fi
{
    cmake -S "$source" -B "$build" "${options[@]}"
    cmake --build "$build" --parallel "$(nproc)" --target "$@"
} >"$build/nets.log" 2>&1 || {
    tail -n 30 "$build/nets.log" >&2
    exit 2
}
echo "$build"

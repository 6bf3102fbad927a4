#!/usr/bin/env bash
# cmake/build_player.sh FOLDER: compiles the players of pages to WebAssembly, the one with all views (player) and the one
# with few (player_few), and packs each as pages hold it: its code in FOLDER/player.code (base64 of gzip), the rest in
# FOLDER/player.packed (its size, and LZMA as text). Needs emscripten,
# node-acorn, ninja and the sources of some libraries (player_sources.sh).
set -euo pipefail

root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/..
folder=$(realpath -m "$1")
for tool in em++ emcmake ninja; do
    command -v "$tool" >/dev/null || {
        echo "whorl: the player of pages is compiled by emscripten: install emscripten node-acorn ninja-build dpkg-dev" >&2
        exit 1
    }
done
bash "$root/cmake/player_sources.sh" "$folder/sources"
# Debian's emscripten looks for acorn where Node.js does not by itself.
export NODE_PATH=/usr/share/nodejs
emcmake cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWHORL_SOURCES="$folder/sources" >/dev/null
ninja -C "$folder"

# LZMA is a quarter smaller than what browsers unpack by themselves; a megabyte unpacks in about a tenth of a second.
for player in player player_few; do
    printf '%s:%s' "$(stat -c %s "$folder/$player.wasm")" \
        "$(xz --format=lzma --lzma1=preset=9e,lc=4,pb=0,dict=4MiB -c "$folder/$player.wasm" |
            node "$root/cmake/dense_text.js")" \
        >"$folder/$player.packed"
    {
        printf "const unpackCode = '%s';\n" "$(base64 -w0 "$folder/unpack.wasm")"
        cat "$folder/$player.js" "$root/app/page/web/driver.js"
    } | gzip -9n | base64 -w0 >"$folder/$player.code"
done

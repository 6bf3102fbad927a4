#!/bin/bash
# Whether two programs draw the same pictures, to the byte of each pixel:
#
#   pictures.sh REVISION [REVISION]      two revisions of git, which are built; the second is the working tree if left out
#   pictures.sh --binaries BUILD BUILD   what has been built in two folders (whorl and tests/app_tests)
#
# Draws all golden pictures, all scenes of all built-in tours as slides and with the panels, and the frames of three short
# films. Prints which pictures differ, and keeps both and their difference in a folder that it names. Exit status 1 if any
# differs. Needs ffmpeg.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
export LIBGL_ALWAYS_SOFTWARE=1 LC_ALL=C.UTF-8
unset DISPLAY WAYLAND_DISPLAY

case ${1-} in
--binaries) builds=("${2:?a build folder}" "${3:?a second build folder}") ;;
"" | -*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
*)
    builds=()
    for revision in "$1" "${2:-tree}"; do builds+=("$("$here/build_revision.sh" "$revision" whorl app_tests)"); done
    ;;
esac
folder=$(mktemp -d "${TMPDIR:-/tmp}/whorl-pictures-XXXX")

# golden BUILD FOLDER
golden() {
    mkdir "$2/golden"
    local drawn=0
    WHORL_GOLDEN_FOLDER=$2/golden "$1/tests/app_tests" --gtest_filter='*Goldens*' --gtest_brief=1 >"$2/golden.log" 2>&1 || drawn=$?
    if [ $drawn != 0 ] || [ ! -e "$2/golden/renderer.txt" ]; then
        echo "the golden pictures of $1 cannot be drawn; see $2/golden.log (older revisions cannot write them elsewhere)" >&2
        return 2
    fi
}
# scenes BUILD FOLDER TOUR
scenes() {
    local whorl=$1/whorl scene
    "$whorl" slides "$3" --size 640x360 -o "$2/slides/$3/" 2>/dev/null
    mkdir "$2/scenes/$3"
    for scene in $("$whorl" scenes "$3" | sed -n 's/^\([a-z0-9-]*\): .*/\1/p'); do
        "$whorl" frame --tour "$3" --scene "$scene" --size 640x360 --panels --ground light -o "$2/scenes/$3/$scene.png" \
            2>/dev/null
    done
}
# film BUILD FOLDER NAME ARGUMENT...: sixty frames of two seconds.
film() {
    "$1/whorl" record "${@:4}" --fps 30 --size 640x360 -o "$2/films/$3/" 2>/dev/null
}
# draw BUILD FOLDER: everything.
draw() {
    local build tour
    build=$(readlink -f "$1")
    mkdir -p "$2/slides" "$2/scenes" "$2/films"
    golden "$build" "$2"
    for tour in $("$build/whorl" complete -- scenes '' | sed -n 's/^\([a-z-]*\)\t.*/\1/p'); do scenes "$build" "$2" "$tour"; done
    film "$build" "$2" run matmul:n=16 -m paper --from 1000 --to 1016
    film "$build" "$2" pair matmul:n=8 --with matmul:n=8,variant=blocked --lock share --from 300 --to 316 --view rings,memory
    film "$build" "$2" sharing vecadd:n=24 --from 40 --to 100 --speed 30 --view rings,block:L1
}

# pixels FILE: a checksum of them, whatever way they are compressed.
pixels() { ffmpeg -nostdin -v error -i "$1" -f rawvideo -pix_fmt rgba - | sha256sum; }
# same NAME: whether it is one picture.
same() {
    cmp -s "$folder/a/$1" "$folder/b/$1" && return
    [ -e "$folder/a/$1" ] && [ -e "$folder/b/$1" ] &&
        [ "$(pixels "$folder/a/$1")" = "$(pixels "$folder/b/$1")" ]
}
# keep NAME: prints it, and keeps it.
keep() {
    local kept=$folder/differ/${1%.png} side
    mkdir -p "$(dirname "$kept")"
    for side in a b; do
        if [ -e "$folder/$side/$1" ]; then cp "$folder/$side/$1" "$kept.$side.png"; else echo "only in one: $1" && return; fi
    done
    echo "differs: $1"
    # Black where they agree; the rest is made bright, as differences may be small. Pictures of two sizes have none.
    ffmpeg -nostdin -v error -i "$kept.a.png" -i "$kept.b.png" -filter_complex \
        '[0]format=gbrp[a];[1]format=gbrp[b];[a][b]blend=all_mode=difference,lutrgb=r=min(255\,val*8):g=min(255\,val*8):b=min(255\,val*8)' \
        -y "$kept.difference.png" 2>/dev/null || echo "  in its size"
}

mkdir "$folder/a" "$folder/b"
draw "${builds[0]}" "$folder/a" &
first=$!
draw "${builds[1]}" "$folder/b"
wait "$first"

names=$(cd "$folder" && { (cd a && find . -name '*.png') && (cd b && find . -name '*.png'); } | sort -u | cut -c3-)
count=$(wc -l <<<"$names")
differing=0
while read -r name; do
    same "$name" || { keep "$name" && differing=$((differing + 1)); }
done <<<"$names"
echo "$count pictures, of which $differing differ"
if ((differing)); then
    echo "see $folder/differ: a is ${builds[0]}, b is ${builds[1]}"
    exit 1
fi
rm -rf "$folder"

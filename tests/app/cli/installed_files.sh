# shellcheck shell=bash
# Sourced by the tests of installed copies: what readers, shells and desktops look for is there, and they take it. Needs
# a function `failed`. A checker that is not installed is left out, and that is said.

# checkedBy PROGRAM ARGUMENTS...: what it says is in $folder/said.
checkedBy() {
    if ! command -v "$1" >/dev/null; then
        echo "$1 is not installed: it has not checked what is for it"
        return
    fi
    "$@" >"$folder/said" 2>&1 || failed "$*: $(cat "$folder/said")"
}

# checkInstalledFiles PREFIX ZSH: ZSH is the folder of functions for zsh.
checkInstalledFiles() {
    local share=$1/share zsh=$2 size page

    bash -c '. "$1" && complete -p whorl' - "$share/bash-completion/completions/whorl" >"$folder/said" ||
        failed "completion for bash"
    grep -q '^#compdef whorl$' "$zsh/_whorl" || failed "completion for zsh"
    grep -q '^complete -c whorl ' "$share/fish/vendor_completions.d/whorl.fish" || failed "completion for fish"

    for page in whorl whorl-frame whorl-stats; do
        [[ -f $share/man/man1/$page.1 || -f $share/man/man1/$page.1.gz ]] || failed "there is no manual page $page"
    done
    for page in README.md copyright docs/capture.md; do [[ -f $share/doc/whorl/$page ]] || failed "there is no $page"; done

    checkedBy desktop-file-validate "$share/applications/whorl.desktop"
    checkedBy appstreamcli validate --no-net --no-color "$share/metainfo/org.whorl.whorl.metainfo.xml"
    grep -q "version=\"$("$1/bin/whorl" --version | cut -d' ' -f2)\"" "$share/metainfo/org.whorl.whorl.metainfo.xml" ||
        failed "the version of the metainfo"
    [[ -s $share/icons/hicolor/scalable/apps/whorl.svg ]] || failed "there is no icon as SVG"
    for size in 48 128 256; do
        python3 -c 'import struct, sys
data = open(sys.argv[1], "rb").read(26)
sys.exit(data[:8] != b"\x89PNG\r\n\x1a\n" or struct.unpack(">II", data[16:24]) != (int(sys.argv[2]),) * 2)' \
            "$share/icons/hicolor/${size}x$size/apps/whorl.png" "$size" || failed "the icon of $size pixels"
    done
    checkTypes "$1"
}

# checkTypes PREFIX: a desktop recognizes traces by what is in them, and tours by their names.
checkTypes() {
    if ! command -v update-mime-database >/dev/null || ! command -v gio >/dev/null; then
        echo "update-mime-database or gio is not installed: types of files are not checked"
        return
    fi
    mkdir -p "$folder/types/mime/packages"
    cp "$1/share/mime/packages/whorl.xml" "$folder/types/mime/packages"
    update-mime-database -V "$folder/types/mime" >"$folder/said" 2>&1 || failed "types: $(cat "$folder/said")"
    "$1/bin/whorl" trace matmul:n=4 -o "$folder/a.whorl" 2>/dev/null
    cp "$folder/a.whorl" "$folder/without-a-name"
    echo '{}' | tee "$folder/a.tour.json" >"$folder/a.json"
    local file type
    while read -r file type; do
        XDG_DATA_HOME=$folder/types gio info -a standard::content-type "$folder/$file" >"$folder/said"
        grep -q ": $type\$" "$folder/said" || failed "$file is $(tail -1 "$folder/said"), not $type"
    done <<<"a.whorl application/x-whorl-trace
without-a-name application/x-whorl-trace
a.tour.json application/x-whorl-tour+json
a.json application/json"
    grep -q 'MimeType=application/x-whorl-trace;application/x-whorl-tour+json;' "$1/share/applications/whorl.desktop" ||
        failed "the desktop opens neither traces nor tours"
}

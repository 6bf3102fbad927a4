#!/usr/bin/env bash
# cmake/player_sources.sh FOLDER: the sources of zlib, zstd and xz of this Debian release, for the player of pages, each
# in a folder of its package's name. Takes them from the mirror that apt uses, without changing apt's own lists; keeps
# what is there.
set -euo pipefail

folder=$(realpath -m "$1")
packages=(zlib libzstd xz-utils)
for tool in apt-get dpkg-source; do
    command -v "$tool" >/dev/null || {
        echo "whorl: the player of pages needs $tool for the sources of ${packages[*]}: install dpkg-dev" >&2
        exit 1
    }
done
missing=()
for package in "${packages[@]}"; do [[ -d $folder/$package ]] || missing+=("$package"); done
((${#missing[@]} > 0)) || exit 0

state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$folder" "$state/lists/partial" "$state/cache/archives/partial"
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format "\$(REPO_URI) \$(RELEASE)" 'Created-By: Packages' |
    awk -v release="$release" '$2 == release || $2 == "oldstable" || $2 == "stable" { print $1; exit }')
mirror=${mirror:-http://deb.debian.org/debian/}
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" >"$state/sources.list"
apt() {
    apt-get -qq -o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$state/lists" -o Dir::Cache="$state/cache" -o APT::Sandbox::User=root "$@"
}
apt update
cd "$state"
apt source --download-only "${missing[@]}"
for package in "${missing[@]}"; do
    dpkg-source --no-check -x "$package"_*.dsc "$state/$package" >/dev/null
    mv "$state/$package" "$folder/"
done

#!/usr/bin/env bash
# package_test.sh BUILD: the Debian package of a build is in order, says what it needs, and works where it is unpacked.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export LIBGL_ALWAYS_SOFTWARE=1
unset DISPLAY WAYLAND_DISPLAY
failed() {
    echo "FAILED: $*"
    exit 1
}
# shellcheck source=tests/app/cli/installed_files.sh
source "$here/installed_files.sh"

umask 002 # the builder's own does not matter
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$folder/made" >"$folder/log" 2>&1 || failed "$(cat "$folder/log")"
packages=("$folder"/made/*.deb)
package=${packages[0]}
[[ ${#packages[@]} == 1 && $package =~ /whorl_[0-9.]+_[a-z0-9]+\.deb$ ]] || failed "there are ${packages[*]}"

# --- what it says of itself ---
depends=$(dpkg-deb -f "$package" Depends)
# libegl1: loaded when a frame is drawn without a window, so that no search for linked libraries finds it.
for need in "valgrind (= $(dpkg-query -W -f='${Version}' valgrind))" libc6 libsfml-window2.5 librsvg2-2 fonts-dejavu-core \
    libegl1; do
    [[ ", $depends" == *", $need"* ]] || failed "it does not depend on $need: $depends"
done
[[ $(dpkg-deb -f "$package" Section) == devel ]] || failed "its section"
if command -v lintian >/dev/null; then
    lintian --display-info "$package" >"$folder/said" 2>&1 || true
    grep '^[EW]:\|unused-override' "$folder/said" && failed "lintian is not content"
else
    echo "lintian is not installed: it has not seen the package"
fi

# --- its files: all in /usr, and nobody but root may write to them ---
dpkg-deb -c "$package" >"$folder/files"
grep -v ' \./\(usr/.*\)\?$' "$folder/files" && failed "files outside of /usr"
grep -v '^[dl-]\([r-][w-][x-]\)r-[x-]r-[x-] root/root \|^lrwxrwxrwx root/root ' "$folder/files" && failed "modes of files"

# --- unpacked elsewhere ---
dpkg-deb -x "$package" "$folder/unpacked"
mkdir "$folder/unpacked/usr/libexec"
ln -s /usr/libexec/valgrind "$folder/unpacked/usr/libexec/valgrind" # of the package valgrind
whorl=$folder/unpacked/usr/bin/whorl
cd "$folder"
checkInstalledFiles "$folder/unpacked/usr" "$folder/unpacked/usr/share/zsh/vendor-completions"
for page in "$folder"/unpacked/usr/share/man/man1/*; do
    [[ $page == *.gz ]] || failed "$page is not compressed"
    gzip -dc "$page" | grep -q '^\.TH' || failed "$page is no manual page"
done
gzip -dc "$folder/unpacked/usr/share/doc/whorl/changelog.gz" | head -1 | grep -qF "whorl ($("$whorl" --version | cut -d' ' -f2)) " ||
    failed "the changelog is that of another version"

"$whorl" frame matmul:n=4 --size 320x200 -o packed.png || failed "it draws no frame"
"$build/whorl" frame matmul:n=4 --size 320x200 -o built.png
cmp packed.png built.png || failed "it draws another frame than the build"
cat >values.cpp <<'END_OF_PROGRAM'
int values[1000];
int main() {
    for (int i = 0; i < 1000; ++i) values[i] = i;
    int* const heap = new int[100]();
    const int last = heap[99];
    delete[] heap;
    return last;
}
END_OF_PROGRAM
g++ -g -O0 values.cpp -o values
"$whorl" capture -o values.whorl -- ./values 2>log || failed "capture: $(cat log)"
"$whorl" stats values.whorl --by region --csv >values.csv
grep -q '^values,' values.csv || failed "an array has no name: $(cat values.csv)"
"$whorl" stats values.whorl --by object --csv >objects.csv
grep -q '^heap,' objects.csv || failed "a block of the heap has no name: $(cat objects.csv)"
g++ --version >/dev/null
"$whorl" cc g++ -g -O2 values.cpp -o compiled
"$whorl" capture -o compiled.whorl -- ./compiled 2>log || failed "capture of what whorl cc compiled: $(cat log)"
"$whorl" stats compiled.whorl --by region --csv | grep -c '^values,' >/dev/null || failed "whorl cc"
echo "the package is in order, and works"

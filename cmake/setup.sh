# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by ./run and ./test: which packages to install and how to build the program, given $root (this tree) and
# $build (the build folder). Writes to stderr only, and only when there is something to do or something is wrong.

# To build and run the program.
kRunPackages=(
    g++ cmake ninja-build pkg-config
    libfmt-dev libexpected-dev nlohmann-json3-dev libcli11-dev libzstd-dev liblzma-dev zlib1g-dev libglm-dev
    libsfml-dev libimgui-dev libfreetype-dev libepoxy-dev libegl-dev libx11-dev libpng-dev
    libcairo2-dev librsvg2-dev libdw-dev libiberty-dev valgrind
    libegl-mesa0 libglx-mesa0 libgl1-mesa-dri # software rendering where there is no graphics card
    ffmpeg fonts-dejavu-core                  # videos; text
)
# To run the tests: the window tests need a display, those of completion the shells, those of manual pages their readers,
# those of installed copies what a desktop and a package are checked by, those of docs what is used there.
kTestPackages=(
    libgtest-dev clang-format xvfb xauth xdotool xclip python3 locales
    zsh fish man-db mandoc desktop-file-utils shared-mime-info appstream libglib2.0-bin dpkg-dev
    parallel cmark-gfm
)
# To run the slow tests too: a second compiler, its sanitizers, fuzzers and linker, and readable reports from them; what checks
# packages, which brings many others.
kSlowPackages=(clang clang-tidy libclang-rt-14-dev lld llvm libbenchmark-dev lintian)

# For the pages of `whorl page`: what compiles their player, with the sources of libraries, and the browsers that try it.
kPagePackages=(emscripten node-acorn dpkg-dev xz-utils chromium-driver firefox-esr)

say() { printf 'whorl: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 1
}

# missingPackages PACKAGE...: those that are not installed, one per line.
missingPackages() {
    local installed
    installed=" $(dpkg-query -W -f='${Package}/${db:Status-Status} ' "$@" 2>/dev/null || true)"
    local package
    for package in "$@"; do
        [[ $installed == *" $package/installed "* ]] || printf '%s\n' "$package"
    done
}

# installPackages PACKAGE...: uses the network only when something is missing.
installPackages() {
    local missing log=$build/packages.log asRoot=() apt=(apt-get -y -q -o DPkg::Lock::Timeout=600)
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        die "this is not Debian (there is no apt-get); install what these packages hold, then build with" \
            "'cmake -S . -B build -G Ninja && cmake --build build': $*"
    fi
    mapfile -t missing < <(missingPackages "$@")
    if ((${#missing[@]} == 0)); then return; fi

    if [[ $(id -u) != 0 ]]; then
        command -v sudo >/dev/null ||
            die "packages are missing and there is no sudo; as root: apt-get install --no-install-recommends ${missing[*]}"
        asRoot=(sudo)
    fi
    say "installing ${missing[*]}"
    # An unrelated package source may be broken, so only the installation itself decides.
    "${asRoot[@]}" "${apt[@]}" update </dev/null >"$log" 2>&1 || true
    if ! "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive "${apt[@]}" install --no-install-recommends "${missing[@]}" \
        </dev/null >>"$log" 2>&1; then
        grep -E '^(E|Err|W):' "$log" | grep -v 'Unable to locate' | head -n 4 >&2 || true
        mapfile -t missing < <(missingPackages "${missing[@]}")
        local package unknown=()
        for package in "${missing[@]}"; do
            apt-cache show "$package" >/dev/null 2>&1 || unknown+=("$package")
        done
        if ((${#unknown[@]})); then die "apt-get knows no package ${unknown[*]} (Debian 12 has all; is there a network?)"; fi
        die "apt-get could not install ${missing[*]} (all it said is in $log)"
    fi
}

# configure OPTION=VALUE...: once; afterwards the build itself notices changes.
configure() {
    local cache=$build/CMakeCache.txt option todo=0 afresh=()
    if [[ ! -f $build/build.ninja && ! -f $build/Makefile ]]; then todo=1; fi
    # There is no cache yet, or the tree was copied or moved together with its build folder.
    if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        todo=1 afresh=(--fresh -G Ninja -D CMAKE_BUILD_TYPE=Release)
    fi
    for option in "$@"; do
        # WHORL_TESTS=OFF only skips what has not been built yet: it does not remove what ./test has built.
        [[ $option == *=OFF ]] || grep -qs "^${option%=*}:[A-Z]*=${option#*=}$" "$cache" || todo=1
    done
    if ((todo)); then
        say "configuring"
        cmake -S "$root" -B "$build" "${afresh[@]}" "${@/#/-D}" >"$build/configure.log" 2>&1 || {
            cat "$build/configure.log" >&2
            die "cmake could not configure the build"
        }
    fi
}

# compile TARGET: silent when up to date; otherwise one line of progress, and the compiler's output on failure.
compile() {
    local line log=$build/build.log shown=0 terminal=0
    if [[ -t 2 ]]; then terminal=1; fi
    : >"$log"
    local status=0
    cmake --build "$build" --parallel "$(nproc)" --target "$1" 2>&1 | while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        if [[ $line =~ ^\[(\ *[0-9]+[/%][0-9]*)\]\ (Building|Linking) ]]; then
            if ((terminal)); then
                printf '\rwhorl: building %s ' "${BASH_REMATCH[1]}" >&2
            elif ((!shown)); then
                say "building"
            fi
            shown=1
        fi
    done || status=$?
    if ((terminal)); then printf '\r\033[K' >&2; fi
    if ((status)); then
        grep -vE '^\[ *[0-9]+[/%][0-9]*\] ' "$log" >&2 || true
        die "the build failed (all it said is in $log)"
    fi
}

# withLock NAME FUNCTION [ARGUMENT...]: keeps two runs in one tree from interfering with each other.
withLock() {
    mkdir -p "$build"
    (
        flock -n 9 || {
            say "waiting for another one at work in $build"
            flock 9
        }
        # Without the lock's descriptor; otherwise a process left behind would hold the lock.
        "${@:2}" 9>&-
    ) 9>"$build/.$1.lock"
}

#!/usr/bin/env bash
# installed_test.sh BUILD: an installed copy records programs in each way in which it can be asked to: as they are, by
# `whorl cc` alone and from make, and by CMake's find_package(whorl). Shells, readers and desktops find what is theirs.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
build=$1
# shellcheck source=tests/app/cli/installed_files.sh
source "$here/installed_files.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed() {
    echo "FAILED: $*"
    exit 1
}
cmake --install "$build" --prefix "$folder/a prefix" >"$folder/log" || failed "$(cat "$folder/log")"
# A path with spaces is one, too, but not for a make rule that splits its words.
ln -s "$folder/a prefix" "$folder/prefix"
whorl="$folder/a prefix/bin/whorl"
checkInstalledFiles "$folder/a prefix" "$folder/a prefix/share/zsh/site-functions"

mkdir "$folder/project"
cd "$folder/project"
cat >values.cpp <<'END'
int values[1000];
void fill(int n) {
    for (int i = 0; i < n; ++i) values[i] = i;
}
END
cat >main.cpp <<'END'
#include <whorl.h>
void fill(int n);
int main() {
    WHORL_MARK("begin");
    fill(1000);
}
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(recorded CXX)
find_package(whorl REQUIRED)
add_library(values STATIC values.cpp)
target_link_libraries(values PRIVATE whorl::capture)
add_executable(by_cmake main.cpp)
target_link_libraries(by_cmake PRIVATE values whorl::capture)
END

# records NAME PROGRAM: expects the writes to all of the array, by its name, and nothing else.
records() {
    "$whorl" capture -o "$1.whorl" -- "$2" 2>"$1.log" || failed "$1: $(cat "$1.log")"
    "$whorl" stats "$1.whorl" --by region --csv >"$1.csv" || failed "$1: no statistics"
    grep -q '^values,.*,4000,' "$1.csv" || failed "$1: $(cat "$1.csv")"
    # As it is, a program also uses its stack, which compiled code does not tell of.
    [[ $1 == as_it_is ]] || ! grep -v '^region,\|^values,' "$1.csv" || failed "$1: other accesses"
}
g++ -g -O2 -I"$folder/prefix/include" main.cpp values.cpp -o plain
records as_it_is ./plain
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    "$whorl" cc "$compiler" -g -O2 -I"$folder/prefix/include" main.cpp values.cpp -o "by_$compiler"
    records "compiled_$compiler" "./by_$compiler"
    cmake -S . -B "build_$compiler" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER="$compiler" \
        -DCMAKE_PREFIX_PATH="$folder/prefix" >log 2>&1 || failed "$(cat log)"
    cmake --build "build_$compiler" >log 2>&1 || failed "$(cat log)"
    records "cmake_$compiler" "build_$compiler/by_cmake"
done
printf 'by_make: main.o values.o\n\t$(CXX) $^ -o $@\n' >Makefile
make -s CXX="$folder/prefix/bin/whorl cc g++" CXXFLAGS="-g -O2 -I$folder/prefix/include" || failed "make"
records make ./by_make

# Nothing tells of accesses in what runs when it is not recorded, and the objects for that are in no executable.
runsPlainly() {
    "$1" || failed "$1: does not run"
    ! objdump -d --disassemble=_Z4filli "$1" | grep -q 'call' || failed "$1: calls hooks"
    ! readelf -SW "$1" | grep -q 'whorl' || failed "$1: has objects in it"
}
runsPlainly ./by_make
runsPlainly ./by_g++
ar rcs libvalues.a values.o
"$whorl" cc g++ -L. main.o -lvalues -o by_archive || failed "an archive"
records archive ./by_archive
ln -s by_archive by_link
records link ./by_link
runsPlainly ./by_archive
echo "-L. 'main.o' -lvalues -o by_file" >words
"$whorl" cc g++ @words || failed "words in a file"
records file ./by_file
"$whorl" cc g++ -g -O2 -fPIC -c values.cpp -o shared.o || failed "an object for a library"
"$whorl" cc g++ -shared shared.o -o libshared.so || failed "a library"
"$whorl" cc g++ main.o ./libshared.so -o by_library || failed "a program with a library"
records library ./by_library
./by_library || failed "a program with a library does not run"
# Without the one that records itself, it is recorded as it is.
mkdir -p moved
cp by_make moved/
records as_it_is moved/by_make
! "$whorl" cc g++ -c missing.cpp 2>log || failed "a file that is not there"
[[ $(grep -c 'missing.cpp' log) == 1 ]] || failed "errors are told once: $(cat log)"

# refused WORDS ARGUMENTS...: whorl cc says these words and exits with 2.
refused() {
    local words=$1 status=0
    shift
    "$whorl" cc "$@" 2>log || status=$?
    [[ $status == 2 ]] && grep -qF "$words" log || failed "whorl cc $*: status $status, $(cat log)"
}
refused "the compiler is missing"
refused "not a compiler" ls -l
refused "static" g++ -static main.cpp -o x
refused "sanitizer" g++ -fsanitize=address main.cpp -o x
"$whorl" cc g++ --version | grep -q '(Debian\|GCC\|g++)' || failed "whorl cc g++ --version"
"$whorl" cc --help | grep -q 'records itself' || failed "whorl cc --help"
echo "an installed copy records in every way"

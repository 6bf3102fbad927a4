#!/usr/bin/env bash
# Is every C++ file of the tree formatted by clang-format? Exits with 77 (skipped) where clang-format is not the one of
# Debian 12: other versions break lines elsewhere.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

clangFormat=$(command -v clang-format-14 || command -v clang-format || true)
if [[ -z $clangFormat || $("$clangFormat" --version) != *" 14."* ]]; then
    echo "there is no clang-format 14"
    exit 77
fi
find sim render app tests \( -name '*.h' -o -name '*.cpp' \) -print0 |
    xargs -0 -r -n 32 -P "$(nproc)" "$clangFormat" --dry-run --Werror

#!/usr/bin/env bash
# make_keys.sh WHORL: writes docs/keys.md, the page of all keys, anew.
set -euo pipefail
page=$(dirname "$(readlink -f "$0")")/../docs/keys.md
table=$("$1" help keys)
printf '# Keys\n\nAll keys of the window; `?` shows them there, and `whorl help keys` prints them. None means two things at a time: those\nof a talk are the only ones while the stage is on.\n\n%s\n' "$table" >"$page"

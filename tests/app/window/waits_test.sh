#!/bin/bash
# Whatever programs ask of the window (--control), who waits is answered, and who has left takes nobody's place.
#
#   waits_test.sh WHORL RANDOM_COMMANDS [COMMANDS [SEED]]
#
# WHORL_TEST_SHARE gives the percentage of the 2000 random commands that is enough, at least 200.
set -u
whorl=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/app/window/driver.sh
source "$here/driver.sh"
on_display "$@"
prepare
share=$((2000 * ${WHORL_TEST_SHARE:-100} / 100))
commands=${3:-$((share < 200 ? 200 : share))}
seed=${4:-1}
cd "$folder" || exit 1
socket=$folder/whorl.sock

open_window "Whorl: matmul:n=8" matmul:n=8 --machine paper --paused --control "$socket"
until_true "the socket" test -S "$socket"
client() { python3 "$here/control_client.py" "$socket" "$@" || fail "$*"; }
client waits
# A film is waited for, too, and takes minutes.
"$2" "$seed" "$commands" >random && grep -av '^tour-film$' random >commands || fail "no random commands"
client bursts <commands
resize 900 640
client ask <<<quit >answer
[ "$(cat answer)" = ok ] || fail "it does not end: $(cat answer)"
wait "$pid" || fail "the program ended with status $?"
pid=

#!/usr/bin/env bash
# sweeps_test.sh WHORL STATS.MD: the script and the command lines that docs/stats.md gives for sweeps of thousands of
# points, as they stand there, give what one run gives; what was interrupted is named, and done again.
set -euo pipefail
real=$(realpath "$1") page=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir home
export LC_ALL=C.UTF-8 HOME=$folder/home PATH=$folder/bin:$PATH
unset DISPLAY WAYLAND_DISPLAY SLURM_ARRAY_TASK_ID
failed() {
    echo "FAILED: $*"
    exit 1
}

# --- what the page says ---
# block INFO N: the Nth block with these words after its fence.
block() {
    awk -v fence="\`\`\`$1" -v n="$2" '/^```/ { if (inside) inside = 0; else inside = $0 == fence && ++seen == n; next } inside' "$page"
}
block "bash sweep.sh" 1 >sweep.sh
block sh 1 >here
block sh 2 >elsewhere
block sh 3 >slurm
for file in sweep.sh here elsewhere slurm; do
    [[ -s $file ]] || failed "the page has no $file"
    bash -n "$file" || failed "$file is not in order"
done
grep -q '^parallel .* bash sweep.sh ::: {1..48}$' here || failed "the page does not use GNU parallel as expected"
grep -q '^parallel --sshlogin node1,node2,: ' elsewhere || failed "the page names no other computers"
grep -qx 'sbatch sweep.sh' slurm || failed "the page does not use Slurm as expected"
# Slurm reads its options from the lines before the first command, and the page promises so many points.
sed '/^[^#]/,$d' sweep.sh | grep -qx '#SBATCH --array=1-48' || failed "the script has not 48 jobs"
sed '/^[^#]/,$d' sweep.sh >options
[[ $(grep -c '^#SBATCH --[a-z-]*=' options) == $(($(wc -l <options) - 1)) ]] || failed "the options: $(cat options)"
points=$(grep -oE '[0-9]+ machines' "$page" | head -n 1 | cut -d' ' -f1)

# --- the program, as a person has it; shards that are listed in `doomed` are killed. What runs is counted. ---
mkdir bin
cat >bin/whorl <<END
#!/bin/bash
for word in "\$@"; do
    if [[ \$word == */48 ]]; then
        printf '%s\n' "\${word%/48}" >>"$folder/ran"
        if grep -qsx "\${word%/48}" "$folder/doomed"; then
            "$real" "\$@" &
            kill -KILL \$!
            wait \$!
            exit
        fi
    fi
done
exec "$real" "\$@"
END
# Other computers: a shell on this one, in another folder. Like a login, it says which shell: without one, GNU parallel
# takes a job for done that has not begun.
cat >bin/ssh <<END
#!/bin/bash
export SHELL=/bin/bash
while [[ \$1 == -* ]]; do [[ \$1 == -[lpo] ]] && shift; shift; done
printf '%s\n' "\$1" >>"$folder/hosts"
shift
[[ \$1 == -- ]] && shift
cd
exec bash -c "\$*"
END
chmod +x bin/*

whorl trace matmul:n=6 -o my.whorl
# The run without shards has the same options.
sed 's|--shard "$shard/48" -o "parts/$shard.csv"|-o whole.csv|; s|--jobs 1|--jobs 0|; /^shard=/d' sweep.sh | bash
[[ -s whole.csv && $(cut -d, -f4 whole.csv | sort -u | wc -l) == $((points + 1)) ]] || failed "not $points points"
[[ $(grep -c ',error,' whole.csv) == 1 ]] || failed "points are in error"

# --- GNU parallel ---
if command -v parallel >/dev/null; then
    printf '%s\n' 7 12 13 14 >doomed
    bash -e here >out 2>err && failed "shards that were killed are not missed"
    merging=$(sed -n 's/^whorl merge //p' here)
    eval "whorl merge $merging" 2>err && failed "shards are merged though some are missing"
    said=$(sed -n 's/^    whorl: shards/whorl: shards/p' "$page")
    [[ -n $said && $(grep -v '^merging' err) == "$said" ]] || failed "the page says '$said', and the program '$(cat err)'"
    [[ ! -e sweep.csv ]] || failed "there is a result though shards are missing"
    [[ $(find parts -name '*.csv' | wc -l) == 44 && ! -e parts/7.csv ]] || failed "there are $(ls parts)"
    # Again, and one fails once more: only what failed is run.
    echo 12 >doomed
    : >ran
    bash -e here >out 2>err && failed "a shard that was killed again is not missed"
    [[ $(sort -n ran | tr '\n' ' ') == "7 12 13 14 " ]] || failed "again ran $(tr '\n' ' ' <ran)"
    # A run that is stopped as a whole: the log does not know of what was at work, or not begun.
    : >doomed
    sed -i '/sweep.sh 4[0-9]$/d' parts/log
    rm parts/4?.csv
    : >ran
    bash -e here >out 2>err || failed "the page's commands: $(head -n 20 err)"
    [[ $(sort -n ran | tr '\n' ' ') == "12 40 41 42 43 44 45 46 47 48 " ]] || failed "at last ran $(tr '\n' ' ' <ran)"
    cmp whole.csv sweep.csv || failed "48 shards give something else than one run"
    mkdir reference
    cp parts/*.csv reference

    # --- other computers go on with what is left ---
    sed -i '/sweep.sh 4[0-9]$/d' parts/log
    rm parts/4?.csv sweep.csv
    bash -e elsewhere >out 2>err || failed "other computers: $(head -n 20 err)"
    eval "whorl merge $merging"
    cmp whole.csv sweep.csv || failed "other computers give something else"
    for host in node1 node2; do grep -qx $host hosts || failed "$host had no work: $(sort hosts | uniq -c)"; done
    rm -r parts sweep.csv
else
    echo "parallel is not installed: its way has not been tried"
    mkdir -p reference
    for shard in {1..48}; do
        mkdir -p parts
        bash sweep.sh "$shard"
    done
    mv parts/*.csv reference
    rm -r parts
fi

# --- Slurm: what it runs for some jobs of the array ---
eval "$(grep '^mkdir' slurm)"
for job in 1 12 48; do
    SLURM_ARRAY_TASK_ID=$job bash sweep.sh || failed "job $job"
    cmp "parts/$job.csv" "reference/$job.csv" || failed "job $job measures something else"
done
whorl merge parts/*.csv 2>err && failed "three jobs of 48 are the whole"
grep -q '^whorl: shards 2-11,13-47 of the 48 of the sweep are missing' err || failed "$(cat err)"

# --- a part that was cut off while it was copied ---
cp reference/*.csv parts
for bytes in 0 100 5000; do
    head -c $bytes reference/9.csv >parts/9.csv
    whorl merge parts/*.csv -o cut.csv 2>err && failed "a part of $bytes bytes counts"
    [[ $(grep -vc '^merging' err) == 1 && ! -e cut.csv ]] || failed "a part of $bytes bytes: $(cat err)"
done
echo "$points points: shards give what one run gives"

#!/bin/bash
# Films and slides of tours as a user makes them: lengths, captions, chapters, sound, transparency, clips, pages, and one
# clear sentence per mistake.
#
#   films_test.sh WHORL
set -u
whorl=$1
# shellcheck source=tests/app/cli/calls.sh
source "$(dirname "$(readlink -f "$0")")/calls.sh"

# mistake WORDS COMMAND...: is wrong, and one sentence says so, beside lines of progress.
mistake() {
    wrong "$@"
    [ "$(grep -vc '…' err)" = 1 ] || fail "${*:2} said more than a sentence"
}
# probe FILE WHAT: a value that ffprobe finds.
probe() { ffprobe -v error -show_entries "$2" -of default=nokey=1:noprint_wrappers=1 "$1"; }
# near A B: within a twentieth of a second.
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b < 0.05 && b - a < 0.05) }'; }

cat >t.tour.json <<'J'
{"title": "A test", "source": "Of films",
 "scenes": [
  {"id": "one", "title": "First; #1", "words": "It plays.", "input": "matmul:n=8", "at": 100, "to": 110, "seconds": 1, "wait": 0.5,
   "notes": "Say hello."},
  {"id": "two", "title": "Second", "words": "A question.", "to": 115, "seconds": 0.5,
   "question": {"text": "What?", "choices": ["Yes", "No"], "answer": "No", "why": "So it is."}}]}
J
small="--size 160x90 --fps 10"

# --- a film: twice the same bytes, its length, its chapters ---
ok "$whorl" record t.tour.json $small -o a.mp4
ok "$whorl" record --tour t.tour.json $small -o b.mp4
cmp -s a.mp4 b.mp4 || fail "the same tour gives another film"
# Cards of 3 and 5 s (as many words are read in 3), 1.5 s, and a question: all by ffmpeg's own count of frames.
frames=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -select_streams v -of csv=p=0 a.mp4)
near "$(awk "BEGIN { print $frames / 10 }")" "$(probe a.mp4 format=duration)" || fail "$frames frames"
chapters=$(ffprobe -v error -show_chapters -of csv=p=0 a.mp4)
[ "$(wc -l <<<"$chapters")" = 2 ] || fail "chapters: $chapters"
grep -qF 'First; #1' <<<"$chapters" || fail "chapters: $chapters"
[ "$(probe a.mp4 format_tags=title)" = "A test" ] || fail "no title"
[ ! -e a.vtt ] || fail "captions that nobody asked for"

# --- captions beside it, of the time that it has without cards ---
ok "$whorl" record t.tour.json $small --no-cards --captions beside --wait one=2.5 --wait two=+0.2 -o c.mp4
head -1 c.vtt | grep -qx WEBVTT || fail "no captions"
grep -qx '00:00:00.000 --> 00:00:02.500' c.vtt || fail "the first scene does not end at 2.5 s"
end=$(grep -- '-->' c.vtt | tail -1 | sed 's/.*--> 00:00://')
near "$end" "$(probe c.mp4 format=duration)" || fail "captions end at $end"
ok "$whorl" record t.tour.json $small --no-cards --captions beside --wait one=2.5 --wait two=+0.2 -o c.mp4
echo mine >d.vtt
mistake "d.vtt: is not from Whorl" "$whorl" record t.tour.json $small --captions beside -o d.mp4
[ "$(cat d.vtt)" = mine ] && [ ! -e d.mp4 ] || fail "something was replaced"

# --- a length that is wished, and a voice ---
ok "$whorl" record t.tour.json $small --seconds 14 -o e.mp4
near 14 "$(probe e.mp4 format=duration)" || fail "not 14 s"
mistake "the film takes at least" "$whorl" record t.tour.json $small --seconds 4 -o f.mp4
ffmpeg -v error -f lavfi -i sine=frequency=440:duration=21 voice.wav
ok "$whorl" record t.tour.json $small --audio voice.wav -o g.mp4
grep -q "voice.wav: the voice is .* longer than the film" err || fail "nothing said of a long voice"
near 21 "$(probe g.mp4 format=duration)" || fail "not as long as the voice"
[ "$(ffprobe -v error -select_streams a -show_entries stream=codec_name -of csv=p=0 g.mp4)" = aac ] || fail "no sound"
ok "$whorl" record t.tour.json $small --audio voice.wav -o h.mp4
cmp -s g.mp4 h.mp4 || fail "a film with sound is not the same twice"
mistake "nosuch.wav: no such file" "$whorl" record t.tour.json $small --audio nosuch.wav -o i.mp4
mistake "has no sound" "$whorl" record t.tour.json $small --audio t.tour.json -o i.mp4
mistake "the voice takes 21.0 s" "$whorl" record t.tour.json $small --audio voice.wav --seconds 16 -o i.mp4
mistake "only an .mp4 or a .webm has sound" "$whorl" record t.tour.json $small --audio voice.wav -o i/

# --- transparency: a corner lets through what is behind, here green ---
ok "$whorl" record t.tour.json $small --no-cards --wait two=+0 --transparent -o k.webm
ok "$whorl" record t.tour.json $small --no-cards --wait two=+0 --transparent -o k/
corner() { # corner INPUT...: the colour of the first pixel of a picture over green, as hex
    ffmpeg -v error -f lavfi -i color=0x00ff00:size=160x90 "$@" -filter_complex '[0][1]overlay=format=rgb:shortest=1' \
        -frames:v 1 -f rawvideo -pix_fmt rgb24 - | head -c 3 | od -An -tx1 | tr -d ' '
}
[[ "$(corner -i k/00003.png)" == 0[0-3]f[c-f]0[0-3] ]] || fail "the corner of a PNG is $(corner -i k/00003.png)"
[[ "$(corner -c:v libvpx-vp9 -i k.webm)" == 0[0-3]f[c-f]0[0-3] ]] || fail "the corner is $(corner -c:v libvpx-vp9 -i k.webm)"
mistake "an .mp4 has no transparency" "$whorl" record t.tour.json $small --transparent -o l.mp4
mistake "an .gif has no transparency" "$whorl" record t.tour.json $small --transparent -o l.gif
ok "$whorl" record matmul:n=8 --from 50 --to 51 --size 160x90 --transparent -o m.webm

# --- clips ---
mkdir clips
ok "$whorl" record t.tour.json $small --captions beside -o 'clips/%s.mp4'
[ "$(cd clips && echo *)" = "one.mp4 one.vtt two.mp4 two.vtt" ] || fail "clips: $(ls clips)"
near 2.1 "$(probe clips/one.mp4 format=duration)" || fail "a clip is not as long as its scene"
mistake "--seconds is for one film" "$whorl" record t.tour.json $small --seconds 9 -o 'clips/%s.mp4'
mistake "--audio is for one film" "$whorl" record t.tour.json $small --audio voice.wav -o 'clips/%s.mp4'

# --- what goes together ---
mistake "--speed: the scenes of a tour decide" "$whorl" record t.tour.json --speed 4 -o n.mp4
mistake "--wait is for the film of a whole tour" "$whorl" record t.tour.json --scene one --wait one=3 -o n.mp4
mistake "--captions is for the film of a whole tour" "$whorl" record matmul:n=8 --captions off -o n.mp4
mistake "use ID=SECONDS" "$whorl" record t.tour.json --wait one -o n.mp4
mistake 'there is no scene "three"' "$whorl" record t.tour.json --wait three=1 -o n.mp4
mistake "has played only at" "$whorl" record t.tour.json --wait one=1 -o n.mp4
mistake 'both the input "matmul"' "$whorl" record matmul --tour t.tour.json -o n.mp4
ok "$whorl" record t.tour.json --scene one --to 102 $small -o o.mp4
for size in 16:9 1:1 9:16; do ok "$whorl" slides t.tour.json --no-cards --size $size -o $size/; done
for size in 16:9=1920x1080 1:1=1080x1080 9:16=1080x1920; do
    found=$(ffprobe -v error -show_entries stream=width,height -of csv=p=0:s=x "./${size%=*}/00000.png")
    [ "$found" = "${size#*=}" ] || fail "${size%=*} is $found"
done

# --- slides: a page a step, the same bytes, and notes ---
pages() { grep -acE '/Type /Page( |$)' "$1"; }
ok "$whorl" slides t.tour.json -o s.pdf
[ "$(pages s.pdf)" = 4 ] || fail "$(pages s.pdf) pages, not 4: the title, a scene, a question, its answer"
ok "$whorl" slides t.tour.json -o s2.pdf
cmp -s s.pdf s2.pdf || fail "slides are not the same twice"
ok "$whorl" slides t.tour.json --notes --no-cards -o notes.pdf
[ "$(pages notes.pdf)" = 3 ] || fail "$(pages notes.pdf) pages, not 3"
if command -v pdftotext >/dev/null; then
    pdftotext notes.pdf - | grep -q "Say hello" || fail "the notes are not there"
    pdftotext s.pdf - | grep -q "Say hello" && fail "notes that nobody asked for"
    pdftotext s.pdf - | grep -q "A test" || fail "the title is not there"
fi
ok "$whorl" slides t.tour.json --size 320x180 -o slides/
[ "$(ls slides | wc -l)" = 4 ] || fail "not 4 slides"
mistake "only a .pdf has notes" "$whorl" slides t.tour.json --notes -o slides/
mistake "end it in .pdf" "$whorl" slides t.tour.json -o s.ppt
mistake "no such file" "$whorl" slides nosuch.tour.json -o s.pdf

# --- nothing half written remains ---
left=$(find . -name '*whorl*' -o -name '*.part*')
[ -z "$left" ] || fail "left: $left"
echo "films: ok"

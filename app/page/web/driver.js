// The player's side of a page: it runs Whorl's WebAssembly, paints into two canvases and exchanges messages with
// page.js, in a Worker or, where a Worker cannot paint, in the page itself. It is appended to emscripten's glue, which
// defines WhorlModule.
'use strict';

// --- the labels, as app/panels/labels.cpp draws them ---

// How far the letters of DejaVu Sans go from ' ' to '~', in 2048ths of an em, as in render/scene/text_width.cpp: the
// scene has placed its labels so that texts of these widths do not touch.
const kAdvances = (
    '651 821 942 1716 1303 1946 1597 563 799 799 1024 1716 651 739 651 690 1303 1303 1303 1303 1303 1303 1303 1303 ' +
    '1303 1303 690 690 1716 1716 1716 1087 2048 1401 1405 1430 1577 1294 1178 1587 1540 604 604 1343 1141 1767 1532 ' +
    '1612 1235 1612 1423 1300 1251 1499 1401 2025 1403 1251 1403 799 690 799 1716 1024 1024 1255 1300 1126 1300 1260 ' +
    '721 1300 1298 569 569 1186 569 1995 1298 1253 1300 1300 842 1067 803 1298 1212 1675 1212 1212 1075 1303 690 ' +
    '1303 1716').split(' ').map(Number);
const kLine = 1901 + 483;        // height of a line: ascender and descender
const kEm = 2048 / kLine;        // of a line's height
const kBaseline = 1901 / kLine;  // below the top of a line
const kCurved = 0, kCorner = 2;  // kinds of labels
const kBare = 1, kBed = 2;       // flags of labels

class LabelPainter {
    constructor(canvas) {
        this.context = canvas.getContext('2d');
        this.size = 0;
        this.shares = new Map();  // by letter: its advance as a share of the height of a line, at most DejaVu's
    }

    paint({ground, items}) {
        const {context} = this;
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, context.canvas.width, context.canvas.height);
        this.ground = ground;
        this.size = 0;
        context.lineJoin = 'round';
        let clip = '';
        context.save();
        for (const [kind, text, x, y, size, colour, flags, cx, cy, ...box] of items) {
            if (box.join() !== clip) {
                clip = box.join();
                context.restore();
                context.save();
                if (box[2] > 0) {
                    context.beginPath();
                    context.rect(...box);
                    context.clip();
                }
                this.size = 0;
            }
            if (size !== this.size) this.font(size);
            if (kind === kCurved) this.curved(text, x, y, size, colour, cx, cy);
            else this.plain(text, x, y, size, colour, flags, kind === kCorner ? 0 : 0.5);
        }
        context.restore();
    }

    font(size) {
        this.size = size;
        this.context.font = `${(kEm * size).toFixed(2)}px "DejaVu Sans", Verdana, sans-serif`;
    }

    share(letter) {
        let share = this.shares.get(letter);
        if (share === undefined) {
            share = this.context.measureText(letter).width / this.size;
            const dejaVu = kAdvances[letter.charCodeAt(0) - 32];
            if (letter.length === 1 && dejaVu) share = Math.min(share, dejaVu / kLine);
            this.shares.set(letter, share);
        }
        return share;
    }

    width(text, size) {
        let sum = 0;
        for (const letter of text) sum += this.share(letter);
        return sum * size;
    }

    plain(text, x, y, size, colour, flags, before) {
        const {context, ground} = this;
        const width = this.width(text, size);
        const left = Math.round(x - before * width);
        const top = Math.round(y - before * size);
        if (flags & kBed) {
            const rim = 0.15 * size;
            context.fillStyle = ground + 'd7';
            context.beginPath();
            if (context.roundRect) context.roundRect(left - rim, top, width + 2 * rim, size, rim);
            else context.rect(left - rim, top, width + 2 * rim, size);
            context.fill();
        }
        const baseline = Math.round(top + kBaseline * size);
        if (!(flags & kBare)) {
            context.strokeStyle = ground + 'c8';
            context.lineWidth = 2 * Math.max(1, size / 16);
            context.strokeText(text, left, baseline, width);
        }
        context.fillStyle = '#' + colour;
        context.fillText(text, left, baseline, width);
    }

    // Letter by letter along the circle; upright in the lower half, where the direction is reversed.
    curved(text, radius, angle, size, colour, cx, cy) {
        const {context} = this;
        const way = Math.sin(angle) < 0.35 ? 1 : -1;
        let at = angle - way * this.width(text, size) / 2 / radius;

        // Spaces as wide as digits, which only keep room at its end, have no bed.
        const to = at + way * this.width(text.replace(/\u2007+$/, ''), size) / radius;
        const rim = 0.3 * size / radius;
        context.strokeStyle = this.ground + 'd7';
        context.lineWidth = 1.05 * size;
        context.beginPath();
        context.arc(cx, cy, radius, Math.min(at, to) - rim, Math.max(at, to) + rim);
        context.stroke();

        context.fillStyle = '#' + colour;
        for (const letter of text) {
            const advance = this.share(letter) * size;
            const middle = at + way * advance / 2 / radius;
            const turn = middle + way * Math.PI / 2;
            const [c, s] = [Math.cos(turn), Math.sin(turn)];
            context.setTransform(c, s, -s, c, cx + radius * Math.cos(middle), cy + radius * Math.sin(middle));
            context.fillText(letter, -advance / 2, (kBaseline - 0.5) * size, advance);
            at += way * advance / radius;
        }
        context.setTransform(1, 0, 0, 1, 0, 0);
    }
}

// --- the player ---

const kReportPause = 50;  // ms between reports while it plays

// The player is packed as text of its size, a colon, and what unpack.c reads, which is WebAssembly, too: the page's
// writer has put it before this as `unpackCode`.
async function unpacked(packed) {
    const colon = packed.indexOf(':');
    const size = packed.slice(0, colon);
    const bytes = new TextEncoder().encode(packed.slice(colon + 1));
    const {instance} = await WebAssembly.instantiate(bytesOf(unpackCode),
        {env: {emscripten_notify_memory_growth() {}}});
    const {memory, malloc, unpack, _initialize} = instance.exports;
    if (_initialize) _initialize();
    const from = malloc(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, from);
    const to = unpack(from, bytes.length, Number(size));
    if (!to) throw new Error('the page is damaged');
    return memory.buffer.slice(to, to + Number(size));
}

function bytesOf(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const letters = atob(base64);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = letters.charCodeAt(i);
    return bytes;
}

/// Gives the function that takes messages; `tell(message, transferred)` gets the answers.
function whorlPlayer(tell) {
    let module, page, context, painter, canvases;
    let hidden = false, stopped = false, due = false, isReady = false;
    let last = 0;  // time of the frame before; 0: it rested
    let labels = '', report = '', reported = 0, tip = '', keys = null;
    let measured = {frames: 0, own: 0, since: performance.now()};

    const stop = words => {
        if (stopped) return;
        stopped = true;
        tell({is: 'failed', words});
    };

    // Runs what is C++, sums its time, and ends the player when it has ended.
    const timed = what => {
        const begun = performance.now();
        try {
            return what();
        } catch (error) {
            stop('The player has stopped: ' + (error && error.message || error));
        } finally {
            measured.own += performance.now() - begun;
        }
    };

    const nextFrame = typeof requestAnimationFrame === 'function'
        ? requestAnimationFrame : what => setTimeout(() => what(performance.now()), 16);
    const wake = () => {
        if (due || hidden || stopped || !page) return;
        due = true;
        nextFrame(frame);
    };

    function frame(now) {
        due = false;
        if (!hidden && !stopped && paint(now)) wake();
    }

    // Whether another frame is needed at once.
    function paint(now) {
        const seconds = last ? Math.min(Math.max(0, now - last) / 1000, 0.1) : 0;
        const did = timed(() => page.frame(seconds, 1)) || 0;
        const goesOn = (did & 2) !== 0;
        if (did & 1) {
            ++measured.frames;
            paintLabels();
        }
        sendReport(now, goesOn);
        last = goesOn ? now : 0;
        if ((did & 1) && !isReady && !stopped) {
            isReady = true;
            tell({is: 'ready'});
        }
        return goesOn;
    }

    function paintLabels() {
        timed(() => {
            const now = page.labels();
            if (now === labels) return;
            labels = now;
            painter.paint(JSON.parse(now));
        });
    }

    // The last one before it rests is always sent.
    function sendReport(now, goesOn) {
        if (goesOn && now - reported < kReportPause) return;
        const text = timed(() => page.report());
        if (!text || text === report) return;
        report = text;
        reported = now;
        const message = {is: 'report', report: JSON.parse(text)};
        if (keys) message.report.keys = keys;
        keys = null;
        tell(message);
    }

    async function begin({wasm, files, start, picture, words, ground, reduced}) {
        canvases = [picture, words];
        context = picture.getContext('webgl2', {
            antialias: false, alpha: false, depth: true, stencil: false, preserveDrawingBuffer: false,
            powerPreference: 'low-power'
        });
        if (!context) {
            return tell({is: 'unable', words: 'This browser gives no WebGL 2, with which the picture is drawn.'});
        }
        picture.addEventListener('webglcontextlost', () => {
            stop('The graphics card was reset: reload the page to go on.');
        });
        try {
            module = await WhorlModule({
                wasmBinary: typeof wasm === 'string' ? await unpacked(wasm) : wasm, print() {}, printErr() {}
            });
        } catch (error) {
            return stop('This browser cannot run the player: ' + (error && error.message || error));
        }
        const number = 'number', string = 'string';
        const call = (name, gives, ...takes) => module.cwrap('page_' + name, gives, takes);
        const known = {
            begin: call('begin', string, string, number, number),
            size: call('size', null, number, number, number),
            command: call('command', string, string),
            key: call('key', number, string),
            pointer: call('pointer', string, string, number, number, number, number, number, number, number),
            frame: call('frame', number, number, number),
            labels: call('labels', string), report: call('report', string), keys: call('keys', string),
            source: call('source', string, number), strip: call('strip', string, number),
            contents: call('contents', string, number), scene: call('scene', string),
            saved: call('saved', string), load: call('load', string, string)
        };
        const error = timed(() => {
            for (const [name, content] of files) {
                module.FS.writeFile(name, typeof content === 'string' ? bytesOf(content) : content);
            }
            const handle = module.GL.registerContext(context,
                {majorVersion: 2, minorVersion: 0, enableExtensionsByDefault: true, antialias: false, alpha: false});
            module.GL.makeContextCurrent(handle);
            return known.begin(start, ground === 'light' ? 1 : 0, reduced ? 1 : 0);
        });
        if (error) return stop(error);
        if (stopped) return;
        keys = timed(() => JSON.parse(known.keys() || '{}'));
        painter = new LabelPainter(words);
        page = known;
        wake();
    }

    // An answer of C++ that is a reason why not.
    const refuse = (words, id) => {
        if (words) tell({is: 'refused', words, id});
        else if (id !== undefined) tell({is: 'done', id});
    };

    const needs = {
        source({file}) { tell({is: 'source', file, ...JSON.parse(page.source(file))}); },
        contents({view}) { tell({is: 'contents', ...JSON.parse(page.contents(view || 0))}); },
        strip({width}) {
            const strip = JSON.parse(page.strip(width));
            const rows = strip.rows.map(({name, values}) => ({name, values: Float32Array.from(values)}));
            tell({is: 'strip', ...strip, rows}, rows.map(row => row.values.buffer));
        }
    };

    const deeds = {
        size({width, height, scale}) {
            for (const canvas of canvases) {
                canvas.width = width;
                canvas.height = height;
            }
            labels = '';
            page.size(width, height, scale);
        },
        command({text, id}) { refuse(page.command(text), id); },
        key({chord}) { page.key(chord); },
        pointer({is, x, y, dx, dy, by, shift, ctrl}) {
            const now = page.pointer(is, x, y, dx || 0, dy || 0, by || 0, shift ? 1 : 0, ctrl ? 1 : 0);
            if (is !== 'move' && is !== 'leave') return;
            if (now === '' && tip === '') return;
            tip = now;
            tell({is: 'tip', lines: now ? JSON.parse(now).lines : [], x, y});
        },
        need(message) { needs[message.what](message); },
        save() {
            const name = page.saved();
            if (!name) return refuse('This run cannot be saved.');
            const bytes = module.FS.readFile(name);
            tell({is: 'saved', name: name.replace(/^.*\/|\.whorl$/g, '') + '.whorl', bytes}, [bytes.buffer]);
        },
        load({name, bytes, id}) {
            const plain = name.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '') || 'run.whorl';
            module.FS.writeFile(plain, bytes);
            refuse(page.load(plain), id);
        },
        hidden({on}) {
            hidden = on;
            last = 0;
        },
        measure() {
            const now = performance.now();
            tell({is: 'measured', frames: measured.frames, seconds: (now - measured.since) / 1000, own: measured.own});
            measured = {frames: 0, own: 0, since: now};
        },
        scene() { tell({is: 'scene', text: page.scene()}); }
    };
    // What changes nothing needs no frame.
    const isQuiet = {need: true, measure: true, scene: true, save: true};

    let begun;
    return async message => {
        if (message.do === 'begin') begun = begin(message);
        await begun;
        if (stopped || !page || !deeds[message.do]) return;
        timed(() => deeds[message.do](message));
        // Before the browser shows the emptied canvases.
        if (message.do === 'size' && !hidden && !stopped) paint(performance.now());
        if (!isQuiet[message.do]) wake();
    };
}

// In the page, page.js calls whorlPlayer.
if (typeof document === 'undefined') {
    const hear = whorlPlayer((message, transferred) => self.postMessage(message, transferred || []));
    self.onmessage = event => hear(event.data);
}

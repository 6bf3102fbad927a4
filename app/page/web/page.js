// The page around the player: it starts the player, shows its reports, and sends it what the reader does. The player is
// driver.js with Whorl's WebAssembly. All names and texts come from a stranger's trace: they are only ever text.
'use strict';

(() => {
    const root = document.documentElement;
    const $ = id => document.getElementById(id);
    const stage = $('stage');

    // --- small helpers ---

    function make(tag, properties = {}, ...children) {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(properties)) {
            if (value === undefined) continue;
            if (name in element) element[name] = value;
            else element.setAttribute(name, value);
        }
        element.append(...children);
        return element;
    }

    // Numbers are not broken between lines: "8 448".
    const whole = text => String(text || '').replace(/(\d) (?=\d{3}(?!\d))/g, '$1\u00a0');

    function setText(element, text) {
        text = whole(text);
        if (element.textContent !== text) element.textContent = text;
    }

    function setAttribute(element, name, value) {
        if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
    }

    // Builds what is in an element again when what it shows has changed. The focus stays on what has the same data-key.
    const shown = new Map();
    function show(element, value, build) {
        const now = JSON.stringify(value);
        if (shown.get(element) === now) return;
        shown.set(element, now);
        const focused = element.contains(document.activeElement) ? document.activeElement : null;
        element.replaceChildren(...[build(value)].flat(9).filter(child => child || child === 0));
        if (!focused || focused === element) return;
        const key = focused.getAttribute('data-key');
        const heirs = [...element.querySelectorAll('[data-key]:not(:disabled)')];
        const heir = heirs.find(other => other.getAttribute('data-key') === key) || heirs[0] || element;
        heir.focus({preventScroll: true});
    }

    const lines = texts => texts && texts.length > 0 &&
        make('ul', {className: 'lines'}, ...texts.map(text => make('li', {textContent: whole(text)})));
    const paragraphs = text =>
        (text || '').split(/\n\s*\n/).filter(Boolean).map(part => make('p', {textContent: whole(part)}));
    const button = (words, command, properties = {}) => make('button', {
        type: 'button', textContent: words, 'data-key': command, onclick: () => send({do: 'command', text: command}),
        ...properties
    });
    const grouped = number => {
        const [whole, part] = String(number).split('.');
        return whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0') + (part ? '.' + part : '');
    };

    function popup(opener, panel) {
        const close = () => {
            panel.hidden = true;
            opener.setAttribute('aria-expanded', 'false');
        };
        opener.onclick = () => {
            panel.hidden = !panel.hidden;
            opener.setAttribute('aria-expanded', String(!panel.hidden));
            if (!panel.hidden) (panel.querySelector('[aria-current]') || panel.querySelector('a, button')).focus();
        };
        panel.addEventListener('click', event => event.target.closest('a, button') && close());
        document.addEventListener('pointerdown', event => {
            if (!panel.contains(event.target) && !opener.contains(event.target)) close();
        });
        for (const element of [panel, opener]) {
            element.addEventListener('keydown', event => {
                if (event.key !== 'Escape' || panel.hidden) return;
                close();
                opener.focus();
                event.stopPropagation();
            });
        }
    }

    // --- the player ---

    let report = null;         // the last one
    let keys = {};             // chords that the player knows, and what they do
    let post = null;           // takes messages to the player
    let waiting = [];          // messages before there is a player
    let isReady = false, hasFailed = false;
    let size = null;           // of the picture
    const asked = new Map();   // by what is answered: functions that wait for it
    const tried = new Map();   // by the number of a command: what to do with its refusal, or with '' when it is done
    let lastTry = 0;

    function send(message, transferred) {
        if (post) post(message, transferred);
        else waiting.push([message, transferred]);
    }
    const command = text => send({do: 'command', text});
    // A word of a command, whatever is in it.
    const quoted = text => '"' + text.replace(/["\\]/g, '\\$&') + '"';
    const attempt = (message, answered) => {
        tried.set(++lastTry, answered);
        send({...message, id: lastTry});
    };
    const ask = (message, kind) => new Promise(resolve => {
        asked.set(kind, [...asked.get(kind) || [], resolve]);
        send(message);
    });

    const take = id => {
        const text = $(id).textContent.trim();
        $(id).remove();
        return text;
    };
    let load = {code: take('code'), wasm: take('wasm'), files: JSON.parse(take('files')), start: take('start')};

    const isFigure = Boolean(JSON.parse(load.start).figure);  // the picture alone

    const prefersLight = matchMedia('(prefers-color-scheme: light)');
    let chosenGround = null;
    const ground = () => chosenGround || (prefersLight.matches ? 'light' : 'dark');
    const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;

    async function unpackedCode() {
        const bytes = Uint8Array.from(atob(load.code), letter => letter.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
        return URL.createObjectURL(new Blob([await new Response(stream).arrayBuffer()], {type: 'text/javascript'}));
    }

    // In a Worker, where it can paint there; else in the page. The base64 is decoded where the player is, so that in a
    // Worker the page stays responsive meanwhile.
    async function begin(inWorker) {
        const canvases = [make('canvas'), make('canvas')];
        $('canvases').replaceChildren(...canvases);
        const url = await unpackedCode();
        if (inWorker && canvases[0].transferControlToOffscreen && typeof Worker === 'function') {
            try {
                const worker = new Worker(url);
                let isGone = false;
                // Before anything was painted, the page can still do it itself.
                const leave = () => {
                    if (isGone || isReady) return;
                    isGone = true;
                    worker.terminate();
                    begin(false).catch(fail);
                };
                worker.onerror = event => {
                    event.preventDefault();
                    leave();
                };
                worker.onmessage = ({data}) => data.is === 'unable' ? leave() : isGone || hear(data);
                start((message, transferred) => worker.postMessage(message, transferred || []),
                    canvases.map(canvas => canvas.transferControlToOffscreen()), true);
                return;
            } catch { /* Workers from a blob are refused here */ }
        }
        await new Promise((resolve, reject) => {
            document.head.append(make('script', {src: url, onload: resolve, onerror: reject}));
        });
        const player = whorlPlayer(hear);
        start(message => player(message), canvases, false);
    }

    function start(to, [picture, words], areTransferred) {
        post = to;
        const {wasm, files, start: text} = load;
        post({do: 'begin', wasm, files, start: text, picture, words, ground: ground(), reduced},
            areTransferred ? [picture, words] : []);
        if (size) post(size);
        for (const message of waiting) post(...message);
        waiting = [];
    }

    function fail(reason) {
        hasFailed = true;
        root.classList.remove('live', 'ready');
        root.classList.add('failed');
        $('failure').textContent = (typeof reason === 'string' ? reason : 'This browser cannot run the player.') +
            ' What is shown here is the first moment of the run.';
        $('failure').setAttribute('role', 'alert');
    }

    const heard = {
        ready() {
            isReady = true;
            load = null;
            root.classList.add('ready');
            pursue();
        },
        report(message) {
            report = message.report;
            if (report.keys) keys = report.keys;
            render();
        },
        tip: showTip,
        refused({words, id}) { answer(id, words) || complain(words); },
        done({id}) { answer(id, ''); },
        unable({words}) { fail(words); },
        failed({words}) { fail(words); },
        saved({name, bytes}) {
            // Without a type some browsers take it for text, and add .txt to its name.
            const blob = new Blob([bytes], {type: 'application/octet-stream'});
            const link = make('a', {href: URL.createObjectURL(blob), download: name});
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 60000);
        }
    };

    function answer(id, words) {
        const answered = tried.get(id);
        tried.delete(id);
        if (answered) answered(words);
        return Boolean(answered);
    }

    function hear(message) {
        for (const resolve of asked.get(message.is) || []) resolve(message);
        asked.delete(message.is);
        if (heard[message.is]) heard[message.is](message);
    }

    // --- what the report tells ---

    let isPlaying = false;
    const place = () => report.first + Math.ceil(report.at - 1e-6);

    function render() {
        root.dataset.ground = report.ground || ground();
        isPlaying = report.playing;
        root.classList.toggle('playing', isPlaying);
        root.classList.toggle('toured', Boolean(report.tour));
        const isFree = document.fullscreenElement || (report.moved === undefined ? isZoomed : report.moved);
        stage.classList.toggle('free', Boolean(isFree));
        setText($('title'), report.tour && report.tour.title || report.title || document.title);
        const machines = [].concat(report.machineWords || report.machine || []);
        setText($('machine'), [report.tour && report.title, ...machines].filter(Boolean).join(' · '));
        $('machine').title = $('machine').textContent;
        for (const id of ['own', 'own-again']) $(id).hidden = report.original !== false;
        showProgress(report.working);
        endTries();
        showStatus();
        $('ground').setAttribute('aria-label', root.dataset.ground === 'dark' ? 'Light ground' : 'Dark ground');
        if (report.open) renderRun();
        pursue();
    }

    function renderRun() {
        setAttribute(stage, 'aria-label', 'Picture: ' + [
            report.views.filter(view => view.on).map(view => view.title).join(', '), report.title, report.comparison
        ].filter(Boolean).join('. '));
        // Spaces as wide as digits keep their room in a picture; here they would be gaps.
        setText($('sentence'), report.sentence || report.span.replace(/(^|\s)\u2007+/g, '$1'));
        keepHeight($('sentence'));
        speak();
        // Rings leave their corners free; other views do not.
        stage.classList.toggle('filled', report.views.some(view => view.on && view.word !== 'rings'));
        renderTime();
        renderTour(report.tour);
        renderFigures(report.figures);
        show($('picked'), report.picked, picked => picked && picked.length > 0 && [
            make('b', {textContent: picked[0]}), lines(picked.slice(1)), button('Pick nothing', 'select-none')
        ]);
        show($('signs'), report.signs, keyOf);
        show($('about'), [report.machineWords, report.notes], ([machine, notes]) => [
            [].concat(machine || []).map(words => make('p', {className: 'machine muted', textContent: whole(words)})),
            lines(notes)
        ]);
        show($('views'), report.views, views => views.map(view =>
            button(buttonOf(view), view.command, {'aria-pressed': String(view.on), title: view.title})));
        show($('predict'), report.predict, predictionOf);
        renderSource();
        renderContents();
        askForStrip();
    }

    // Those of a level begin with its name, as their titles do.
    const buttonOf = ({word, title, button: words}) =>
        !words ? title : word.includes(':') ? title.split(' ')[0] + ' ' + words : words;

    // Shorter words do not move what is below.
    const keepHeight = element => element.style.minHeight = element.offsetHeight + 'px';

    // Aloud only what stands still for a moment.
    let soon = 0;
    function speak() {
        clearTimeout(soon);
        if (isPlaying) return;
        soon = setTimeout(() => setText($('aloud'), [report.sentence, report.span].filter(Boolean).join('. ')), 400);
    }

    function showProgress(working) {
        const isWorking = typeof working === 'number';
        $('progress').hidden = !isWorking;
        $('progress').classList.toggle('unknown', isWorking && working < 0);
        $('progress').firstChild.style.transform = working >= 0 ? `scaleX(${working})` : '';
        stage.setAttribute('aria-busy', String(isWorking));
    }

    let complaint = '', complaintEnds = 0;
    function complain(words) {
        complaint = words;
        clearTimeout(complaintEnds);
        complaintEnds = setTimeout(quieten, 8000);
        showStatus();
    }
    function quieten() {
        complaint = '';
        showStatus();
    }
    function showStatus() {
        const error = complaint || report && report.error || '';
        const words = error || report && report.message || '';
        setText($('status-words'), words);
        $('status').hidden = !words;
        $('status').classList.toggle('warns', Boolean(error));
    }
    $('status-close').onclick = () => {
        if (complaint) return quieten();
        command('dismiss');
        $('status').hidden = true;
        stage.focus({preventScroll: true});
    };

    function tableOf({caption, columns, rows}) {
        const head = make('tr', {}, ...columns.map(column => make('th', {scope: 'col', textContent: column})));
        return make('div', {className: 'scrolls'}, make('table', {}, make('caption', {textContent: caption}),
            make('thead', {}, head), make('tbody', {}, ...rows.map(cells => make('tr', {}, ...cells)))));
    }

    function swatch(colour) {
        const square = make('i', {className: 'swatch'});
        square.style.background = colour;
        return square;
    }

    // The table stays while only its numbers change, so that it can be read and selected while it plays.
    function renderFigures(figures) {
        const rows = figures ? figures.rows : [];
        const {comparison, runs} = report;
        const heads = rows.map(({words, help, colour}) => [words, help, colour]);
        const form = figures && [figures.of, figures.columns, figures.lines.length];
        show($('figures'), [form, heads, runs, comparison], () => [
            comparison && make('p', {textContent: comparison}),
            (runs || []).map(run =>
                make('div', {className: 'run'}, make('b', {textContent: run.title}), lines(run.words) || '')),
            figures && tableOf({
                caption: figures.of,
                columns: ['', ...figures.columns],
                rows: rows.map(({words, help, colour, cells}) => [
                    make('th', {scope: 'row', title: help || '', className: /^ /.test(words) ? 'part' : ''},
                        colour ? swatch(colour) : '', words.trim()),
                    ...cells.map(() => make('td'))
                ])
            }),
            figures && lines(figures.lines)
        ]);
        const cells = $('figures').querySelectorAll('td');
        let i = 0;
        for (const row of rows) {
            for (const text of row.cells) {
                setText(cells[i++], text);
            }
        }
        const items = $('figures').querySelectorAll(':scope > .lines > li');
        if (figures) figures.lines.forEach((line, at) => setText(items[at], line));
    }

    // A sign as the picture has it: C++ tells its parts, in radii of a glyph.
    const kRadius = 6;  // pixels
    function signOf(parts) {
        const drawn = (tag, properties) => {
            const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
            for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
            return element;
        };
        const shapes = parts.map(([shape, ax, ay, bx, by, size, colour, width, cx, cy]) => {
            const stroke = {fill: 'none', stroke: colour, 'stroke-width': width / kRadius};
            const line = {x1: ax, y1: ay, x2: bx, y2: by};
            return [
                () => drawn('circle', {cx: ax, cy: ay, r: size, fill: colour}),
                () => drawn('circle', {cx: ax, cy: ay, r: size, ...stroke}),
                () => drawn('line', {...line, ...stroke}),
                () => drawn('line', {...line, stroke: colour, 'stroke-width': size}),
                () => drawn('rect', {x: ax, y: ay, width: bx - ax, height: by - ay, fill: colour}),
                () => drawn('rect', {x: ax - size, y: ay - size, width: 2 * size, height: 2 * size, ...stroke}),
                () => drawn('path', {d: `M${ax} ${ay}Q${cx} ${cy} ${bx} ${by}`, ...stroke})
            ][shape]();
        });
        const sign = drawn('svg', {viewBox: '-2.2 -1.6 4.4 3.2', 'aria-hidden': 'true'});
        sign.append(...shapes);
        return sign;
    }
    const keyOf = signs => signs && signs.length > 0 && [
        make('h2', {textContent: 'Signs in the picture'}),
        make('ul', {className: 'key'}, ...signs.map(({words, parts}) => make('li', {}, signOf(parts), words)))
    ];

    // --- time ---

    const commands = {
        'seek-start': 'seek-start', back: 'step -1', play: 'play', forward: 'step 1', 'seek-end': 'seek-end',
        slower: 'slower', faster: 'faster', loop: 'loop', 'tour-previous': 'tour-previous', 'tour-next': 'tour-next',
        'range-start': 'range-start', 'range-end': 'range-end', 'range-clear': 'range-clear',
        'zoom-in': 'zoom-in', 'zoom-out': 'zoom-out', 'zoom-reset': 'zoom-reset'
    };
    for (const [id, text] of Object.entries(commands)) $(id).onclick = () => command(text);

    function renderTime() {
        setAttribute($('play'), 'aria-label', isPlaying ? 'Pause' : 'Play');
        setAttribute($('play'), 'title', isPlaying ? 'Pause' : 'Play');
        setAttribute($('loop'), 'aria-pressed', report.loops);
        setText($('pace-number'), grouped(Number(report.pace.toPrecision(3))));
        const last = grouped(report.first + report.end);
        setText($('of'), report.first > 0 ? `of ${grouped(report.first)} to ${last}` : `of ${last} accesses`);
        if (document.activeElement !== $('at')) $('at').value = grouped(place());
        const strip = $('strip');
        setAttribute(strip, 'aria-valuemin', report.first);
        setAttribute(strip, 'aria-valuemax', report.first + report.end);
        setAttribute(strip, 'aria-valuenow', place());
        setAttribute(strip, 'aria-valuetext', report.span);
        placeOnStrip();
    }

    $('position').onsubmit = event => {
        event.preventDefault();
        const text = $('at').value.replace(/\s/g, '');
        // Positions of the whole run become those of the part that the page holds; what is no plain number stays.
        const isPlain = /^\d+(\.\d+)?$/.test(text);
        attempt({do: 'command', text: 'seek ' + (isPlain ? String(text - report.first) : text)}, words => {
            if (words) complain(words);
            else $('at').blur();
        });
    };
    $('at').onfocus = () => $('at').select();
    $('at').onblur = () => report && ($('at').value = grouped(place()));
    $('at').onkeydown = event => {
        if (event.key === 'Escape') stage.focus({preventScroll: true});
    };

    // The strip: rates as bars on a canvas, and what moves as elements over it.
    const time = $('strip-time');
    let strip = null, stripKey = '', stripAsked = 0;

    function askForStrip() {
        const width = Math.round(Math.min(1000, time.clientWidth));
        const key = [report.title, report.machine, report.end, report.built, width].join('\n');
        if (width < 1 || key === stripKey) return;
        const wait = stripAsked + 400 - performance.now();
        if (wait > 0) {
            setTimeout(() => performance.now() >= stripAsked + 400 && askForStrip(), wait + 10);
            return;
        }
        stripKey = key;
        stripAsked = performance.now();
        send({do: 'need', what: 'strip', width});
    }
    heard.strip = message => {
        strip = message;
        show($('strip-names'), strip.rows.map(row => row.name), names =>
            names.map(name => make('span', {textContent: name + ' hits'})));
        time.style.height = Math.max(root.classList.contains('embed') ? 22 : 36, 14 * strip.rows.length) + 'px';
        paintRates();
        placeOnStrip();
    };

    function paintRates() {
        if (!strip) return;
        const canvas = $('rates');
        const scale = Math.min(devicePixelRatio, 2);
        const width = canvas.width = Math.round(time.clientWidth * scale);
        const height = canvas.height = Math.round(parseFloat(time.style.height) * scale);
        // Painted by the CPU: seldom, and without waiting for a slow graphics card.
        const context = canvas.getContext('2d', {willReadFrequently: true});
        const colours = getComputedStyle(root);
        const gap = Math.round(2 * scale);
        const high = (height - gap * (strip.rows.length - 1)) / strip.rows.length;
        strip.rows.forEach(({values}, row) => {
            const bottom = (row + 1) * high + row * gap;
            context.globalAlpha = 1;
            context.fillStyle = colours.getPropertyValue('--field');
            context.fillRect(0, bottom - high, width, high);
            context.fillStyle = colours.getPropertyValue('--control');
            context.globalAlpha = 0.7;
            values.forEach((value, i) => {
                const left = Math.round(i * width / values.length);
                const right = Math.round((i + 1) * width / values.length);
                if (value > 0) context.fillRect(left, bottom - value * high, right - left, value * high);
            });
        });
    }

    function placeOnStrip() {
        if (!report || !report.open) return;
        const from = strip ? strip.from : 0;
        const span = Math.max(1, (strip ? strip.to : report.end) - from);
        const share = at => Math.min(1, Math.max(0, (at - from) / span));
        $('playhead').style.left = 100 * share(report.at) + '%';
        $('unbuilt').style.left = 100 * share(report.built) + '%';
        $('range').hidden = !report.range;
        if (!report.range) return;
        $('range').style.left = 100 * share(report.range[0]) + '%';
        $('range').style.width = 100 * (share(report.range[1]) - share(report.range[0])) + '%';
    }

    function momentAt(event) {
        const box = time.getBoundingClientRect();
        const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
        const from = strip ? strip.from : 0;
        return Math.round(from + share * ((strip ? strip.to : report.end) - from));
    }
    let scrub = null;  // the moment where it began
    function scrubTo(event) {
        const at = momentAt(event);
        const [from, to] = [Math.min(at, scrub), Math.max(at, scrub)];
        if (!event.shiftKey) command('seek ' + at);
        else if (from < to) command(`range ${from} ${to}`);
    }
    $('strip').onpointerdown = event => {
        if (event.button !== 0 || !report || !report.open) return;
        $('strip').setPointerCapture(event.pointerId);
        scrub = momentAt(event);
        scrubTo(event);
    };
    $('strip').onpointermove = event => scrub !== null && scrubTo(event);
    $('strip').onpointerup = $('strip').onpointercancel = () => scrub = null;
    const stripKeys = {
        ArrowLeft: 'step -1', ArrowDown: 'step -1', ArrowRight: 'step 1', ArrowUp: 'step 1', PageUp: 'stride -1',
        PageDown: 'stride 1', Home: 'seek-start', End: 'seek-end'
    };
    $('strip').onkeydown = event => {
        const text = stripKeys[event.key];
        if (!text || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
        command(text);
        event.preventDefault();
        event.stopPropagation();
    };

    // --- the tour ---

    popup($('steps-open'), $('steps'));

    const stepName = (tour, i) => tour.ids && tour.ids[i] || (i === tour.scene && tour.id) || String(i + 1);

    let lastStep = null, wasAsking = false;
    function renderTour(tour) {
        $('tour').hidden = !tour;
        if (!tour) return;
        setText($('step'), `${tour.scene + 1} of ${tour.count}`);
        $('tour-previous').disabled = tour.scene === 0;
        const isAsking = tour.question && !tour.question.answered;
        $('tour-next').disabled = tour.isLast && !isAsking;
        show($('steps'), [tour.titles, tour.scene, tour.ids], () => tour.titles.map((title, i) => make('a', {
            href: '#step=' + encodeURIComponent(stepName(tour, i)), 'data-key': 'step ' + i,
            'aria-current': i === tour.scene ? 'step' : undefined,
            onclick: event => {
                event.preventDefault();
                command('tour-go ' + i);
            }
        }, make('i', {textContent: i + 1}), make('span', {textContent: title}))));
        show($('tour-words'), [tour.scene, tour.titles[tour.scene], tour.words, tour.question, tour.source,
            tour.isLast && tour.advice], () => [
            make('h2', {textContent: tour.titles[tour.scene]}),
            // While it asks, the last line has the answers, which are buttons here; then the reason comes first.
            isAsking && paragraphs(tour.words.split('\n').slice(0, -1).join('\n')),
            tour.question && questionOf(tour.question),
            !isAsking && paragraphs(tour.words),
            tour.source && make('p', {className: 'muted', textContent: tour.source}),
            tour.isLast && tour.advice && make('p', {className: 'muted', textContent: tour.advice})
        ]);
        if (tour.scene !== lastStep) {
            $('tour-words').scrollTop = 0;
            const address = '#step=' + encodeURIComponent(stepName(tour, tour.scene)) + (isEmbedAsked ? '&embed' : '');
            if (lastStep !== null) setHash(address);
            lastStep = tour.scene;
        } else if (wasAsking && !isAsking) {
            $('tour-words').scrollTop = 1e6;  // to the reason
        }
        wasAsking = isAsking;
        if (getComputedStyle($('main')).display !== 'grid') keepHeight($('tour-words'));
    }

    const rightness = isRight => isRight ? {className: 'right', mark: '✓ '} : {className: 'wrong', mark: '✗ '};

    function questionOf({text, choices, answered, chosen, right}) {
        const isRight = answered && chosen === right;
        const verdict = chosen === null || right === null ? '' : isRight ? 'Right.' : 'Not so.';
        return make('div', {role: 'group', 'aria-label': 'Question'},
            make('p', {textContent: whole(text)}),
            make('div', {className: 'answers'}, ...(choices || []).map((choice, i) => {
                const mark = !answered || (i !== right && i !== chosen) ? {mark: ''} : rightness(i === right);
                return button(mark.mark + choice, 'tour-answer ' + i, {disabled: answered, className: mark.className});
            })),
            answered && verdict ? make('p', {role: 'status', textContent: verdict}) : '');
    }

    // --- predicting ---

    const levelsOf = buttons =>
        make('div', {className: 'answers', role: 'group', 'aria-label': 'Level'}, ...buttons);

    function predictionOf(predict) {
        if (!predict) {
            return [
                make('p', {textContent: 'Say what an access will do before it plays: which set it goes to, whether ' +
                    'it hits, and which block leaves.'}),
                make('div', {className: 'answers'}, button('The next access', 'predict next'),
                    button('Telling accesses', 'predict telling'), button('Play the cache', 'predict sequence')),
                make('p', {className: 'muted', textContent: 'Telling ones evict a block, or miss one that was there ' +
                    'before. Playing the cache: ten accesses that one set gets.'})
            ];
        }
        const line = (text, className) => text && make('p', {textContent: whole(text), className});
        return [
            make('h2', {textContent: predict.heading}),
            line(predict.score, 'muted'),
            predict.levels && predict.levels.length > 1 && levelsOf(predict.levels.map(level =>
                button(level.name, level.command, {'aria-pressed': String(level.on)}))),
            line(predict.access), line(predict.digits, 'digits'),
            (predict.parts || []).map(part => make('div', {role: 'group', 'aria-label': part.asked},
                make('p', {textContent: part.asked}),
                make('div', {className: 'answers'}, ...part.answers.map(({words, chosen, right, command: text}) => {
                    const isGraded = right !== null && right !== undefined && (right || chosen);
                    const mark = isGraded ? rightness(right) : {mark: ''};
                    return button(mark.mark + words, text || words,
                        {disabled: !text, className: mark.className, 'aria-pressed': String(Boolean(chosen))});
                })))),
            predict.grade && predict.grade.length > 0 && make('ul', {className: 'lines grade', role: 'status'},
                ...predict.grade.map(({words, right}) => {
                    const {className, mark} = rightness(right);
                    return make('li', {className, textContent: mark + words});
                })),
            line(predict.why),
            make('div', {className: 'answers'},
                ...(predict.actions || []).map(action => button(action.words, action.command)))
        ];
    }

    // --- tabs ---

    const tabs = [...document.querySelectorAll('[role="tab"]')];
    const panelOf = tab => $(tab.getAttribute('aria-controls'));
    const isOpen = name => !$('panel-' + name).hidden;

    function openTab(tab) {
        for (const other of tabs) {
            other.setAttribute('aria-selected', String(other === tab));
            other.tabIndex = other === tab ? 0 : -1;
            panelOf(other).hidden = other !== tab;
        }
        if (report && report.open) renderRun();
    }
    tabs.forEach((tab, i) => {
        tab.onclick = () => openTab(tab);
        tab.onkeydown = event => {
            const to = {ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1}[event.key];
            if (to === undefined) return;
            const next = tabs[(to + tabs.length) % tabs.length];
            openTab(next);
            next.focus();
            event.preventDefault();
            event.stopPropagation();
        };
    });
    openTab(tabs[0]);

    // --- the source ---

    let sources = new Map();  // by file: the answer, or null while it is asked for
    let sourceFile = null, sourceRun = '', marked = null, isPinned = false;

    function renderSource() {
        const files = report.files || [];
        const run = report.title + '\n' + files.join('\n');
        if (run !== sourceRun) {
            sourceRun = run;
            sources = new Map();
            sourceFile = null;
            isPinned = false;
        }
        if (!isOpen('source')) return;
        $('source-choice').hidden = files.length < 2;
        show($('source-file'), files, () => files.map((file, i) => make('option', {value: i, textContent: file})));
        const where = report.where;
        if (!isPinned && where && where.file !== sourceFile) openSource(where.file);
        if (sourceFile === null && files.length > 0) openSource(0);
        if (files.length === 0) setText($('source-note'), 'This run tells nothing of a source.');
        markLine();
    }
    function openSource(file) {
        sourceFile = file;
        $('source-file').value = file;
        if (!sources.has(file)) {
            sources.set(file, null);
            send({do: 'need', what: 'source', file});
        }
        showSource();
    }
    function showSource() {
        const source = sources.get(sourceFile);
        marked = null;
        setText($('source-note'), source && source.note || '');
        $('source-note').hidden = !(source && source.note);
        const texts = source && source.lines || [];
        $('source').replaceChildren(...texts.map(line => make('li', {textContent: line || ' '})));
        $('source').setAttribute('aria-label', source && source.path || 'Source');
    }
    heard.source = message => {
        sources.set(message.file, message);
        if (message.file !== sourceFile) return;
        showSource();
        markLine();
    };
    function markLine() {
        const list = $('source');
        const where = report.where;
        const line = where && where.file === sourceFile ? list.children[where.line - 1] : null;
        if (marked && marked !== line) {
            marked.className = '';
            marked.removeAttribute('aria-current');
        }
        if (line) {
            line.className = where.miss ? 'now miss' : 'now';
            line.setAttribute('aria-current', 'true');
            // Only the listing scrolls, never the page.
            const top = line.offsetTop - list.offsetTop, rim = 2 * line.offsetHeight;
            if (line !== marked && (top - rim < list.scrollTop || top + 2 * rim > list.scrollTop + list.clientHeight)) {
                list.scrollTop = top - list.clientHeight / 2;
            }
        }
        marked = line;
    }
    $('source-file').onchange = () => {
        const file = Number($('source-file').value);
        isPinned = !(report.where && report.where.file === file);
        openSource(file);
        markLine();
    };
    $('source').onclick = event => {
        const line = [...$('source').children].indexOf(event.target.closest('li')) + 1;
        if (line > 0) command('look-up ' + quoted(report.files[sourceFile] + ':' + line));
    };

    // --- the contents of the cache, on demand ---

    let contentsKey = '', contentsLevel = 0, contentsSoon = 0;
    function renderContents() {
        if (!isOpen('contents')) return;
        const key = [report.title, report.machine, report.at, contentsLevel].join('\n');
        if (key === contentsKey || (isPlaying && contentsKey)) return;
        clearTimeout(contentsSoon);
        contentsSoon = setTimeout(() => {
            contentsKey = key;
            send({do: 'need', what: 'contents', view: contentsLevel});
        }, contentsKey ? 150 : 0);
    }
    heard.contents = ({title, columns, rows, levels}) => show($('contents'), [title, columns, rows, levels], () => [
        levels && levels.length > 1 && levelsOf(levels.map((level, i) => make('button', {
            textContent: level, 'data-key': level, 'aria-pressed': String(i === contentsLevel),
            onclick: () => {
                contentsLevel = i;
                contentsKey = '';
                renderContents();
            }
        }))),
        tableOf({
            caption: title, columns,
            rows: rows.map(([first, ...others]) => [
                make('th', {scope: 'row', textContent: first}), ...others.map(text => make('td', {textContent: text}))
            ])
        }),
        make('p', {className: 'muted', textContent: 'As of the last pause: while it plays, this table stands still.'})
    ]);

    // --- trying another machine, or accesses of one's own ---

    const attempts = [];  // the commands since the page's own run, for the link
    function tryCommands(texts, errorOf) {
        for (const id of ['machine-error', 'pattern-error']) setText($(id), '');
        for (const text of texts) {
            attempt({do: 'command', text}, words => {
                if (words) setText(errorOf, words);
                else begun.push({text, errorOf});
            });
        }
    }
    // What was begun has come about, or failed: some reasons are only known once it is opened.
    let begun = [];
    function endTries() {
        if (begun.length === 0 || report.working !== null) return;
        const ended = begun;
        begun = [];
        for (const {text, errorOf} of ended) {
            if (!report.error) remember(text);
            else if (errorOf) setText(errorOf, report.error);
        }
        if (report.error && ended.some(({errorOf}) => errorOf)) command('dismiss');
    }
    function remember(text) {
        if (text.startsWith('open ')) attempts.length = 0;
        attempts.push(text);
    }
    // Words that are all assignments are values of the machine; anything else is a machine.
    $('try-machine').onsubmit = event => {
        event.preventDefault();
        const text = $('machine-text').value.trim();
        const words = text.split(/[\s,]+/);
        if (!text) return $('machine-text').focus();
        const texts = words.every(word => word.includes('='))
            ? words.map(word => 'set ' + word) : ['machine ' + quoted(text)];
        tryCommands(texts, $('machine-error'));
    };
    $('try-pattern').onsubmit = event => {
        event.preventDefault();
        const text = $('pattern-text').value.trim().replace(/\s*\n\s*/g, ' ');
        if (text) tryCommands(['open ' + quoted('pattern:' + text)], $('pattern-error'));
    };
    $('own').onclick = $('own-again').onclick = () => {
        attempts.length = 0;
        for (const id of ['machine-error', 'pattern-error']) setText($(id), '');
        command('page-own');
        stage.focus({preventScroll: true});
    };
    $('find').onsubmit = event => {
        event.preventDefault();
        const text = $('find-text').value.trim();
        if (!text) return;
        attempt({do: 'command', text: 'look-up ' + quoted(text)},
            words => setText($('find-error'), words));
    };

    // --- the picture: its size, mouse and touch ---

    let scale = 1;  // device pixels per CSS pixel
    function resize() {
        const box = $('canvases').getBoundingClientRect();
        if (box.width < 1 || box.height < 1) return;
        // So many pixels at most that slow machines keep up.
        scale = Math.min(devicePixelRatio || 1, Math.sqrt(6e6 / (box.width * box.height)));
        const enlarged = parseFloat(getComputedStyle(root).fontSize) / 16 || 1;
        const now = {
            do: 'size', width: Math.round(box.width * scale), height: Math.round(box.height * scale),
            scale: scale * enlarged
        };
        if (size && Object.keys(now).every(key => now[key] === size[key])) return;
        size = now;
        if (post) post(size);
    }
    let lastWidth = 0;
    new ResizeObserver(resize).observe($('canvases'));
    new ResizeObserver(() => {
        if (stage.clientWidth === lastWidth) return;
        lastWidth = stage.clientWidth;
        for (const id of ['sentence', 'tour-words']) $(id).style.minHeight = '';
    }).observe(stage);
    new ResizeObserver(() => {
        paintRates();
        if (report && report.open) askForStrip();
    }).observe(time);
    function watchScale() {
        matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
            resize();
            watchScale();
        }, {once: true});
    }
    watchScale();

    const placeOf = event => {
        const box = stage.getBoundingClientRect();
        return {x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale};
    };
    const point = (is, event, more = {}) => send({
        do: 'pointer', is, ...placeOf(event), dx: 0, dy: 0, by: 0, shift: Boolean(event.shiftKey),
        ctrl: Boolean(event.ctrlKey), ...more
    });

    let isZoomed = false;  // where the report does not tell
    function zoom(event, by, more) {
        if (!by) return;
        isZoomed = isZoomed || by > 0;
        point('zoom', event, {by, ...more});
    }

    // Fingers and the mouse while pressed, by number: where they began, and where they are.
    const pressed = new Map();
    let hasDragged = false, isTouched = false, lastTap = null, dragStart = null;
    const isOverlay = event => event.target.closest('#lens, #status');

    stage.addEventListener('pointerdown', event => {
        if (isOverlay(event) || event.button > 1) return;
        if (event.button === 1) event.preventDefault();
        stage.setPointerCapture(event.pointerId);
        isTouched = event.pointerType === 'touch';
        if (pressed.size === 0) hasDragged = false;
        pressed.set(event.pointerId, {x: event.clientX, y: event.clientY, fromX: event.clientX, fromY: event.clientY});
        if (pressed.size > 1) hasDragged = true;
        dragStart = placeOf(event);
    });
    stage.addEventListener('pointermove', event => {
        const finger = pressed.get(event.pointerId);
        if (!finger) {
            isTouched = event.pointerType === 'touch';
            if (!isTouched && !isOverlay(event)) point('move', event);
            return;
        }
        const slop = event.pointerType === 'mouse' ? 4 : 9;
        if (!hasDragged && Math.hypot(event.clientX - finger.fromX, event.clientY - finger.fromY) < slop) return;
        if (!hasDragged) point('leave', event);
        hasDragged = true;
        const others = [...pressed.values()].filter(other => other !== finger);
        const [dx, dy] = [(event.clientX - finger.x) * scale, (event.clientY - finger.y) * scale];
        if (others.length === 0) {
            if (event.shiftKey) point('select', event, {dx: dragStart.x, dy: dragStart.y});
            else point('drag', event, {dx, dy});
        } else {
            // Two fingers: what is between them stays between them. A notch of the wheel is a factor of 1.3.
            const [other] = others;
            const before = Math.hypot(finger.x - other.x, finger.y - other.y);
            const now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
            const middle = {clientX: (event.clientX + other.x) / 2, clientY: (event.clientY + other.y) / 2};
            point('drag', middle, {dx: dx / 2, dy: dy / 2});
            if (before > 1 && now > 1) zoom(middle, Math.log(now / before) / Math.log(1.3));
        }
        finger.x = event.clientX;
        finger.y = event.clientY;
    });
    stage.addEventListener('pointerup', event => {
        const finger = pressed.get(event.pointerId);
        pressed.delete(event.pointerId);
        if (!finger || hasDragged || event.button !== 0) return;
        const tap = {at: event.timeStamp, x: event.clientX, y: event.clientY};
        const isDouble = lastTap && tap.at - lastTap.at < 350 && Math.hypot(tap.x - lastTap.x, tap.y - lastTap.y) < 24;
        lastTap = isDouble ? null : tap;
        if (isDouble) isZoomed = false;
        // A finger cannot hover: a tap shows the tip, too.
        if (event.pointerType === 'touch') point('move', event);
        point(isDouble ? 'double' : 'tap', event);
    });
    stage.addEventListener('pointercancel', event => pressed.delete(event.pointerId));
    stage.addEventListener('pointerleave', event => event.pointerType === 'mouse' && point('leave', event));
    // The page scrolls with one finger on a picture that shows all; two fingers are always for the picture.
    for (const kind of ['touchstart', 'touchmove']) {
        stage.addEventListener(kind, event => event.touches.length > 1 && event.cancelable && event.preventDefault(),
            {passive: false});
    }

    let isControlDown = false;
    for (const kind of ['keydown', 'keyup']) {
        addEventListener(kind, event => event.key === 'Control' && (isControlDown = kind === 'keydown'));
    }
    stage.addEventListener('wheel', event => {
        // The page scrolls past the picture, unless it is being looked at closely.
        const scrolls = root.scrollHeight > root.clientHeight + 1 || root.classList.contains('embed');
        const isLookedAt = stage.classList.contains('free') || stage.contains(document.activeElement);
        if ((scrolls && !isLookedAt && !event.ctrlKey) || isOverlay(event)) return;
        event.preventDefault();
        // A pinch on a touch pad comes as a wheel with Ctrl that nobody presses.
        const isPinch = event.ctrlKey && !isControlDown;
        const notch = isPinch ? 18 : [100, 3, 1][event.deltaMode];
        const by = -(event.deltaY || event.deltaX) / notch;
        zoom(event, Math.max(-4, Math.min(4, by)), {ctrl: event.ctrlKey && !isPinch});
    }, {passive: false});

    function showTip({lines: texts, x, y}) {
        const tip = $('tip');
        tip.hidden = texts.length === 0;
        if (tip.hidden) return;
        show(tip, texts, () => texts.map((text, i) => make(i ? 'div' : 'b', {textContent: text})));
        const [left, top] = [x / scale, y / scale];
        const [wide, high] = [stage.clientWidth, stage.clientHeight];
        if (isTouched) {
            // Above the finger.
            const toX = Math.max(4, Math.min(left - tip.offsetWidth / 2, wide - tip.offsetWidth - 4));
            const toY = top - tip.offsetHeight - 22;
            tip.style.transform = `translate(${Math.round(toX)}px, ${Math.round(toY > 4 ? toY : top + 30)}px)`;
            return;
        }
        const fits = left + 18 + tip.offsetWidth < wide;
        const toX = fits ? left + 18 : Math.max(4, Math.min(left - 14, wide - 4) - tip.offsetWidth);
        const toY = Math.max(4, Math.min(top + 14, high - tip.offsetHeight - 4));
        tip.style.transform = `translate(${Math.round(toX)}px, ${Math.round(toY)}px)`;
    }

    // --- the keyboard ---

    const keyNames = {
        ' ': 'Space', ArrowLeft: 'Left', ArrowRight: 'Right', ArrowUp: 'Up', ArrowDown: 'Down', ContextMenu: 'Menu'
    };
    function chordOf(event) {
        let name = keyNames[event.key] || event.key;
        const letter = /^Key([A-Z])$/.exec(event.code);
        // Other alphabets, and keyboards on which Alt types signs.
        if (letter && !/^[a-z]$/i.test(name)) name = letter[1];
        const isLetter = /^[a-z]$/i.test(name);
        const isSign = name.length === 1 && !isLetter;
        const modifiers = (event.ctrlKey ? 'Ctrl+' : '') + (event.altKey ? 'Alt+' : '') +
            (event.shiftKey && !isSign ? 'Shift+' : '');
        return modifiers + (isLetter ? (modifiers ? name.toUpperCase() : name.toLowerCase()) : name);
    }
    // Keys that scroll the page stay with it where it can scroll, but on the picture.
    const scrolling = new Set(['Up', 'Down', 'PageUp', 'PageDown', 'Home', 'End']);
    const isBrowsers = (event, chord) => event.metaKey ||
        /^(Shift\+)?Tab$|^F(5|11|12)$|^Alt\+(Left|Right)$/.test(chord) ||
        (event.ctrlKey && event.key.length === 1 && !/^Ctrl\+(Shift\+)?[ZYEHMKG]$/.test(chord));

    addEventListener('keydown', event => {
        const on = event.target;
        if (event.defaultPrevented || event.isComposing || hasFailed || $('help').open) return;
        if (on.closest && on.closest('input, textarea, select, .popup')) return;
        const chord = chordOf(event);
        if (chord === '?') {
            openHelp();
            return event.preventDefault();
        }
        if (chord === 'Ctrl+C' && stage.contains(on) && !String(getSelection())) return $('copy-sentence').onclick();
        if (!(chord in keys) || isBrowsers(event, chord)) return;
        const isPressed = on.closest && on.closest('button, a, summary');
        if (isPressed && (chord === 'Space' || chord === 'Enter')) return;
        const isIn = on.closest && on.closest('[role="tabpanel"], #source, #tour-words');
        const isAtPlayer = stage.contains(on) || $('player').contains(on);
        const pageScrolls = root.scrollHeight > root.clientHeight + 1;
        if (scrolling.has(chord) && (isIn || (pageScrolls && !isAtPlayer))) return;
        send({do: 'key', chord});
        event.preventDefault();
    });

    function openHelp() {
        const gestures = [
            ['wheel, pinch', 'nearer and farther'], ['drag', 'moves the picture'],
            ['click, tap', 'picks what is there'], ['double click, double tap', 'shows all again'],
            ['Ctrl + drag', 'turns a picture in space'],
            ['Shift + drag', 'selects a range, over time and on the strip'],
            ['drag on the strip', 'moves through the run']
        ];
        const table = (title, rows, tag) => [make('h3', {textContent: title}), make('table', {}, make('tbody', {},
            ...rows.map(([what, does]) => make('tr', {}, make('th', {scope: 'row'}, make(tag, {textContent: what})),
                make('td', {textContent: does})))))];
        show($('help-list'), keys, () => [
            table('Mouse and touch', gestures, 'span'), table('Keys', Object.entries(keys), 'kbd')
        ]);
        $('help').showModal();
    }
    $('help-open').onclick = openHelp;
    $('help').onclick = event => event.target === $('help') && $('help').close();

    // --- the menu ---

    popup($('menu-open'), $('menu'));

    async function copy(text, done) {
        try {
            await navigator.clipboard.writeText(text);
        } catch {
            // Refused within other pages: the old way, which asks for nothing.
            const field = document.body.appendChild(make('textarea', {value: text, className: 'unseen'}));
            field.select();
            const isCopied = document.execCommand('copy');
            field.remove();
            if (!isCopied) return complain(text);
        }
        complain(done);
        $('status').classList.remove('warns');
    }
    const compact = number => String(Math.round(number * 100) / 100);

    function linkToThisMoment() {
        const parts = new URLSearchParams();
        if (isEmbedAsked) parts.set('embed', '');
        if (attempts.length > 0) parts.set('try', attempts.join(';;'));
        else if (report.tour) parts.set('step', stepName(report.tour, report.tour.scene));
        parts.set('t', compact(report.at + report.first));
        const {camera} = report;
        if (camera) {
            parts.set('zoom', compact(camera.zoom));
            parts.set('at', camera.at.map(compact).join());
        }
        if (!report.tour) parts.set('views', report.views.filter(view => view.on).map(view => view.word).join());
        return location.href.replace(/#.*/, '') + '#' + parts.toString().replace(/%2C/g, ',').replace(/%3A/g, ':');
    }
    $('copy-link').onclick = () => copy(linkToThisMoment(), 'The link is copied.');
    $('copy-sentence').onclick = () => copy(report.sentence, 'The sentence is copied.');
    $('save').onclick = () => send({do: 'save'});
    $('load').onclick = () => $('file').click();
    $('file').onchange = () => open($('file').files[0]);

    async function open(file) {
        $('file').value = '';
        if (!file) return;
        const bytes = new Uint8Array(await file.arrayBuffer());
        send({do: 'load', name: file.name, bytes}, [bytes.buffer]);
    }
    addEventListener('dragover', event => event.preventDefault());
    addEventListener('drop', event => {
        event.preventDefault();
        open(event.dataTransfer.files[0]);
    });

    $('full-screen').hidden = !document.fullscreenEnabled;
    $('full-screen').onclick = () => document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen();
    document.addEventListener('fullscreenchange', () => report && render());

    function setGround() {
        root.dataset.ground = ground();
        paintRates();
        command('ground ' + ground());
    }
    $('ground').onclick = () => {
        chosenGround = root.dataset.ground === 'dark' ? 'light' : 'dark';
        setGround();
    };
    prefersLight.addEventListener('change', () => chosenGround || setGround());

    // --- links to a moment: #t=3915&zoom=4&at=0.2,-0.6&step=id&views=rings,memory ---

    let isEmbedAsked = false;
    let moment = null;  // what the address asks for and is not there yet

    function setHash(hash) {
        try {
            history.replaceState(null, '', hash);
        } catch { /* refused in some frames: the address stays as it is */ }
    }
    function readHash() {
        const parts = new URLSearchParams(location.hash.slice(1));
        isEmbedAsked = parts.has('embed');
        const isEmbedded = isEmbedAsked || isFigure || window.self !== window.top;
        root.classList.toggle('embed', isEmbedded && !parts.has('whole'));
        root.classList.toggle('figure', isFigure && !parts.has('whole'));
        const known = ['t', 'zoom', 'at', 'step', 'views', 'try', 'embed', 'whole'];
        const plain = [...parts.keys()].find(key => !known.includes(key) && !parts.get(key));
        moment = {t: parts.get('t'), zoom: parts.get('zoom'), at: parts.get('at'), views: parts.get('views'),
            step: parts.get('step') || plain, attempts: parts.get('try')};
        pursue();
    }

    // A part at a time: a run must be there before one can go to its moments.
    function pursue() {
        if (!moment || !isReady || !report || !report.open) return;
        const {tour} = report;
        const isAllowed = text => /^(machine |set |open "?pattern:)/.test(text);
        if (moment.attempts) {
            for (const text of moment.attempts.split(';;').filter(isAllowed)) {
                attempt({do: 'command', text}, words => words ? complain(words) : begun.push({text}));
            }
            moment.attempts = null;
            return void setTimeout(pursue, 100);
        }
        if (moment.step && tour) {
            const byId = (tour.ids || []).indexOf(moment.step);
            const scene = byId >= 0 ? byId : tour.id === moment.step ? tour.scene : Number(moment.step) - 1;
            moment.step = null;
            if (scene >= 0 && scene < tour.count && scene !== tour.scene) {
                command('tour-go ' + scene);
                return void setTimeout(pursue, 100);
            }
        }
        const share = /^([\d.]+)%$/.exec(moment.t);
        const t = moment.t === null ? null : share ? report.end * share[1] / 100 : moment.t - report.first;
        if (t !== null && report.built < Math.min(t, report.end) && report.working !== null) return;
        if (t !== null && Number.isFinite(t)) {
            command('seek ' + compact(Math.max(0, Math.min(t, report.end))));
            if (report.playing) command('play');
        }
        if (moment.views) {
            const words = moment.views.split(',').filter(word => report.views.some(view => view.word === word));
            words.forEach((word, i) => command((i === 0 ? 'view-only ' : 'view ') + word));
        }
        const factor = parseFloat(moment.zoom);
        if (factor > 0 && factor <= 1000) {
            isZoomed = factor > 1;
            command('zoom-reset');
            command(`zoom-at ${factor} 0 0`);
            const at = (moment.at || '').split(',').map(parseFloat);
            if (at.length === 2 && at.every(Number.isFinite)) command('look-at ' + at.join(' '));
        }
        moment = null;
    }
    addEventListener('hashchange', readHash);

    document.addEventListener('visibilitychange', () => send({do: 'hidden', on: document.hidden}));

    // For tests.
    window.whorlPage = {
        send, ask, measure: () => ask({do: 'measure'}, 'measured'), scene: () => ask({do: 'scene'}, 'scene'),
        get report() { return report; }
    };

    // --- begin ---

    root.classList.add('live');
    root.dataset.ground = ground();
    setText($('title'), document.title);
    readHash();
    resize();
    if (typeof WebAssembly !== 'object') fail('This browser has no WebAssembly, with which the run is played.');
    else if (typeof DecompressionStream !== 'function') fail('This browser is too old to play the run.');
    else begin(true).catch(fail);
})();

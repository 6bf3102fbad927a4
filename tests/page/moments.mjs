// moments.cpp over the page's WebAssembly, in Node: the same script, the same answers.
//
//     node [--no-experimental-fetch] moments.mjs PLAYER.JS FOLDER [light] [still] <SCRIPT
//
// PLAYER.JS is emscripten's glue, with player.wasm beside it. Nothing is painted, so that no WebGL is needed.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';

const kPatience = 50_000;  // so many frames without an end to them are a fault

function fail(words) {
    process.stderr.write(`moments: ${words}\n`);
    process.exit(2);
}

const [player, folder, ...words] = process.argv.slice(2);
if (!folder) fail('the player or a folder is missing');
const [start, ...lines] = fs.readFileSync(0, 'utf8').split('\n');

const load = createRequire(import.meta.url)(path.resolve(player));
const wasmBinary = fs.readFileSync(path.join(path.dirname(path.resolve(player)), 'player.wasm'));
const module = await load({wasmBinary, print() {}, printErr(text) { process.stderr.write(text + '\n'); }})
    .catch(error => fail('the player does not run: ' + error.message));
for (const name of fs.readdirSync(folder)) {
    module.FS.writeFile(name, fs.readFileSync(path.join(folder, name)));
}

const call = (name, gives, ...takes) => module.cwrap('page_' + name, gives, takes);
const page = {
    begin: call('begin', 'string', 'string', 'number', 'number'),
    size: call('size', null, 'number', 'number', 'number'),
    command: call('command', 'string', 'string'),
    key: call('key', 'number', 'string'),
    pointer: call('pointer', 'string', 'string', ...Array(7).fill('number')),
    frame: call('frame', 'number', 'number', 'number')
};
const questions = {
    report: call('report', 'string'), labels: call('labels', 'string'), scene: call('scene', 'string'),
    keys: call('keys', 'string'), strip: call('strip', 'string', 'number'),
    contents: call('contents', 'string', 'number'), source: call('source', 'string', 'number')
};

const error = page.begin(start, words.includes('light') ? 1 : 0, words.includes('still') ? 1 : 0);
if (error) fail(error);

const deeds = {
    size(width, height, scale) { page.size(Number(width), Number(height), Number(scale)); },
    frame(seconds) { page.frame(Number(seconds), 0); },
    settle() {
        for (let i = 0; i < kPatience; ++i) {
            if ((page.frame(0, 0) & 2) === 0) return;
        }
        fail('it does not settle');
    },
    key(chord) { return String(page.key(chord) !== 0); },
    pointer(kind, ...numbers) {
        const [x, y, dx, dy, notches, shift] = numbers.map(Number);
        return page.pointer(kind, x, y, dx, dy, notches, shift, 0) || '{"lines": []}';
    }
};

const answers = [];
for (const line of lines) {
    if (!line) continue;
    const [first, ...rest] = line.split(' ');
    let answer;
    if (first === 'command') answer = JSON.stringify(page.command(rest.join(' ')));
    else if (deeds[first]) answer = deeds[first](...rest);
    else if (questions[first]) answer = questions[first](Number(rest[0] || 0));
    else fail(`what is ${first}?`);
    if (answer !== undefined) answers.push(answer);
}
process.stdout.write(answers.map(answer => answer + '\n').join(''));

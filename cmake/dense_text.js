// node dense_text.js <BYTES >TEXT: writes 13 bits as two of 91 letters, which app/page/web/unpack.c reads.
'use strict';
const bytes = require('fs').readFileSync(0);
const letter = number => String.fromCharCode(35 + number).replace('<', '!');
const texts = [];
let bits = 0, count = 0;
const put = number => texts.push(letter(Math.floor(number / 91)) + letter(number % 91));
for (const byte of bytes) {
    bits |= byte << count;
    count += 8;
    if (count < 13) continue;
    put(bits & 8191);
    bits >>= 13;
    count -= 13;
}
if (count > 0) put(bits);
process.stdout.write(texts.join(''));

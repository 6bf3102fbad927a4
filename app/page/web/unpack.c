// Unpacks what a page holds: LZMA, a quarter less than what browsers unpack by themselves, as text of 91 letters, two of
// which stand for 13 bits; base64 is a twelfth longer. See cmake/dense_text.js for the way there.
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>

enum { kLetters = 91, kBits = 13 };

/// The letters follow '#', but for '<', which may end a script: '!' is in its place.
static uint32_t numberOf(unsigned char letter) {
    return letter == '!' ? '<' - '#' : (uint32_t)(letter - '#');
}

/// Turns the text into its bytes, in place; returns their number.
static size_t decode(unsigned char* text, size_t length) {
    size_t size = 0;
    uint32_t bits = 0;
    unsigned count = 0;
    for (size_t i = 0; i + 1 < length; i += 2) {
        bits |= (numberOf(text[i]) * kLetters + numberOf(text[i + 1])) << count;
        for (count += kBits; count >= 8; count -= 8) {
            text[size++] = (unsigned char)bits;
            bits >>= 8;
        }
    }
    return size;
}

/// The bytes that were packed into the text, of which there are `size`; null if it is damaged.
unsigned char* unpack(unsigned char* text, size_t length, size_t size) {
    unsigned char* const out = malloc(size);
    lzma_stream stream = LZMA_STREAM_INIT;
    if (out == NULL || lzma_alone_decoder(&stream, UINT64_MAX) != LZMA_OK) return NULL;
    stream.next_in = text;
    stream.avail_in = decode(text, length);
    stream.next_out = out;
    stream.avail_out = size;
    const lzma_ret result = lzma_code(&stream, LZMA_FINISH);
    const int isWhole = result == LZMA_STREAM_END || (result == LZMA_OK && stream.avail_out == 0);
    lzma_end(&stream);
    return isWhole ? out : NULL;
}

// Unpacks what a page holds, as LZMA: a quarter less than what browsers unpack by themselves.
#include <lzma.h>
#include <stdlib.h>

/// The bytes that were packed, of which there are `size`; null if they are damaged.
unsigned char* unpack(const unsigned char* packed, size_t length, size_t size) {
    unsigned char* const out = malloc(size);
    lzma_stream stream = LZMA_STREAM_INIT;
    if (out == NULL || lzma_alone_decoder(&stream, UINT64_MAX) != LZMA_OK) return NULL;
    stream.next_in = packed;
    stream.avail_in = length;
    stream.next_out = out;
    stream.avail_out = size;
    const lzma_ret result = lzma_code(&stream, LZMA_FINISH);
    const int isWhole = result == LZMA_STREAM_END || (result == LZMA_OK && stream.avail_out == 0);
    lzma_end(&stream);
    return isWhole ? out : NULL;
}

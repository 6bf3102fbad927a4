// What the fuzzers of the program's own files and words require of errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "sim/base/error.h"

namespace whorl {

inline void check(bool sound) {
    if (!sound) std::abort();
}

/// Something to read on one line, which cannot command a terminal.
inline void checkSentence(const std::string& sentence) {
    check(!sentence.empty());
    for (const char c : sentence) check(static_cast<unsigned char>(c) >= 0x20);
}
inline void checkSentence(const sim::Error& error) {
    check(!error.cancelled);
    checkSentence(error.sentence());
}

/// Several sentences, each on a line.
inline void checkSentences(const sim::Error& error) {
    check(!error.cancelled);
    const std::string text = error.sentence();
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        checkSentence(text.substr(from, end - from));
        from = end + 1;
    }
}

}  // namespace whorl

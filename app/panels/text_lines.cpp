#include "app/panels/text_lines.h"

#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <utility>

#include "render/scene/text_width.h"

namespace whorl::app {

namespace {

class LineBreaker {
  public:
    LineBreaker(const ImFont& font, float size, float width) : font_(font), size_(size), width_(width) {}

    void add(std::string_view word) {
        // With no room at all, not even an empty text fits.
        while (!word.empty() && !fits(word)) {
            if (!isAtStart()) {
                // The space before it has become the end of the line.
                out_.erase(out_.find_last_not_of(' ') + 1);
                endLine();
                continue;
            }
            const std::size_t bytes = fitting(word);
            out_ += word.substr(0, bytes);
            word.remove_prefix(bytes);
            endLine();
        }
        out_ += word;
    }
    void space() {
        if (!isAtStart() || isGiven_) out_ += ' ';
    }
    /// `isGiven`: the text has one there.
    void endLine(bool isGiven = false) {
        out_ += '\n';
        line_ = out_.size();
        isGiven_ = isGiven;
    }
    std::string text() && { return std::move(out_); }

  private:
    bool isAtStart() const { return out_.find_first_not_of(' ', line_) == std::string::npos; }
    float widthOf(std::string_view words) const {
        return font_.CalcTextSizeA(size_, FLT_MAX, 0, words.data(), words.data() + words.size()).x;
    }
    bool fits(std::string_view word) const {
        return widthOf(std::string_view(out_).substr(line_)) + widthOf(word) <= width_ + 0.5f;
    }
    /// As many bytes, whole characters of them and at least one, as fit into a line.
    std::size_t fitting(std::string_view word) const {
        std::size_t bytes = 0;
        std::size_t soft = 0;
        for (std::size_t next = 1; next <= word.size(); ++next) {
            if (next < word.size() && (static_cast<unsigned char>(word[next]) & 0xc0) == 0x80) continue;
            if (bytes > 0 && widthOf(word.substr(0, next)) > width_) break;
            bytes = next;
            if (std::string_view("/, ").find(word[bytes - 1]) != std::string_view::npos) soft = bytes;
        }
        return soft > 0 && bytes < word.size() ? soft : bytes;
    }

    const ImFont& font_;
    float size_;
    float width_;
    std::string out_;
    std::size_t line_ = 0;  ///< where the last line begins
    bool isGiven_ = true;
};

}  // namespace

std::string inLines(const ImFont& font, float size, float width, std::string_view words) {
    LineBreaker lines(font, size, width);
    while (!words.empty()) {
        std::size_t end = words.find_first_of(" \n");
        while (end > 0 && end < words.size() && words[end] == ' ' && !scene::mayEndLine(words, end)) {
            end = words.find_first_of(" \n", end + 1);
        }
        end = std::min(end, words.size());
        if (end > 0) {
            lines.add(words.substr(0, end));
        } else if (words.front() == ' ') {
            lines.space();
        } else {
            lines.endLine(true);
        }
        words.remove_prefix(std::max<std::size_t>(end, 1));
    }
    return std::move(lines).text();
}

std::string cutAtEnd(const ImFont& font, float size, float width, const std::string& words) {
    const auto fits = [&](const std::string& text) {
        return font.CalcTextSizeA(size, FLT_MAX, 0, text.data(), text.data() + text.size()).x <= width;
    };
    if (fits(words)) return words;
    std::size_t end = words.rfind(' ');
    while (end != std::string::npos && end > 0 && !fits(words.substr(0, end) + "…")) end = words.rfind(' ', end - 1);
    if (end == std::string::npos || end == 0) {
        const auto isWithin = [&](std::size_t i) { return (static_cast<unsigned char>(words[i]) & 0xc0) == 0x80; };
        end = words.size();
        while (end > 0 && (end == words.size() || isWithin(end) || !fits(words.substr(0, end) + "…"))) --end;
    }
    return words.substr(0, end) + "…";
}

}  // namespace whorl::app

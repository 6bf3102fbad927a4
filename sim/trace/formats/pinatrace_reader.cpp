// Pin's example tools pinatrace: "0x4004f6: R 0x7ffd10" a read at 0x7ffd10 by the instruction at 0x4004f6, "W" a write;
// the larger of the two tools adds the size and the value: "0x4004f6: W 0x7ffd10  8 0x2a". Pointers have the form that
// the C library prints: on Windows without 0x, with glibc "(nil)" for 0.
#include <fmt/format.h>

#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {
namespace {

constexpr std::string_view kPinatraceExample =
    "expected for example \"0x4004f6: R 0x7ffd10\", or a size and a value in addition";

/// The address of the instruction; nothing if the word is none.
std::optional<std::uint64_t> instructionIn(std::string_view word) {
    if (!word.ends_with(':')) return std::nullopt;
    word.remove_suffix(1);
    return hexNumber(word);
}

/// Parses a pointer. `like` is another pointer of the same line: either both have 0x or neither has.
std::optional<std::uint64_t> pointerIn(std::string_view word, std::string_view like) {
    if (word == "(nil)") return 0;
    return like.starts_with("0x") ? prefixedHexNumber(word) : hexNumber(word);
}

class PinatraceReader : public LineReader {
  public:
    explicit PinatraceReader(TraceBuilder& builder) : builder_(builder) {}

    std::size_t read(std::string_view block) override {
        return readEach(block, [this](std::string_view line) { return readLine(line); });
    }

  private:
    TraceBuilder& builder_;

    bool readLine(std::string_view line) {
        const std::string_view first = takeWord(line);
        if (first.empty() || first[0] == '#') return true;
        const auto pc = instructionIn(first);
        const std::string_view op = takeWord(line);
        if (!pc || (op != "R" && op != "W"))
            return refuse("not a record of pinatrace", std::string(kPinatraceExample), true);
        const std::string_view word = takeWord(line);
        const auto address = pointerIn(word, first);
        if (!address) {
            return refuseAddress(
                word, word.empty() ? std::string(kPinatraceExample) : "expected 0x and up to 16 hex digits", true);
        }
        const auto size = sizeIn(takeWord(line));
        if (!size || !possible(*address, *size)) return false;
        // The rest is the value: any number of digits, or nothing.
        Access access = accessOf(op == "W" ? Op::write : Op::read, *address, *size);
        access.site = builder_.siteAt(ByteAddress{*pc});
        builder_.add(access);
        return true;
    }

    std::optional<std::uint64_t> sizeIn(std::string_view word) {
        if (word.empty()) return kUnknownAccessSize;
        const auto size = decimalNumber(word);
        if (!size) refuse(fmt::format("\"{}\" is not a size", shown(word)), "expected a number of bytes", true);
        return size;
    }
};

}  // namespace

std::unique_ptr<LineReader> pinatraceReader(TraceBuilder& builder, bool) {
    return std::make_unique<PinatraceReader>(builder);
}

int likePinatrace(std::string_view line) {
    const std::string_view first = takeWord(line);
    const std::string_view op = takeWord(line);
    const std::string_view address = takeWord(line);
    const bool isPointer = likeAddress(address) || pointerIn(address, first);
    return instructionIn(first) && (op == "R" || op == "W") && isPointer ? 2 : 0;
}

}  // namespace whorl::sim

// Dinero's "din" format: "0 1fc8" a read, "1 1fc8" a write, "2 4000" an instruction fetch; addresses are hex, and the
// rest of the line is a comment. Also reads its extended form, "r 1fc8 4", with the size in hex. Accepts a size in the
// first form, too, since many tools write one.
#include <fmt/format.h>

#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {
namespace {

constexpr std::string_view kLabels = "012rRwWiI";

bool isFetch(char label) {
    return label == '2' || label == 'i' || label == 'I';
}

bool isWrite(char label) {
    return label == '1' || label == 'w' || label == 'W';
}

/// The third word if it can only be a size: a comment may be a word of hex digits ("add").
std::optional<std::uint64_t> sizeIn(std::string_view word) {
    if (word.empty() || word[0] < '0' || word[0] > '9') return std::nullopt;
    return hexNumber(word);
}

class DinReader : public LineReader {
  public:
    DinReader(TraceBuilder& builder, bool instructions) : builder_(builder), instructions_(instructions) {}

    std::size_t read(std::string_view block) override {
        return readEach(block, [this](std::string_view line) { return readLine(line); });
    }
    void finish() override {
        if (escapes_ == 0) return;
        builder_.lost(
            fmt::format("{} escape record{} (label 3 or 4) {} skipped: what a label 4 asks for, to empty the "
                        "caches, is not done",
                        escapes_, escapes_ == 1 ? "" : "s", escapes_ == 1 ? "is" : "are"));
    }

  private:
    TraceBuilder& builder_;
    bool instructions_;
    std::uint64_t escapes_ = 0;

    bool readLine(std::string_view line) {
        const std::string_view label = takeWord(line);
        if (label.empty()) return true;
        if (label == "3" || label == "4") {
            ++escapes_;
            return true;
        }
        if (label.size() != 1 || kLabels.find(label[0]) == std::string_view::npos) {
            return refuse("not a record of din", "expected 0 (read), 1 (write) or 2 (fetch) and an address in hex",
                          true);
        }
        const std::string_view word = takeWord(line);
        const auto address = hexNumber(word);
        if (!address) {
            return refuseAddress(
                word, word.empty() ? "expected for example \"0 1fc8\"" : "expected up to 16 hex digits", true);
        }
        const std::uint64_t size = sizeIn(takeWord(line)).value_or(kDefaultAccessSize);
        if (!possible(*address, size)) return false;
        if (isFetch(label[0])) builder_.instructions(1);
        if (isFetch(label[0]) && !instructions_) return true;
        builder_.add(accessOf(isWrite(label[0]) ? Op::write : Op::read, *address, size));
        return true;
    }
};

}  // namespace

std::unique_ptr<LineReader> dinReader(TraceBuilder& builder, bool instructions) {
    return std::make_unique<DinReader>(builder, instructions);
}

int likeDin(std::string_view line) {
    const std::string_view label = takeWord(line);
    const std::string_view address = takeWord(line);
    if (label.size() != 1 || !likeAddress(address)) return 0;
    if ((label[0] >= '0' && label[0] <= '4') || label[0] == 'i') return 2;
    // An address with 0x belongs to Whorl's own text.
    return kLabels.find(label[0]) != std::string_view::npos && !prefixedHexNumber(address) ? 2 : 0;
}

}  // namespace whorl::sim

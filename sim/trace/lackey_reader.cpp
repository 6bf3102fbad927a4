// Valgrind's lackey with --trace-mem=yes: "I  04001000,3" an instruction, " L 1ffe0,8" a load, " S 1ffe0,8" a store,
// " M 1ffe0,8" a load and then a store of the same bytes.
#include <bit>
#include <cstring>

#include "sim/trace/digits.h"
#include "sim/trace/line_reader.h"

namespace whorl::sim {
namespace {

bool isKind(char c) {
    return c == 'I' || c == 'L' || c == 'S' || c == 'M';
}

/// Reads eight hex digits at once, all bytes side by side in a register: in a byte of `value` stands the low nibble of
/// the character, and 9 more where bit 6 says that it is a letter. False when one is not 0 to 9 or a to f.
bool eightDigits(const char* p, std::uint64_t& out) {
    static_assert(std::endian::native == std::endian::little, "the first digit is to be the lowest byte");
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    std::uint64_t text = 0;
    std::memcpy(&text, p, sizeof text);
    const std::uint64_t letters = text >> 6 & kOnes;
    std::uint64_t value = (text & kOnes * 0x0f) + letters * 9;
    const std::uint64_t wrongKind = (text & kOnes * 0xf0) ^ (kOnes * 0x30 + letters * 0x30);
    const std::uint64_t over15 = value & kOnes * 0x10;
    const std::uint64_t over9 = (value + kOnes * 6) & kOnes * 0x10;
    if ((wrongKind | over15 | (over9 ^ letters << 4)) != 0) return false;
    value = (value & 0x000f000f000f000f) << 4 | (value >> 8 & 0x000f000f000f000f);
    value = (value & 0x000000ff000000ff) << 8 | (value >> 16 & 0x000000ff000000ff);
    out = (value & 0xffff) << 16 | value >> 32;
    return true;
}

struct Record {
    char kind = 0;
    std::uint64_t address = 0;
    std::uint64_t size = 0;
};

/// What valgrind says beside the trace ("==123== Lackey, …"), and what lackey does with other options.
bool isBanner(std::string_view line) {
    return line.starts_with("==") || line.starts_with("--") || line.starts_with("**") || line.starts_with("SB ");
}

/// A record with blanks as they come: copies of traces, as in course work, are not always faithful.
std::optional<Record> looseRecord(std::string_view line) {
    const std::string_view kind = takeWord(line);
    const std::string_view address = takeWord(line);
    const std::size_t comma = address.find(',');
    if (kind.size() != 1 || !isKind(kind[0]) || comma == std::string_view::npos || !withoutBlanks(line).empty()) {
        return std::nullopt;
    }
    const auto at = hexNumber(address.substr(0, comma));
    const auto size = decimalNumber(address.substr(comma + 1));
    if (!at || !size) return std::nullopt;
    return Record{.kind = kind[0], .address = *at, .size = *size};
}

class LackeyReader : public LineReader {
  public:
    LackeyReader(TraceBuilder& builder, bool instructions) : builder_(builder), instructions_(instructions) {}

    std::size_t take(std::string_view block) override {
        const char* at = block.data();
        const char* const end = at + block.size();
        while (at != end) {
            const char* next = end - at >= kLongRecord ? takeRecord(at) : nullptr;
            if (next == nullptr) {
                const std::string_view rest(at, static_cast<std::size_t>(end - at));
                if (!takeLine(firstLine(rest))) break;
                next = at + rest.find('\n') + 1;
            }
            ++lines_;
            at = next;
        }
        return static_cast<std::size_t>(at - block.data());
    }

  private:
    /// A record's first eight digits are read without a look at what they are, so they must be there.
    static constexpr std::ptrdiff_t kLongRecord = 32;

    TraceBuilder& builder_;
    bool instructions_;

    /// Takes a record of lackey's own making and gives the start of the next line, or null when the line is anything
    /// else. This is where the time goes when a trace is read. Every test stops at "\n", which ends each line.
    const char* takeRecord(const char* p) {
        const bool instruction = p[0] == 'I';
        if (!(instruction ? p[1] == ' ' : p[0] == ' ' && isKind(p[1])) || p[2] != ' ') return nullptr;
        const char kind = p[1];
        p += 3;

        const char* const address = p;
        std::uint64_t at = 0;
        if (!eightDigits(p, at)) return nullptr;  // lackey writes no fewer
        p += 8;
        for (unsigned d = digit(*p); d < 16; d = digit(*++p)) at = at << 4 | d;
        if (*p != ',' || p - address > 16) return nullptr;

        const char* const number = ++p;
        std::uint64_t size = 0;
        for (unsigned d = digit(*p); d < 10; d = digit(*++p)) size = size * 10 + d;
        if (p - number > 8 || size == 0 || size > kMaxAccessSize || !withinMemory(at, size)) return nullptr;
        if (*p == '\r') ++p;
        if (*p != '\n') return nullptr;

        if (instruction) {
            if (instructions_) add(Op::read, at, size);
        } else {
            if (kind != 'S') add(Op::read, at, size);
            if (kind != 'L') add(Op::write, at, size);
        }
        return p + 1;
    }

    bool takeLine(std::string_view line) {
        if (!shortEnough(line)) return false;
        if (isBanner(line) || withoutBlanks(line).empty()) return true;
        const auto record = looseRecord(line);
        if (!record) {
            return refuse("not a record of lackey",
                          "expected for example \" L 1ffe0,8\"; if the program's own output is mixed in, record with "
                          "--log-file=FILE",
                          true);
        }
        if (!possible(record->address, record->size)) return false;
        if (record->kind == 'I' && !instructions_) return true;
        if (record->kind != 'S') add(Op::read, record->address, record->size);
        if (record->kind == 'S' || record->kind == 'M') add(Op::write, record->address, record->size);
        return true;
    }

    void add(Op op, std::uint64_t address, std::uint64_t size) { builder_.add(accessOf(op, address, size)); }
};

}  // namespace

std::unique_ptr<LineReader> lackeyReader(TraceBuilder& builder, bool instructions) {
    return std::make_unique<LackeyReader>(builder, instructions);
}

int likeLackey(std::string_view line) {
    if (looseRecord(line)) return 2;
    return line.starts_with("==") ? 1 : 0;
}

}  // namespace whorl::sim

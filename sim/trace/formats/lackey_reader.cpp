// Valgrind's lackey with --trace-mem=yes: "I  04001000,3" an instruction, " L 1ffe0,8" a load, " S 1ffe0,8" a store,
// " M 1ffe0,8" a load and then a store of the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "sim/base/processor.h"
#include "sim/base/text.h"
#include "sim/trace/formats/lackey_lines.h"
#include "sim/trace/formats/lackey_lines_body.h"
#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {

namespace {

bool isKind(char c) {
    return c == 'I' || c == 'L' || c == 'S' || c == 'M';
}

/// The words of a record, before it is known whether they are numbers.
struct RecordWords {
    char kind = 0;
    std::string_view address;
    std::string_view size;
    std::string_view rest;
    bool blankAtComma = false;
};

/// Whether a line is a message of Valgrind ("==123== Lackey, …"), or lackey's output for other options.
bool isBanner(std::string_view line) {
    return line.starts_with("==") || line.starts_with("--") || line.starts_with("**") || line.starts_with("SB ");
}

/// Splits a record with any number of blanks between its parts: copies of traces, as in course material, may have lost
/// some.
std::optional<RecordWords> recordWords(std::string_view line) {
    const std::string_view kind = takeWord(line);
    if (kind.size() != 1 || !isKind(kind[0])) return std::nullopt;
    RecordWords words{.kind = kind[0], .address = takeWord(line, ',')};
    const std::string_view comma = withoutBlanks(line);
    if (!likeAddress(words.address) || !comma.starts_with(',')) return std::nullopt;
    words.blankAtComma = comma.size() != line.size() || (comma.size() > 1 && isBlank(comma[1]));
    line = comma.substr(1);
    words.size = takeWord(line);
    words.rest = withoutBlanks(line);
    return words;
}

/// Parses the addresses in lackey's output, with SSE2 or portable code. Always reads 16 characters, even beyond the
/// address.
struct LackeyAddress {
#ifdef __SSE2__
    /// The positions of newlines among 64 characters, as bits.
    static std::uint64_t newlines(const char* p) {
        std::uint64_t found = 0;
        for (unsigned i = 0; i < 64; i += 16) {
            const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
            const int here = _mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('\n')));
            found |= static_cast<std::uint64_t>(here) << i;
        }
        return found;
    }

    /// Parses an address of the given number of digits; false if it is invalid or has more than 15. All 16 characters
    /// are converted in parallel; those after the digits are shifted out at the end.
    [[gnu::always_inline]] static bool addressAt(const char* p, std::size_t digits, std::uint64_t& out) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const __m128i decimal = _mm_sub_epi8(text, _mm_set1_epi8('0'));
        const __m128i letter = _mm_sub_epi8(_mm_or_si128(text, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
        const __m128i isDecimal = _mm_cmpeq_epi8(_mm_min_epu8(decimal, _mm_set1_epi8(9)), decimal);
        const __m128i isLetter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
        const __m128i value = _mm_or_si128(_mm_and_si128(isDecimal, decimal),
                                           _mm_and_si128(isLetter, _mm_add_epi8(letter, _mm_set1_epi8(10))));
        // Combine pairs of digits into bytes; the first digit and the first pair are the most significant.
        const __m128i pairs = _mm_or_si128(_mm_slli_epi16(value, 4), _mm_srli_epi16(value, 8));
        const __m128i bytes = _mm_packus_epi16(_mm_and_si128(pairs, _mm_set1_epi16(0xff)), _mm_setzero_si128());
        const auto backward = static_cast<std::uint64_t>(_mm_cvtsi128_si64(bytes));
        const auto valid = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(isDecimal, isLetter)));
        if (digits - 1 > 14 || (~valid & ((1u << digits) - 1)) != 0) return false;
        out = __builtin_bswap64(backward) >> (64 - 4 * digits);
        return true;
    }
    /// The number of characters before the first comma, up to 16.
    static unsigned charactersBeforeComma(const char* p) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const int commas = _mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8(',')));
        return static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(commas) | 1u << 16));
    }
#else
    static std::uint64_t newlines(const char* p) {
        std::uint64_t found = 0;
        for (unsigned i = 0; i < 64; ++i) found |= std::uint64_t{p[i] == '\n'} << i;
        return found;
    }

    static bool addressAt(const char* p, std::size_t digits, std::uint64_t& out) {
        if (digits - 1 > 14) return false;
        out = 0;
        bool valid = true;
        for (std::size_t i = 0; i < digits; ++i) {
            valid = valid && digit(p[i]) < 16;
            out = out << 4 | (digit(p[i]) & 15);
        }
        return valid;
    }

    static unsigned charactersBeforeComma(const char* p) {
        return static_cast<unsigned>(std::find(p, p + 16, ',') - p);
    }
#endif
};

class LackeyReader : public LineReader {
  public:
    LackeyReader(TraceBuilder& builder, bool instructions)
        : builder_(builder), instructions_(instructions), passing_(!instructions && !builder.numbersSites()) {}

    std::size_t read(std::string_view block) override {
        const char* at = block.data();
        const char* const end = at + block.size();
        while (at != end) {
            // If instruction records are needed, one precedes most accesses, so there are no runs of common lines.
            if (passing_ || pc_.value == 0) at = readUsualLines(at, end);
            if (at == end) break;
            const char* next = end - at >= kLongRecord ? readRecord(at) : nullptr;
            if (next == nullptr) {
                const std::string_view rest(at, static_cast<std::size_t>(end - at));
                if (!readLine(firstLine(rest))) break;
                next = at + rest.find('\n') + 1;
            }
            ++lines_;
            at = next;
        }
        return static_cast<std::size_t>(at - block.data());
    }

  private:
    /// A record is read several characters at a time without bounds checks, so this number of characters must be
    /// available.
    static constexpr std::ptrdiff_t kLongRecord = 40;

    TraceBuilder& builder_;
    bool instructions_;
    bool passing_;    ///< instruction records are skipped without parsing
    ByteAddress pc_;  ///< address of the instruction that makes the accesses

    /// Parses a run of common records (see lackey_lines.h). Returns the end of the run.
    const char* readUsualLines(const char* at, const char* end) {
        const SiteId site = passing_ ? SiteId{} : builder_.siteAt(pc_);
        while (true) {
            const std::span<PackedAccess> room = builder_.room();
            const LackeyLines taken = readLackeyLines(at, end, room, {.passing = passing_, .site = site});
            builder_.written(taken.accesses);
            lines_ += taken.accesses + taken.passed;
            builder_.instructions(taken.passed);
            at = taken.end;
            if (taken.accesses < room.size() || room.empty()) return at;
        }
    }

    /// Parses a record exactly as lackey writes it. Returns the start of the next line, or null for any other line.
    const char* readRecord(const char* p) {
        const bool instruction = p[0] == 'I';
        if (!(instruction ? p[1] == ' ' : p[0] == ' ' && isKind(p[1])) || p[2] != ' ') return nullptr;
        const unsigned digits = LackeyAddress::charactersBeforeComma(p + 3);
        std::uint64_t address = 0;
        if (!LackeyAddress::addressAt(p + 3, digits, address)) return nullptr;
        const char* end = p + 3 + digits + 1;
        std::uint64_t size = digit(*end++);
        if (size > 9) return nullptr;
        if (*end != '\n') [[unlikely]] {
            // Reads at most 7 digits: more would not fit into kLongRecord.
            for (int n = 0; n < 6 && digit(*end) < 10; ++n) size = size * 10 + digit(*end++);
            if (*end == '\r') ++end;
            if (*end != '\n') return nullptr;
        }
        if (size == 0 || size > kMaxAccessSize || !withinMemory(address, size)) return nullptr;
        addRecord(instruction ? 'I' : p[1], address, size);
        return end + 1;
    }

    bool readLine(std::string_view line) {
        if (!shortEnough(line)) return false;
        if (isBanner(line) || withoutBlanks(line).empty()) return true;
        const auto words = recordWords(line);
        if (!words) {
            return refuse("not a record of lackey",
                          "expected for example \" L 1ffe0,8\"; if the program's own output is mixed in, record with "
                          "--log-file=FILE",
                          true);
        }
        return readWords(*words);
    }

    bool readWords(const RecordWords& words) {
        const auto address = hexNumber(words.address);
        if (!address) return refuseAddress(words.address, "expected up to 16 hex digits", true);
        if (words.blankAtComma) {
            return refuse("a blank beside the comma", R"(expected for example " L 1ffe0,8"; sed 's/ *, */,/' mends it)",
                          true);
        }
        const auto size = decimalNumber(words.size);
        if (!size) return refuse(fmt::format("\"{}\" is not a size", shown(words.size)), "expected bytes", true);
        if (!words.rest.empty()) {
            return refuse(fmt::format("\"{}\" is unexpected behind the size", shown(words.rest)),
                          R"(a record ends there; sed -E 's/(,[0-9]+).*/\1/' leaves out what follows)", true);
        }
        if (!possible(*address, *size)) return false;
        addRecord(words.kind, *address, *size);
        return true;
    }

    void addInstruction(std::uint64_t address, std::uint64_t size) {
        pc_ = ByteAddress{address};
        builder_.instructions(1);
        if (!instructions_) return;
        Access access = accessOf(Op::read, address, size);
        access.site = builder_.siteAt(pc_);
        builder_.add(access);
    }

    void addRecord(char kind, std::uint64_t address, std::uint64_t size) {
        if (kind == 'I') [[unlikely]] {
            addInstruction(address, size);
            return;
        }
        const SiteId site = passing_ ? SiteId{} : builder_.siteAt(pc_);
        const auto bytes = static_cast<std::uint32_t>(size);
        builder_.add(PackedAccess(kind == 'S' ? Op::write : Op::read, ByteAddress{address}, bytes, site));
        if (kind != 'M') return;
        Access second = accessOf(Op::write, address, size);
        second.site = site;
        second.modify = true;
        builder_.add(second);
    }
};

}  // namespace

LackeyLines readLackeyLinesPortably(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how) {
    return lackey::Lines<LackeyAddress>(room, how).read(at, end);
}

LackeyLines readLackeyLines(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how) {
    return hasAvx2() ? readLackeyLinesByAvx2(at, end, room, how) : readLackeyLinesPortably(at, end, room, how);
}

std::unique_ptr<LineReader> lackeyReader(TraceBuilder& builder, bool instructions) {
    return std::make_unique<LackeyReader>(builder, instructions);
}

int likeLackey(std::string_view line) {
    if (recordWords(line)) return 2;
    return line.starts_with("==") ? 1 : 0;
}

}  // namespace whorl::sim

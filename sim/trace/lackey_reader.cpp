// Valgrind's lackey with --trace-mem=yes: "I  04001000,3" an instruction, " L 1ffe0,8" a load, " S 1ffe0,8" a store,
// " M 1ffe0,8" a load and then a store of the same bytes.
#include <algorithm>
#include <bit>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "sim/trace/digits.h"
#include "sim/trace/line_reader.h"

namespace whorl::sim {
namespace {

bool isKind(char c) {
    return c == 'I' || c == 'L' || c == 'S' || c == 'M';
}

constexpr std::uint64_t kOnes = 0x0101010101010101;

std::uint64_t eightBytes(const char* p) {
    static_assert(std::endian::native == std::endian::little, "the first character is to be the lowest byte");
    std::uint64_t text = 0;
    std::memcpy(&text, p, sizeof text);
    return text;
}

/// How many of eight characters stand before the first that is `c`; 8 when none is.
unsigned charactersBefore(std::uint64_t text, char c) {
    const std::uint64_t others = text ^ kOnes * static_cast<unsigned char>(c);
    return static_cast<unsigned>(std::countr_zero((others - kOnes) & ~others & kOnes * 0x80)) / 8;
}

#ifdef __SSE2__
/// Reads an address that ends with a comma, and gives the place of the comma, or null when there is none such. All
/// sixteen characters are looked at side by side; those from the comma on are shifted out in the end.
[[gnu::always_inline]] inline const char* addressAt(const char* p, std::uint64_t& out) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const int commas = _mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8(',')));
    const auto digits = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(commas) | 1u << 16));
    const __m128i decimal = _mm_sub_epi8(text, _mm_set1_epi8('0'));
    const __m128i letter = _mm_sub_epi8(_mm_or_si128(text, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    const __m128i isDecimal = _mm_cmpeq_epi8(_mm_min_epu8(decimal, _mm_set1_epi8(9)), decimal);
    const __m128i isLetter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
    const __m128i value = _mm_or_si128(_mm_and_si128(isDecimal, decimal),
                                       _mm_and_si128(isLetter, _mm_add_epi8(letter, _mm_set1_epi8(10))));
    // Of each pair of digits the first is the higher, and of all pairs.
    const __m128i pairs = _mm_or_si128(_mm_slli_epi16(value, 4), _mm_srli_epi16(value, 8));
    const __m128i bytes = _mm_packus_epi16(_mm_and_si128(pairs, _mm_set1_epi16(0xff)), _mm_setzero_si128());
    const auto backward = static_cast<std::uint64_t>(_mm_cvtsi128_si64(bytes));
    const auto sound = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(isDecimal, isLetter)));
    const unsigned wanted = (1u << digits) - 1;
    if (digits == 0 || digits == 16 || (sound & wanted) != wanted) return nullptr;
    out = __builtin_bswap64(backward) >> (64 - 4 * digits);
    return p + digits;
}
#else
/// Reads sixteen hex digits at once, the first eight in `high`. False when one is not 0 to 9, a to f or A to F. The
/// vectors are the compiler's own, which makes of them what the processor has.
bool sixteenDigits(std::uint64_t high, std::uint64_t low, std::uint64_t& out) {
    using Bytes = std::uint8_t __attribute__((vector_size(16)));
    using Pairs = std::uint16_t __attribute__((vector_size(16)));
    using Fours = std::uint32_t __attribute__((vector_size(16)));
    using Eights = std::uint64_t __attribute__((vector_size(16)));
    const auto text = reinterpret_cast<Bytes>(Eights{high, low});
    const Bytes digits = text - '0';
    const Bytes letters = (text | 0x20) - 'a';
    const auto areDigits = reinterpret_cast<Bytes>(digits < 10);
    const auto areLetters = reinterpret_cast<Bytes>(letters < 6);
    const auto sound = reinterpret_cast<Eights>(areDigits | areLetters);
    // The first digit is the lowest byte, and counts most.
    auto pairs = reinterpret_cast<Pairs>((digits & areDigits) | ((letters + 10) & areLetters));
    pairs = (pairs << 4 | pairs >> 8) & 0xff;
    auto fours = reinterpret_cast<Fours>(pairs);
    fours = (fours << 8 | fours >> 16) & 0xffff;
    const auto eights = reinterpret_cast<Eights>(fours);
    const std::uint64_t upper = (eights[0] << 16 | eights[0] >> 32) & 0xffffffff;
    const std::uint64_t lower = (eights[1] << 16 | eights[1] >> 32) & 0xffffffff;
    out = upper << 32 | lower;
    return (sound[0] & sound[1]) == ~std::uint64_t{0};
}

/// Reads an address of at least eight digits that ends with a comma, and gives the place of the comma, or null when
/// there is none such. However many digits there are, sixteen are read, with zeros before the first: their number
/// cannot be foretold, and a wrong guess would cost as much as all of this.
const char* addressAt(const char* p, std::uint64_t& out) {
    const std::uint64_t first = eightBytes(p);
    const std::uint64_t behind = eightBytes(p + 8);
    const unsigned more = charactersBefore(behind, ',');
    if (more > 7) return nullptr;  // sixteen digits, or none of this
    const unsigned shift = 8 * more;
    const std::uint64_t high = first << (56 - shift) << 8 | kOnes * '0' >> shift;
    const std::uint64_t low = behind << (56 - shift) << 8 | first >> shift;
    return sixteenDigits(high, low, out) ? p + 8 + more : nullptr;
}
#endif

/// The first three characters of a record, as eightBytes gives them.
constexpr std::uint64_t firstThree(const char (&text)[4]) {
    return static_cast<std::uint64_t>(text[0]) | static_cast<std::uint64_t>(text[1]) << 8 |
           static_cast<std::uint64_t>(text[2]) << 16;
}
constexpr std::uint64_t kInstruction = firstThree("I  ");
constexpr std::uint64_t kLoad = firstThree(" L ");
constexpr std::uint64_t kStore = firstThree(" S ");

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
    LackeyReader(TraceBuilder& builder, bool instructions)
        : builder_(builder), instructions_(instructions), passing_(!instructions && !builder.keepsSites()) {}

    std::size_t take(std::string_view block) override {
        const char* at = block.data();
        const char* const end = at + block.size();
        while (at != end) {
            at = takePlain(at, end);
            if (at == end) break;
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
    /// A record's characters are read many at once without a look at what they are, so they must be there.
    static constexpr std::ptrdiff_t kLongRecord = 40;

    TraceBuilder& builder_;
    bool instructions_;
    bool passing_;    ///< instructions are of no use at all
    ByteAddress pc_;  ///< of the instruction that makes the accesses

    /// Takes loads and stores of up to nine bytes, as most are, one after the other for as long as there are no others,
    /// and gives where they end. Instructions between them are passed over if they are of no use. This is where the
    /// time goes when a trace is read.
    const char* takePlain(const char* at, const char* end) {
        const SiteId site = passing_ ? SiteId{} : builder_.siteAt(pc_);
        while (end - at >= kLongRecord) {
            const std::span<PackedAccess> room = builder_.room();
            std::size_t taken = 0;
            std::uint64_t passed = 0;
            while (taken < room.size() && end - at >= kLongRecord) {
                const std::uint64_t kind = eightBytes(at) & 0xffffff;
                if (kind == kInstruction && passing_) {
                    const char* next = behindInstruction(at);
                    if (next == nullptr) break;
                    at = next;
                    ++passed;
                    continue;
                }
                // Loads and stores come as they like: a branch for each would be guessed wrong too often.
                if (std::min(kind ^ kLoad, kind ^ kStore) != 0) break;
                std::uint64_t address = 0;
                const char* comma = addressAt(at + 3, address);
                if (comma == nullptr) break;
                const auto size = static_cast<std::uint32_t>(comma[1] - '0');
                if (size - 1 > 8 || comma[2] != '\n') break;
                room[taken++] = PackedAccess(kind == kStore ? Op::write : Op::read, ByteAddress{address}, size, site);
                at = comma + 3;
            }
            builder_.written(taken);
            lines_ += taken + passed;
            if (taken < room.size() || room.empty()) break;
        }
        return at;
    }

    /// Takes a record of lackey's own making and gives the start of the next line, or null when the line is anything
    /// else.
    const char* takeRecord(const char* p) {
        const bool instruction = p[0] == 'I';
        if (!(instruction ? p[1] == ' ' : p[0] == ' ' && isKind(p[1])) || p[2] != ' ') return nullptr;
        if (instruction && passing_) return behindInstruction(p);
        std::uint64_t address = 0;
        const char* end = addressAt(p + 3, address);
        if (end == nullptr) return nullptr;
        std::uint64_t size = digit(end[1]);
        end += 2;
        if (size > 9) return nullptr;
        if (*end != '\n') [[unlikely]] {
            // No more than seven digits: kLongRecord has no room for others.
            for (int n = 0; n < 6 && digit(*end) < 10; ++n) size = size * 10 + digit(*end++);
            if (*end == '\r') ++end;
            if (*end != '\n') return nullptr;
        }
        if (size == 0 || size > kMaxAccessSize || !withinMemory(address, size)) return nullptr;
        takeParts(instruction ? 'I' : p[1], address, size);
        return end + 1;
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
        takeParts(record->kind, record->address, record->size);
        return true;
    }

    /// The line behind an instruction that is left out, or null when this is not how lackey writes one.
    static const char* behindInstruction(const char* p) {
        const unsigned n = charactersBefore(eightBytes(p + 11), '\n');
        return n > 7 || p[11 + n - 2] != ',' ? nullptr : p + 11 + n + 1;
    }

    void takeInstruction(std::uint64_t address, std::uint64_t size) {
        pc_ = ByteAddress{address};
        if (!instructions_) return;
        Access access = accessOf(Op::read, address, size);
        access.site = builder_.siteAt(pc_);
        builder_.add(access);
    }

    void takeParts(char kind, std::uint64_t address, std::uint64_t size) {
        if (kind == 'I') [[unlikely]] {
            takeInstruction(address, size);
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

std::unique_ptr<LineReader> lackeyReader(TraceBuilder& builder, bool instructions) {
    return std::make_unique<LackeyReader>(builder, instructions);
}

int likeLackey(std::string_view line) {
    if (looseRecord(line)) return 2;
    return line.starts_with("==") ? 1 : 0;
}

}  // namespace whorl::sim

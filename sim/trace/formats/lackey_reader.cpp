// Valgrind's lackey with --trace-mem=yes: "I  04001000,3" an instruction, " L 1ffe0,8" a load, " S 1ffe0,8" a store,
// " M 1ffe0,8" a load and then a store of the same bytes.
#include <fmt/format.h>

#include "sim/base/digits.h"
#include "sim/trace/formats/lackey_address.h"
#include "sim/trace/formats/lackey_lines.h"
#include "sim/trace/formats/line_reader.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {
namespace {

bool isKind(char c) {
    return c == 'I' || c == 'L' || c == 'S' || c == 'M';
}

/// The words of a record; whether they are numbers is not known yet.
struct RecordWords {
    char kind = 0;
    std::string_view address;
    std::string_view size;
    std::string_view rest;
    bool blankAtComma = false;
};

/// Valgrind's own messages ("==123== Lackey, …"), and lackey's output for other options.
bool isBanner(std::string_view line) {
    return line.starts_with("==") || line.starts_with("--") || line.starts_with("**") || line.starts_with("SB ");
}

/// Takes a record with any amount of blanks apart: copies of traces, as in course material, may have lost some.
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

class LackeyReader : public LineReader {
  public:
    LackeyReader(TraceBuilder& builder, bool instructions)
        : builder_(builder), instructions_(instructions), passing_(!instructions && !builder.numbersSites()) {}

    std::size_t read(std::string_view block) override {
        const char* at = block.data();
        const char* const end = at + block.size();
        while (at != end) {
            // If instruction records are needed, there is one before most accesses, so there are no runs of common
            // lines.
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
    /// A record is read several characters at a time without bounds checks, so this many must be available.
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
            // At most 7 digits: more would not fit into kLongRecord.
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

std::unique_ptr<LineReader> lackeyReader(TraceBuilder& builder, bool instructions) {
    return std::make_unique<LackeyReader>(builder, instructions);
}

int likeLackey(std::string_view line) {
    if (recordWords(line)) return 2;
    return line.starts_with("==") ? 1 : 0;
}

}  // namespace whorl::sim

// Tables of text, by the columns that the user names. Without an operation an access is a read; without a size it is of
// one byte, and touches no block that the trace does not name.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/text.h"
#include "sim/trace/formats/columns.h"
#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"

namespace whorl::sim {

namespace {

struct ColumnName {
    std::string_view name;
    ColumnKind kind;
};
constexpr std::array<ColumnName, 7> kColumns = {{{"op", ColumnKind::op},
                                                 {"addr", ColumnKind::address},
                                                 {"size", ColumnKind::size},
                                                 {"cpu", ColumnKind::cpu},
                                                 {"pc", ColumnKind::pc},
                                                 {"instructions", ColumnKind::instructions},
                                                 {"-", ColumnKind::nothing}}};

enum class Does : std::uint8_t { read, write, modify, fetch };

struct OpWord {
    std::string_view word;  ///< in lower case
    Does does;
};
constexpr std::array<OpWord, 23> kOpWords = {
    {{"r", Does::read},       {"rd", Does::read},       {"read", Does::read}, {"l", Does::read},
     {"ld", Does::read},      {"load", Does::read},     {"0", Does::read},    {"w", Does::write},
     {"wr", Does::write},     {"write", Does::write},   {"s", Does::write},   {"st", Does::write},
     {"store", Does::write},  {"1", Does::write},       {"m", Does::modify},  {"rw", Does::modify},
     {"rmw", Does::modify},   {"modify", Does::modify}, {"i", Does::fetch},   {"if", Does::fetch},
     {"ifetch", Does::fetch}, {"fetch", Does::fetch},   {"2", Does::fetch}}};

bool endsColumn(char c) {
    return isBlank(c) || c == ',' || c == ';' || c == ':' || c == '|';
}

/// Takes the next column from the front of a line. Blanks around the sign that ends it belong to it.
std::string_view takeColumn(std::string_view& line) {
    line = withoutBlanks(line);
    const std::size_t size =
        static_cast<std::size_t>(std::find_if(line.begin(), line.end(), endsColumn) - line.begin());
    const std::string_view column = line.substr(0, size);
    line = withoutBlanks(line.substr(size));
    if (!line.empty() && endsColumn(line.front())) line.remove_prefix(1);
    return column;
}

class ColumnsReader : public LineReader {
  public:
    ColumnsReader(const TableColumns& columns, TraceBuilder& builder, bool instructions)
        : columns_(columns), builder_(builder), instructions_(instructions) {
        hasComments_ = columns_.kinds.front() != ColumnKind::nothing;
    }

    std::size_t read(std::string_view block) override {
        return readEach(block, [this](std::string_view line) { return lines_ < columns_.skipped || readLine(line); });
    }

  private:
    bool readLine(std::string_view line) {
        const std::string_view begin = withoutBlanks(line);
        if (begin.empty() || (hasComments_ && begin.front() == '#')) return true;
        access_ = Access{};
        access_.size = kUnknownAccessSize;
        does_ = Does::read;
        for (std::size_t c = 0; c < columns_.kinds.size(); ++c) {
            const std::string_view word = takeColumn(line);
            if (word.empty() && columns_.kinds[c] != ColumnKind::nothing) {
                return refuse(fmt::format("{} column{} instead of {}", c, c == 1 ? "" : "s", columns_.kinds.size()),
                              "the table has fewer columns than --columns names", true);
            }
            if (!take(columns_.kinds[c], word)) return false;
        }
        return possible(access_.address.value, access_.size) && add();
    }

    bool take(ColumnKind kind, std::string_view word) {
        switch (kind) {
            case ColumnKind::op:
                return takeOp(word);
            case ColumnKind::address:
                return takeAddress(word);
            case ColumnKind::size:
                return takeSize(word);
            case ColumnKind::cpu:
                return takeCpu(word);
            case ColumnKind::pc:
                return takePc(word);
            case ColumnKind::instructions:
                return takeInstructions(word);
            case ColumnKind::nothing:
                return true;
        }
        return true;
    }

    bool takeOp(std::string_view word) {
        const auto isWord = [&](const std::string& known) { return sameName(known, word); };
        if (std::ranges::any_of(columns_.reads, isWord)) {
            does_ = Does::read;
        } else if (std::ranges::any_of(columns_.writes, isWord)) {
            does_ = Does::write;
        } else {
            const auto known =
                std::ranges::find_if(kOpWords, [&](const OpWord& op) { return sameName(op.word, word); });
            if (known == kOpWords.end()) {
                return refuse(fmt::format("\"{}\" is neither a read nor a write", shown(word)),
                              "--reads and --writes say which words are", true);
            }
            does_ = known->does;
        }
        access_.op = does_ == Does::write ? Op::write : Op::read;
        return true;
    }

    std::optional<std::uint64_t> pointerIn(std::string_view word) const {
        if (word == "(nil)") return 0;
        return columns_.hex ? hexNumber(word) : anyNumber(word);
    }

    bool takeAddress(std::string_view word) {
        const auto address = pointerIn(word);
        if (!address) {
            const bool needsHex = !columns_.hex && hexNumber(word);
            return refuse(fmt::format("\"{}\" is not an address", shown(word)),
                          needsHex ? "--hex takes addresses without 0x as hex" : "expected a number", true);
        }
        if (*address > ~std::uint64_t{0} / columns_.unit) return refuse("an access past the end of the address space");
        access_.address = ByteAddress{*address * columns_.unit};
        return true;
    }

    bool takeSize(std::string_view word) {
        const auto size = anyNumber(word);
        // A larger one is refused with its number by possible().
        if (!size || *size > ~std::uint32_t{0}) {
            return refuse(fmt::format("\"{}\" is not a size", shown(word)), "expected a number of bytes", true);
        }
        access_.size = static_cast<std::uint32_t>(*size);
        return true;
    }

    bool takeCpu(std::string_view word) {
        const auto cpu = decimalNumber(word);
        if (!cpu || *cpu >= kMaxCpus) {
            return refuse(fmt::format("\"{}\" is not a CPU", shown(word)),
                          fmt::format("expected a number from 0 to {}", kMaxCpus - 1), true);
        }
        access_.cpu = static_cast<std::uint8_t>(*cpu);
        return true;
    }

    bool takePc(std::string_view word) {
        const auto pc = pointerIn(word);
        if (!pc) return refuse(fmt::format("\"{}\" is not the address of an instruction", shown(word)), {}, true);
        access_.site = builder_.siteAt(ByteAddress{*pc});
        return true;
    }

    bool takeInstructions(std::string_view word) {
        const auto count = decimalNumber(word);
        if (!count) return refuse(fmt::format("\"{}\" is not a number of instructions", shown(word)), {}, true);
        builder_.instructions(*count);
        return true;
    }

    bool add() {
        if (does_ == Does::fetch) {
            builder_.instructions(1);
            if (!instructions_) return true;
        }
        builder_.add(access_);
        if (does_ != Does::modify) return true;
        access_.op = Op::write;
        access_.modify = true;
        builder_.add(access_);
        return true;
    }

    const TableColumns columns_;
    TraceBuilder& builder_;
    bool instructions_;
    bool hasComments_ = true;  ///< what begins with # is none
    Access access_;            ///< of the line at hand
    Does does_ = Does::read;
};

}  // namespace

Expected<std::vector<ColumnKind>> columnsNamed(std::string_view names) {
    std::vector<ColumnKind> out;
    const auto wrong = [&](std::string what) {
        return fail("", std::move(what),
                    "name them in their order: " + joinNames(columnNames()) + ", - for what means nothing");
    };
    while (true) {
        const std::string_view name = trimmed(names.substr(0, names.find(',')));
        const auto known = std::ranges::find(kColumns, name, &ColumnName::name);
        if (known == kColumns.end()) return wrong(fmt::format("{} is no column", quotedText(name)));
        const bool isTwice = known->kind != ColumnKind::nothing && std::ranges::count(out, known->kind) > 0;
        if (isTwice) return wrong(fmt::format("two columns are {}", quotedText(name)));
        out.push_back(known->kind);
        if (names.find(',') == std::string_view::npos) break;
        names.remove_prefix(names.find(',') + 1);
    }
    if (std::ranges::count(out, ColumnKind::address) == 0) return wrong("no column is addr");
    return out;
}

std::string namesOf(const std::vector<ColumnKind>& columns) {
    std::string out;
    for (const ColumnKind kind : columns) {
        if (!out.empty()) out += ',';
        out += std::ranges::find(kColumns, kind, &ColumnName::kind)->name;
    }
    return out;
}

std::vector<std::string> columnNames() {
    std::vector<std::string> names;
    for (const ColumnName& column : kColumns) {
        if (column.kind != ColumnKind::nothing) names.emplace_back(column.name);
    }
    return names;
}

std::unique_ptr<LineReader> columnsReader(const TableColumns& columns, TraceBuilder& builder, bool instructions) {
    return std::make_unique<ColumnsReader>(columns, builder, instructions);
}

}  // namespace whorl::sim

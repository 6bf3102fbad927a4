#include "sim/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/base/text.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kMaxWidth = 40;  ///< maximum width of a text in a table for people

/// A cell as text for people. Ratios have four digits.
std::string forCsv(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return csvField(*text);
    if (const auto* count = std::get_if<std::uint64_t>(&cell)) return std::to_string(*count);
    if (const auto* ratio = std::get_if<double>(&cell)) return fmt::format("{}", *ratio);
    return "";
}

/// The width in characters, not bytes: counts the bytes that do not continue a UTF-8 character.
std::size_t widthOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// The text without line breaks, shortened at its start: the end of a path is its most informative part.
std::string shortened(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
    if (widthOf(text) <= kMaxWidth) return text;
    std::size_t from = text.size();
    for (std::size_t width = 0; width + 1 < kMaxWidth;) {
        --from;
        width += (static_cast<unsigned char>(text[from]) & 0xc0) != 0x80 ? 1 : 0;
    }
    return "…" + text.substr(from);
}

}  // namespace

std::string cellInWords(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* count = std::get_if<std::uint64_t>(&cell)) return grouped(*count);
    if (const auto* ratio = std::get_if<double>(&cell)) return fmt::format("{:.4g}", *ratio);
    return "-";
}

void rank(Table& table, std::size_t column) {
    std::stable_sort(table.rows.begin(), table.rows.end(), [&](const auto& a, const auto& b) {
        return std::get<std::uint64_t>(a[column]) > std::get<std::uint64_t>(b[column]);
    });
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

std::string asWideAs(std::string number, std::string_view larger) {
    for (std::size_t at = larger.size() - std::min(larger.size(), number.size()); at-- > 0;) {
        number.insert(0, larger[at] == ' ' ? " " : "\u2007");
    }
    return number;
}

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ' ');
    return digits;
}

std::string roughCount(std::uint64_t count) {
    if (count < 10'000) return grouped(count);
    auto amount = static_cast<double>(count);
    const char* unit = "";
    for (const char* next : {"K", "M", "G", "T"}) {
        if (amount < 999.5) break;
        amount /= 1000;
        unit = next;
    }
    return fmt::format("{:.{}f}{}", amount, amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0, unit);
}

std::size_t columnOf(const std::vector<Column>& columns, std::string_view key) {
    const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.key == key; });
    return static_cast<std::size_t>(at - columns.begin());
}

bool hasMoreMisses(const Table& table, const std::vector<Cell>& row) {
    const auto countIn = [&](std::size_t column) {
        const auto* const n = std::get_if<std::uint64_t>(&row[column]);
        return n == nullptr ? 0 : *n;
    };
    const std::size_t accesses = columnOf(table.columns, "accesses");
    if (accesses == table.columns.size()) return false;
    const std::uint64_t most = countIn(accesses);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].key.ends_with("misses") && countIn(c) > most) return true;
    }
    return false;
}

std::string tableAsText(const Table& table, std::size_t top) {
    const std::size_t rows = table.ranked ? std::min(top, table.rows.size()) : table.rows.size();
    std::vector<std::string> lines(rows + 1);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].heading.empty()) continue;
        std::vector<std::string> cells{table.columns[c].heading};
        cells.reserve(rows + 1);
        bool words = false;
        for (std::size_t r = 0; r < rows; ++r) {
            cells.push_back(shortened(cellInWords(table.rows[r][c])));
            words = words || std::holds_alternative<std::string>(table.rows[r][c]);
        }
        std::size_t width = 0;
        for (const std::string& cell : cells) width = std::max(width, widthOf(cell));
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string blanks(width - widthOf(cells[i]), ' ');
            lines[i] += (lines[i].empty() ? "" : "  ") + (words ? cells[i] + blanks : blanks + cells[i]);
        }
    }
    std::string out = table.title.empty() ? "" : table.title + "\n\n";
    for (std::string& line : lines) {
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    if (rows < table.rows.size()) out += fmt::format("… and {} more\n", grouped(table.rows.size() - rows));
    const auto hasMore = [&](const auto& row) { return hasMoreMisses(table, row); };
    if (std::any_of(table.rows.begin(), table.rows.end(), hasMore)) out += fmt::format("{}\n", kUnitOfMisses);
    return out;
}

std::string columnsAsText(const std::vector<std::vector<std::string>>& lines) {
    std::vector<std::size_t> widths(lines.front().size());
    for (const auto& cells : lines) {
        for (std::size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], cells[c].size());
    }
    std::string out;
    for (const auto& cells : lines) {
        std::string line = fmt::format("{:<{}}", cells[0], widths[0]);
        for (std::size_t c = 1; c < cells.size(); ++c) line += fmt::format("  {:>{}}", cells[c], widths[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

std::string columnsAsMarkdown(const std::vector<std::vector<std::string>>& lines) {
    std::string out;
    for (std::size_t l = 0; l < lines.size(); ++l) {
        out += '|';
        for (const std::string& cell : lines[l]) {
            out += ' ';
            for (const char c : trimmed(cell)) {
                // What would end a cell, or begin something else.
                if (std::string_view("|\\`*_<>[]").find(c) != std::string_view::npos) out += '\\';
                out += c;
            }
            out += " |";
        }
        out += '\n';
        if (l > 0) continue;
        for (std::size_t c = 0; c < lines[l].size(); ++c) out += c == 0 ? "| :-- |" : " --: |";
        out += '\n';
    }
    return out;
}

std::string csvField(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        out += c;
        if (c == '"') out += c;
    }
    return out + '"';
}

std::string tableAsCsv(const Table& table) {
    std::string out;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        out += (c > 0 ? "," : "") + csvField(table.columns[c].key);
    }
    out += '\n';
    for (const std::vector<Cell>& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) out += (c > 0 ? "," : "") + forCsv(row[c]);
        out += '\n';
    }
    return out;
}

std::vector<CsvRecord> csvRecords(std::string_view text) {
    std::vector<CsvRecord> records;
    for (std::size_t at = 0; at < text.size();) {
        CsvRecord record;
        const std::size_t begin = at;
        std::string field;
        bool quoted = false;
        for (; at < text.size() && (quoted || text[at] != '\n'); ++at) {
            const char c = text[at];
            if (c == '"') {
                const bool twice = quoted && at + 1 < text.size() && text[at + 1] == '"';
                if (twice) field += text[at++];
                quoted = twice || !quoted;
            } else if (c == ',' && !quoted) {
                record.fields.push_back(std::exchange(field, {}));
            } else {
                field += c;
            }
        }
        record.text = text.substr(begin, at - begin);
        at = std::min(at + 1, text.size());
        if (record.text.ends_with('\r')) record.text.remove_suffix(1);
        if (field.ends_with('\r')) field.pop_back();
        if (record.text.empty()) continue;
        record.fields.push_back(std::move(field));
        record.isWhole = !quoted;
        records.push_back(std::move(record));
    }
    return records;
}

}  // namespace whorl::sim

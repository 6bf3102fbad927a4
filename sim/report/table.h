// A table of results: named columns, a row for each thing. The single form from which tables for people, CSV and JSON
// are written, so that they cannot differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace whorl::sim {

/// A text, a count, a ratio, or nothing where no value applies.
using Cell = std::variant<std::monostate, std::string, std::uint64_t, double>;

struct Column {
    std::string key;      ///< in JSON and CSV: "L1_misses"
    std::string heading;  ///< in a table for people: "L1 misses"; empty: the column is omitted there
};

/// The index of the column with that key; the number of columns if there is none.
std::size_t columnOf(const std::vector<Column>& columns, std::string_view key);

struct Table {
    std::string name;   ///< in keys: "region"
    std::string title;  ///< above the table for people
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;  ///< each with a cell for every column
    bool ranked = true;                   ///< the last rows matter least, and may be omitted for people
};

/// Sorts the rows by a column of counts, descending; equal rows keep their order.
void rank(Table& table, std::size_t column);

/// A cell for people: "-" where no value applies.
std::string cellInWords(const Cell& cell);

/// "8 448": a number in groups of three digits, the form used in every table and panel.
std::string grouped(std::uint64_t number);
/// "9 999", "10.0K", "1.68M": a number of things in at most five digits.
std::string roughCount(std::uint64_t count);
/// A grouped number as wide as a larger one, by spaces of the width of a digit in front: what follows does not move.
std::string asWideAs(std::string number, std::string_view larger);
/// "3 misses", "1 miss".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

/// Whether a row has more misses than accesses. The text then explains what misses count.
bool hasMoreMisses(const Table& table, const std::vector<Cell>& row);
inline constexpr std::string_view kUnitOfMisses =
    "Misses are of blocks: an access of several blocks has one for each that is not there.";

/// The table for a terminal: the title, the headings and the first `top` rows (all rows of a table that is not ranked),
/// the number of rows omitted, and what misses count where that matters.
std::string tableAsText(const Table& table, std::size_t top);

/// The columns of a table for people that are texts already, the first one to the left: a line each, the first that of
/// the headings.
std::string columnsAsText(const std::vector<std::vector<std::string>>& lines);

/// Writes such lines as a table of Markdown; GitHub and GitLab read it so.
std::string columnsAsMarkdown(const std::vector<std::vector<std::string>>& lines);

/// As in RFC 4180, but with lines ending in "\n": a line of keys, then a line per row.
std::string tableAsCsv(const Table& table);

/// A field in CSV form: quoted where necessary.
std::string csvField(std::string_view text);

/// A CSV record, which may span several lines of text: the raw text without its line end, and the parsed fields.
struct CsvRecord {
    std::string_view text;
    std::vector<std::string> fields;
    bool isWhole = true;  ///< its last field in quotes has an end
};
/// Parses CSV. `text` must outlive the result. Lines may end with "\n" or "\r\n"; empty lines are skipped.
std::vector<CsvRecord> csvRecords(std::string_view text);

}  // namespace whorl::sim

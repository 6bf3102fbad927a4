// A table of results: named columns, a row for each thing. The one form from which tables for people, CSV and JSON are
// written, so that they cannot differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace whorl::sim {

/// A text, a count, a ratio, or nothing where there is nothing to say.
using Cell = std::variant<std::monostate, std::string, std::uint64_t, double>;

struct Column {
    std::string key;      ///< in JSON and CSV: "L1_misses"
    std::string heading;  ///< in a table for people: "L1 misses"; empty: it is left out there
};

struct Table {
    std::string name;   ///< as a key: "region"
    std::string title;  ///< above the table for people
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;  ///< as many cells as columns
    bool ranked = true;                   ///< the last rows matter least, and may be left out for people
};

/// Sorts the rows by a column of counts, the most first; equals stay in their order.
void rank(Table& table, std::size_t column);

/// "8 448": a number in groups of three digits, as every table and panel shows it.
std::string grouped(std::uint64_t number);

/// The table for a terminal: the title, the headings and the first `top` rows (all when there is no
/// rank), and how many there are beyond.
std::string tableAsText(const Table& table, std::size_t top);

/// As RFC 4180 has it, lines ending with "\n": a line of keys, then a line a row.
std::string tableAsCsv(const Table& table);

/// A field as it stands in CSV: in quotes where it must be.
std::string csvField(std::string_view text);

/// A line of CSV, which may go over several lines of text: as it stands, without its end, and taken apart.
struct CsvRecord {
    std::string_view text;
    std::vector<std::string> fields;
};
/// Takes CSV apart. `text` must stay. Lines may end with "\n" or "\r\n"; empty lines are left out.
std::vector<CsvRecord> csvRecords(std::string_view text);

}  // namespace whorl::sim

// Tables of text that no format describes: a line is an access, and the user says what its columns are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

enum class ColumnKind : std::uint8_t { nothing, op, address, size, cpu, pc, instructions };

/// What the columns of a table mean. Columns end at blanks, commas, semicolons, colons and bars; what stands behind the
/// last of these is not read.
struct TableColumns {
    std::vector<ColumnKind> kinds;    ///< in their order; one is the address
    bool hex = false;                 ///< addresses without 0x are hex, not decimal
    std::uint64_t skipped = 0;        ///< lines at the beginning that are no accesses
    std::uint64_t unit = 1;           ///< bytes of a unit of addresses
    std::vector<std::string> reads;   ///< words for a read besides the usual ones
    std::vector<std::string> writes;  ///< words for a write besides the usual ones

    bool operator==(const TableColumns&) const = default;
};

/// The columns by their names: "op,addr,size,cpu,pc,instructions", "-" for one that means nothing. An error tells what
/// is wrong.
Expected<std::vector<ColumnKind>> columnsNamed(std::string_view names);

/// The names of these columns, as columnsNamed() reads them.
std::string namesOf(const std::vector<ColumnKind>& columns);

/// The names of the columns but "-".
std::vector<std::string> columnNames();

}  // namespace whorl::sim

// An answer to a question, in the forms in which it is written.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sim/report/json.h"
#include "sim/report/table.h"

namespace whorl::sim {

/// The forms of an answer. Each is made when it is called for: only one of them is written.
struct Document {
    /// For a terminal: sentences, and the first `top` rows of tables.
    std::function<std::string(std::size_t top)> text;
    std::function<JsonValue()> json;
    std::function<Table()> csv = {};                            ///< none: the answer has no table
    std::function<std::string(std::size_t top)> markdown = {};  ///< none: it is not written so
    std::function<std::string(std::size_t top)> html = {};  ///< a page, complete in itself; none: it is not written so
    /// As compilers write them, a line each: "mm.c:12:5: note: …"; none: the answer is not about lines.
    std::function<std::string()> notes = {};
};

}  // namespace whorl::sim

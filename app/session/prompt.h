// What is typed over the picture to find something: a command, a position, a file, a note. Plain data.
#pragma once

#include <cstdint>
#include <string>

namespace whorl::app {

enum class Asks : std::uint8_t {
    nothing,
    command,   ///< a command, or anything that has a name
    position,  ///< of the playhead
    file,      ///< what to open
    note,      ///< the words of a bookmark
};

struct Prompt {
    Asks asks = Asks::nothing;
    std::string text;          ///< stands in the field at first
    std::string error;         ///< why the last thing entered was not done
    std::string folder;        ///< the one that is looked into for files
    std::uint64_t serial = 0;  ///< changes whenever `text` takes the place of what is typed

    bool isOpen() const { return asks != Asks::nothing; }
};

}  // namespace whorl::app

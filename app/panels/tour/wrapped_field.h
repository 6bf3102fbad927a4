// A text field whose lines end where the panel does. ImGui's own scroll sideways.
#pragma once

#include <cstddef>
#include <string>

namespace whorl::app {

/// What is in the field.
struct WrappedText {
    std::string of;     ///< the text when the field was last filled from it
    std::string typed;  ///< as it is shown: with line ends of its own
    float width = 0;    ///< of the field when it was last filled, pixels
};

/// Draws a field for a text, as wide as the room and as high as its lines. Enter or a click elsewhere leaves it;
/// Ctrl+Enter types a line end, which is shown as ¶. True once it is left with a change: see textIn().
bool wrappedField(const char* id, WrappedText& field, const std::string& now, float width);

/// What is typed.
std::string textIn(const WrappedText& field);

}  // namespace whorl::app

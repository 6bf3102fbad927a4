// Where text goes on in the next line: the one rule, for panels, captions and cards. ImGui's own breaks after each full
// stop and comma, so also within numbers, names of files and of members.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

namespace whorl::app {

/// The words with line ends where they would be wider than this: at spaces, so that numbers, names and paths are whole.
/// A word that is wider than a line alone is broken where it is full, if it can be behind a / or a comma.
std::string inLines(const ImFont& font, float size, float width, std::string_view words);

/// The words that fit into this width, and an ellipsis for the rest; if not even the first word fits, the letters that
/// fit.
std::string cutAtEnd(const ImFont& font, float size, float width, const std::string& words);

}  // namespace whorl::app

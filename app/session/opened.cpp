#include "app/session/opened.h"

#include <filesystem>

#include "sim/programs/program.h"

namespace whorl::app {

bool isProgram(const std::string& input) {
    const std::string name = input.substr(0, input.find(':'));
    return sim::programNamed(name) != nullptr && !std::filesystem::exists(input);
}

bool namesProgram(const std::string& input) {
    const bool looksLikeProgram = input != "-" && !std::filesystem::exists(input) &&
                                  input.find('/') == std::string::npos && input.find('.') == std::string::npos;
    return isProgram(input) || looksLikeProgram;
}

}  // namespace whorl::app

#include "app/session/opened.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "sim/programs/pattern/pattern.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

/// A name that is too long, or in a folder that may not be searched, is that of no file.
bool isThere(const std::string& path) {
    std::error_code unknown;
    return std::filesystem::exists(path, unknown);
}

}  // namespace

OpenRequest secondOf(const OpenRequest& first, const std::string& input, const std::string& machine,
                     const std::vector<std::string>& settings) {
    OpenRequest second = first;
    if (!input.empty()) second.input = input;
    if (!machine.empty()) {
        second.machine = machine;
        second.settings.clear();
    }
    second.settings.insert(second.settings.end(), settings.begin(), settings.end());
    return second;
}

bool isSameTrace(const OpenRequest& a, const OpenRequest& b) {
    return a.input == b.input && a.reading.order == b.reading.order && a.reading.sources == b.reading.sources;
}

bool isSameRun(const OpenRequest& a, const OpenRequest& b) {
    return isSameTrace(a, b) && a.machine == b.machine && a.settings == b.settings && a.changes == b.changes;
}

bool isProgram(const std::string& input) {
    const std::string name = input.substr(0, input.find(':'));
    return sim::programNamed(name) != nullptr && !isThere(input);
}

bool namesProgram(const std::string& input) {
    const bool looksLikeProgram =
        input != "-" && !isThere(input) && input.find('/') == std::string::npos && input.find('.') == std::string::npos;
    return isProgram(input) || looksLikeProgram;
}

bool isPatternFile(const OpenRequest& request) {
    return request.input.ends_with(".pattern") && !isProgram(request.input) && !request.reading.format;
}

std::string nameOfInput(const std::string& input) {
    constexpr std::string_view kPattern = "pattern:";
    return input.starts_with(kPattern) && isProgram(input) ? sim::patternTitle(input.substr(kPattern.size())) : input;
}

std::vector<std::string> inputFiles(const OpenRequest& request) {
    std::vector<std::string> files;
    if (!isProgram(request.input)) files.push_back(request.input);
    const sim::ReadOptions& reading = request.reading;
    for (const std::string& file :
         {request.machine, reading.chironSources, reading.regions, reading.namedBy, request.input + ".files"}) {
        std::error_code unknown;
        if (std::filesystem::is_regular_file(file, unknown)) files.push_back(file);
    }
    return files;
}

}  // namespace whorl::app

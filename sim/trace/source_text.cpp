#include "sim/trace/source_text.h"

#include <fstream>
#include <optional>
#include <string>

namespace whorl::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargest = std::uintmax_t{8} << 20;

std::optional<std::string> textOf(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error || size > kLargest) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(size))) return std::nullopt;
    return text;
}

}  // namespace

void loadSources(TraceBuilder& builder, const fs::path& folder) {
    for (std::size_t i = 0; i < builder.files().size(); ++i) {
        const std::string path = builder.files()[i].path;
        if (path.empty() || path.find('\0') != std::string::npos) continue;
        auto text = textOf(folder / path);  // an absolute path is unchanged
        if (!text) text = textOf(path);
        if (text) builder.sourceText(path, *text);
    }
}

}  // namespace whorl::sim

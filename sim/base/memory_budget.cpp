#include "sim/base/memory_budget.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/base/input_file.h"
#include "sim/base/text.h"

namespace whorl::sim {

namespace {

constexpr std::uint64_t kMaxKernelFile = std::uint64_t{1} << 20;

std::string textOf(const std::string& path) {
    return readSmallFile(path, kMaxKernelFile, "numbers").value_or("");
}

/// Removes the first line from a text, without its end.
std::string_view takeLine(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// "MemTotal:       32694316 kB".
std::uint64_t totalIn(std::string_view meminfo) {
    constexpr std::string_view kKey = "MemTotal:";
    while (!meminfo.empty()) {
        std::string_view line = takeLine(meminfo);
        if (!line.starts_with(kKey)) continue;
        line = trimmed(line.substr(kKey.size()));
        const auto kilobytes = wholeNumber(line.substr(0, line.find(' ')));
        return kilobytes && *kilobytes < kUnlimited >> 10 ? *kilobytes << 10 : kUnlimited;
    }
    return kUnlimited;
}

/// The least limit in the files called `name` of a group and of those around it; "max" is none.
std::uint64_t leastOf(const std::string& folder, std::string_view group, std::string_view name) {
    std::uint64_t least = kUnlimited;
    while (true) {
        const std::string text = textOf(fmt::format("{}{}/{}", folder, group, name));
        least = std::min(least, wholeNumber(trimmed(text)).value_or(kUnlimited));
        if (group.empty()) return least;
        const std::size_t slash = group.rfind('/');
        group = group.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
}

/// "0::/user.slice" (version 2) or "4:memory:/docker/1f" (version 1).
std::uint64_t limitOf(std::string_view line, const std::string& folder) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) return kUnlimited;
    const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    std::string_view group = line.substr(second + 1);
    while (group.ends_with('/')) group.remove_suffix(1);
    if (controllers == ",,") return leastOf(folder, group, "memory.max");
    if (controllers.find(",memory,") == std::string::npos) return kUnlimited;
    return leastOf(folder + "/memory", group, "memory.limit_in_bytes");
}

std::uint64_t softLimit(int resource) {
    rlimit limit{};
    if (getrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &limit) != 0) return kUnlimited;
    return limit.rlim_cur == RLIM_INFINITY ? kUnlimited : limit.rlim_cur;
}

}  // namespace

std::uint64_t memoryOf(const MemoryFiles& files) {
    std::uint64_t least = totalIn(textOf(files.meminfo));
    const std::string groups = textOf(files.groups);
    for (std::string_view rest = groups; !rest.empty();) {
        least = std::min(least, limitOf(takeLine(rest), files.groupFolder));
    }
    return least;
}

std::uint64_t usualMemoryBudget() {
    return std::min({memoryOf({}), softLimit(RLIMIT_AS), softLimit(RLIMIT_DATA)}) / 2;
}

MemoryBudget::MemoryBudget(std::uint64_t most) : most_(most != 0 ? most : usualMemoryBudget()) {}

Error MemoryBudget::error(const std::string& file) const {
    return {.where = file,
            .what = fmt::format("reading it takes at least {} of memory, more than the {} that it may take",
                                bytesInWords(needed_), bytesInWords(most_)),
            .hint = "--memory SIZE allows more; or record less of the program",
            .cancelled = false};
}

void returnFreedMemory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace whorl::sim

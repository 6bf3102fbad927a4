#include "sim/machine/kernel_caches.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "sim/base/small_file.h"
#include "sim/base/text.h"

namespace whorl::sim {

namespace {

namespace fs = std::filesystem;

/// The maximum size of a kernel file in bytes, beyond that of any known processor.
constexpr std::uint64_t kMaxKernelFile = std::uint64_t{16} << 20;

/// Ranges of CPU ids, both ends included.
using IdRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

bool contains(const IdRanges& ranges, std::uint32_t id) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& r) { return r.first <= id && id <= r.second; });
}

/// The first line of a file; empty if it cannot be read.
std::string lineIn(const fs::path& path) {
    const std::string text = readSmallFile(path.string(), kMaxKernelFile, "a cache").value_or("");
    return std::string(trimmed(std::string_view(text).substr(0, text.find('\n'))));
}

/// A 32-bit number; 0 for anything else.
std::uint32_t numberFrom(std::string_view words) {
    const auto number = wholeNumber(words);
    return number && *number <= std::numeric_limits<std::uint32_t>::max() ? static_cast<std::uint32_t>(*number) : 0;
}

/// Takes the text before the first comma off `words`.
std::string_view takeItem(std::string_view& words) {
    const std::size_t comma = words.find(',');
    const std::string_view item = trimmed(words.substr(0, comma));
    words = comma == std::string_view::npos ? std::string_view() : words.substr(comma + 1);
    return item;
}

/// Parses "0-3,8"; nothing if it is empty or malformed.
std::optional<IdRanges> rangesFrom(std::string_view words) {
    IdRanges ranges;
    while (!words.empty()) {
        const std::string_view item = takeItem(words);
        const std::size_t dash = item.find('-');
        const auto first = wholeNumber(item.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : wholeNumber(item.substr(dash + 1));
        constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
        if (!first || !last || *first > *last || *last > kMax) return std::nullopt;
        ranges.emplace_back(static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last));
    }
    return ranges.empty() ? std::nullopt : std::optional(ranges);
}

/// Parses "00000001,0000000f": a bit for each id, 32 per word, the highest first. Nothing if it is empty or malformed.
std::optional<IdRanges> rangesFromMap(std::string_view words) {
    IdRanges ranges;
    auto left = static_cast<std::uint32_t>(std::count(words.begin(), words.end(), ',')) + 1;
    while (!words.empty()) {
        const std::string_view item = takeItem(words);
        std::uint32_t bits = 0;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), bits, 16);
        if (item.empty() || error != std::errc() || end != item.data() + item.size()) return std::nullopt;
        --left;
        for (std::uint32_t i = 0; i < 32; ++i) {
            if ((bits >> i & 1) != 0) ranges.emplace_back(32 * left + i, 32 * left + i);
        }
    }
    return ranges.empty() ? std::nullopt : std::optional(ranges);
}

/// The folders named `prefix` followed by a number, by that number.
std::map<std::uint32_t, fs::path> numbered(const fs::path& folder, std::string_view prefix) {
    std::map<std::uint32_t, fs::path> out;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(prefix)) continue;
        const auto number = wholeNumber(std::string_view(name).substr(prefix.size()));
        if (number && *number <= std::numeric_limits<std::uint32_t>::max())
            out.emplace(static_cast<std::uint32_t>(*number), at->path());
    }
    return out;
}

std::vector<std::uint32_t> usersOf(const fs::path& cache, const std::vector<std::uint32_t>& online) {
    auto ranges = rangesFrom(lineIn(cache / "shared_cpu_list"));
    if (!ranges) ranges = rangesFromMap(lineIn(cache / "shared_cpu_map"));
    std::vector<std::uint32_t> users;
    if (!ranges) return users;
    std::copy_if(online.begin(), online.end(), std::back_inserter(users),
                 [&](std::uint32_t id) { return contains(*ranges, id); });
    return users;
}

/// The cache in such a folder, if it holds data.
std::optional<ListedCache> cacheIn(const fs::path& folder, const std::vector<std::uint32_t>& online) {
    const std::string type = lineIn(folder / "type");
    const std::uint32_t level = numberFrom(lineIn(folder / "level"));
    if ((type != "Data" && type != "Unified") || level == 0) return std::nullopt;
    return ListedCache{.level = level,
                       .size = parseBytes(lineIn(folder / "size")).value_or(0),
                       .ways = numberFrom(lineIn(folder / "ways_of_associativity")),
                       .sets = numberFrom(lineIn(folder / "number_of_sets")),
                       .block = numberFrom(lineIn(folder / "coherency_line_size")),
                       .users = usersOf(folder, online)};
}

std::vector<ListedCache> cachesIn(const fs::path& folder, const std::vector<std::uint32_t>& online) {
    std::vector<ListedCache> caches;
    for (const auto& [index, path] : numbered(folder, "index")) {
        if (auto cache = cacheIn(path, online)) caches.push_back(*std::move(cache));
    }
    const auto isNearer = [](const ListedCache& a, const ListedCache& b) { return a.level < b.level; };
    const auto isSameLevel = [](const ListedCache& a, const ListedCache& b) { return a.level == b.level; };
    std::stable_sort(caches.begin(), caches.end(), isNearer);
    caches.erase(std::unique(caches.begin(), caches.end(), isSameLevel), caches.end());
    return caches;
}

/// The fields of /proc/cpuinfo for one CPU, or for the first CPU listed if it has none.
std::map<std::string, std::string> cpuinfoOf(const std::string& path, std::uint32_t cpu) {
    std::map<std::string, std::string> first;
    std::map<std::string, std::string> fields;
    const std::string text = readSmallFile(path, kMaxKernelFile, "processors").value_or("");
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string key(trimmed(line.substr(0, colon)));
        if (key == "processor") {
            if (fields.contains(key) && numberFrom(fields[key]) == cpu) return fields;
            if (first.empty()) first = fields;
            fields.clear();
        }
        fields.emplace(key, trimmed(line.substr(colon + 1)));
    }
    const bool isIt = fields.contains("processor") && numberFrom(fields["processor"]) == cpu;
    return isIt || first.empty() ? fields : first;
}

}  // namespace

std::vector<ListedCpu> listedCpus(const KernelFiles& files) {
    const auto folders = numbered(files.cpus, "cpu");
    const auto listed = rangesFrom(lineIn(fs::path(files.cpus) / "online"));
    std::vector<std::uint32_t> online;
    for (const auto& [id, folder] : folders) {
        if (!listed || contains(*listed, id)) online.push_back(id);
    }
    std::vector<ListedCpu> cpus;
    for (const std::uint32_t id : online) {
        ListedCpu cpu{.id = id, .caches = cachesIn(folders.at(id) / "cache", online)};
        if (!cpu.caches.empty()) cpus.push_back(std::move(cpu));
    }
    return cpus;
}

std::string processorName(const KernelFiles& files, std::uint32_t cpu) {
    const auto fields = cpuinfoOf(files.cpuinfo, cpu);
    for (const char* key : {"model name", "cpu model", "uarch", "cpu"}) {
        const auto field = fields.find(key);
        if (field != fields.end() && !field->second.empty()) return field->second;
    }
    // Arm kernels give no name, only the numbers of the designer and of the design.
    const auto implementer = fields.find("CPU implementer");
    const auto part = fields.find("CPU part");
    if (implementer == fields.end() || part == fields.end()) return {};
    return fmt::format("Arm processor (implementer {}, part {})", implementer->second, part->second);
}

}  // namespace whorl::sim

#include "sim/analysis/matched_lines.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

/// Cells of the table of common subsequences: 2 000 lines against as many.
constexpr std::size_t kMaxCells = 4'000'000;

std::string_view withoutEnd(std::string_view line) {
    return line.substr(0, line.find_last_not_of(" \t") + 1);
}

std::string_view fileName(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// Between two lines that are the same, as many lines of `was` as of `is` were edited, each for itself.
void pairEdited(std::vector<std::uint32_t>& matched, std::size_t linesOfWas) {
    for (std::size_t from = 0; from < matched.size(); ++from) {
        if (matched[from] != 0) continue;
        std::size_t to = from;
        while (to < matched.size() && matched[to] == 0) ++to;
        const std::size_t before = from == 0 ? 0 : matched[from - 1];
        const std::size_t after = to == matched.size() ? linesOfWas + 1 : matched[to];
        if (after - before - 1 == to - from) {
            for (std::size_t i = from; i < to; ++i) matched[i] = static_cast<std::uint32_t>(before + 1 + i - from);
        }
        from = to;
    }
}

/// The file of `was` for each file of `is`.
std::vector<std::optional<std::uint32_t>> matchedFiles(const Trace& was, const Trace& is) {
    const auto indexOf = [](const Trace& trace, auto&& matches) -> std::optional<std::uint32_t> {
        std::optional<std::uint32_t> found;
        for (std::uint32_t f = 0; f < trace.files().size(); ++f) {
            if (!matches(trace.files()[f].path)) continue;
            if (found) return std::nullopt;  // not the only one
            found = f;
        }
        return found;
    };
    std::vector<std::optional<std::uint32_t>> out;
    out.reserve(is.files().size());
    for (const SourceFile& file : is.files()) {
        const auto isItself = [&](const std::string& path) { return path == file.path; };
        const auto isCalledSo = [&](const std::string& path) { return fileName(path) == fileName(file.path); };
        std::optional<std::uint32_t> same = indexOf(was, isItself);
        if (!same && indexOf(is, isCalledSo)) same = indexOf(was, isCalledSo);
        out.push_back(same);
    }
    return out;
}

}  // namespace

std::vector<std::uint32_t> matchedLines(const SourceText& was, const SourceText& is) {
    std::vector<std::uint32_t> out(is.size());
    const auto same = [&](std::size_t a, std::size_t b) { return withoutEnd(was[a]) == withoutEnd(is[b]); };
    std::size_t begin = 0;
    for (; begin < std::min(was.size(), is.size()) && same(begin, begin); ++begin) {
        out[begin] = static_cast<std::uint32_t>(begin + 1);
    }
    std::size_t endA = was.size();
    std::size_t endB = is.size();
    for (; endA > begin && endB > begin && same(endA - 1, endB - 1); --endA, --endB) {
        out[endB - 1] = static_cast<std::uint32_t>(endA);
    }
    const std::size_t rows = endA - begin;
    const std::size_t columns = endB - begin;
    if (rows == 0 || columns == 0 || rows > kMaxCells / columns) return out;

    // lengths[r][c]: of the longest common subsequence of the lines from r of `was` and from c of `is`.
    std::vector<std::vector<std::uint32_t>> lengths(rows + 1, std::vector<std::uint32_t>(columns + 1));
    for (std::size_t r = rows; r-- > 0;) {
        for (std::size_t c = columns; c-- > 0;) {
            lengths[r][c] =
                same(begin + r, begin + c) ? lengths[r + 1][c + 1] + 1 : std::max(lengths[r + 1][c], lengths[r][c + 1]);
        }
    }
    for (std::size_t r = 0, c = 0; r < rows && c < columns;) {
        if (same(begin + r, begin + c)) {
            out[begin + c++] = static_cast<std::uint32_t>(begin + ++r);
        } else if (lengths[r + 1][c] >= lengths[r][c + 1]) {
            ++r;
        } else {
            ++c;
        }
    }
    pairEdited(out, was.size());
    return out;
}

std::unordered_map<std::string, std::string> namesOfLines(const Trace& was, const Trace& is) {
    const std::vector<std::optional<std::uint32_t>> files = matchedFiles(was, is);
    std::vector<std::optional<std::vector<std::uint32_t>>> lines(files.size());
    std::unordered_map<std::string, std::string> out;
    for (const Site& site : is.sites()) {
        if (site.line == 0 || !files[site.file]) continue;
        const SourceText& before = was.files()[*files[site.file]].lines;
        const SourceText& now = is.files()[site.file].lines;
        Site there{.file = *files[site.file], .line = site.line};
        if (!before.empty() && site.line <= now.size()) {
            auto& matched = lines[site.file];
            if (!matched) matched = matchedLines(before, now);
            there.line = (*matched)[site.line - 1];
        }
        if (there.line == 0) continue;
        std::string name = siteName(is, site);
        if (std::string other = siteName(was, there); other != name) out.emplace(std::move(name), std::move(other));
    }
    return out;
}

}  // namespace whorl::sim

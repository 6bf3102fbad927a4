#include "app/commands/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <utility>

#include "app/commands/bindings.h"
#include "app/commands/commands.h"
#include "app/commands/time_commands.h"
#include "app/session/command.h"
#include "app/session/fuzzy.h"
#include "sim/base/text.h"
#include "sim/programs/program.h"
#include "sim/report/report.h"
#include "sim/trace/formats/text_words.h"

namespace whorl::app {

namespace {

constexpr int kOfDetail = 5;  ///< how much worse a fit is that needs the detail
constexpr int kMaxAhead = 8;

/// Which come first: what only changes the view, then what leads elsewhere, then what is opened in place of what is
/// open.
int groupOf(ChoiceKind kind) {
    switch (kind) {
        case ChoiceKind::setting:
            return 1;
        case ChoiceKind::region:
        case ChoiceKind::line:
        case ChoiceKind::bookmark:
        case ChoiceKind::marker:
            return 2;
        case ChoiceKind::scene:
            return 3;
        default:
            return 0;
    }
}

/// Whether it is called what is typed, with its kind or without.
bool isNamed(std::string_view typed, const Choice& choice) {
    return sim::sameName(typed, choice.words) ||
           sim::sameName(typed, std::string(wordOf(choice.kind)) + ' ' + choice.words);
}

std::optional<int> scoreOf(std::string_view typed, const Choice& choice) {
    const auto own = fuzzyScore(typed, choice.words);
    std::string all(wordOf(choice.kind));
    all += ' ' + choice.words;
    if (!choice.detail.empty()) all += ' ' + choice.detail;
    auto whole = fuzzyScore(typed, all);
    if (whole) *whole -= kOfDetail;
    return own && whole ? std::max(own, whole) : (own ? own : whole);
}

/// Commands that the program sends to itself, and those that only mean something while a key or the mouse is down.
constexpr std::array<std::string_view, 12> kInternal = {"search-begun", "search-found",  "message", "words-fit",
                                                        "focus",        "exchange",      "ask",     "ask-close",
                                                        "do",           "look-up-close", "folder",  "dismiss"};

bool isInternal(std::string_view id) {
    return std::find(kInternal.begin(), kInternal.end(), id) != kInternal.end();
}

ChoiceKind kindFor(std::string_view id) {
    const bool isView = id == "views" || id == "view" || id == "view-only" || id == "layout";
    return isView ? ChoiceKind::view : ChoiceKind::command;
}

/// Adds each command that has a key.
void addBound(std::vector<Choice>& out) {
    for (const Binding& binding : bindings()) {
        if (isInternal(binding.command.id()) && binding.command.id() != "ask" && binding.command.id() != "focus")
            continue;
        out.push_back({.kind = kindFor(binding.command.id()),
                       .words = std::string(binding.alone.empty() ? binding.words : binding.alone),
                       .detail = binding.command.text(),
                       .key = keysOf(binding.command),
                       .command = binding.command.text()});
    }
}

/// Adds each command of the registry; one choice per value for a command with few values.
void addRegistered(std::vector<Choice>& out) {
    const auto isKnown = [bound = out.size(), &out](const std::string& command) {
        return std::any_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(bound),
                           [&](const Choice& c) { return c.command == command; });
    };
    for (const CommandType& type : commandTypes()) {
        if (isInternal(type.id)) continue;
        const std::string id(type.id);
        const std::string words(type.words);
        if (type.choices.empty() && !isKnown(id)) {
            out.push_back({.kind = kindFor(type.id),
                           .words = words,
                           .detail = type.usage,
                           .command = type.needsArguments ? id + " " : id,
                           .needsMore = type.needsArguments});
        }
        for (const std::string_view value : type.choices) {
            const std::string command = fmt::format("{} {}", id, sim::asWord(value));
            if (isKnown(command)) continue;
            out.push_back({.kind = kindFor(type.id) == ChoiceKind::view ? ChoiceKind::view : ChoiceKind::setting,
                           .words = fmt::format("{}: {}", words, value),
                           .detail = command,
                           .command = command});
        }
    }
}

void addLayouts(const Session& session, std::vector<Choice>& out) {
    // The layouts that come with Whorl have keys, and so are among the bindings.
    for (const Layout& layout : session.layouts) {
        const std::string command = textOf(command::ShowLayout{{layout.name}});
        out.push_back(
            {.kind = ChoiceKind::view, .words = "layout: " + layout.name, .detail = command, .command = command});
    }
}

void addScenes(const std::vector<NamedTour>& tours, std::vector<Choice>& out) {
    for (const NamedTour& named : tours) {
        for (const TourScene& scene : named.tour.scenes) {
            out.push_back({.kind = ChoiceKind::scene,
                           .words = scene.title,
                           .detail = fmt::format("{} {}", named.name, scene.id),
                           .command = textOf(command::OpenScene{named.name, scene.id})});
        }
    }
}

void addRegions(const sim::Trace& trace, std::vector<Choice>& out) {
    for (std::uint32_t r = 0; r < trace.regions().size(); ++r) {
        const sim::Region& region = trace.regions()[r];
        out.push_back({.kind = ChoiceKind::region,
                       .words = region.name,
                       .detail = fmt::format("{} bytes from {:#x}", sim::grouped(region.size), region.base.value),
                       .command = textOf(command::SelectPart{regionAt(r).target})});
    }
}

/// The lines that make accesses.
void addLines(const sim::Trace& trace, std::vector<Choice>& out) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    for (std::size_t s = 1; s < trace.sites().size(); ++s) {
        const sim::Site& site = trace.sites()[s];
        if (site.line == 0 || site.file >= trace.files().size()) continue;
        if (!known.insert({site.file, site.line}).second) continue;
        const sim::SourceFile& file = trace.files()[site.file];
        const bool hasText = site.line <= file.lines.size();
        const std::string name = std::filesystem::path(file.path).filename().string();
        out.push_back({.kind = ChoiceKind::line,
                       .words = fmt::format("{}:{}", name, site.line),
                       .detail = hasText ? std::string(sim::trimmed(file.lines[site.line - 1])) : file.path,
                       .command = textOf(command::LookUp{fmt::format("{}:{}", file.path, site.line)})});
    }
}

void addBookmarks(const Session& session, std::vector<Choice>& out) {
    for (const Bookmark& bookmark : session.bookmarks) {
        const std::string at = "access " + sim::grouped(static_cast<std::uint64_t>(bookmark.at));
        out.push_back({.kind = ChoiceKind::bookmark,
                       .words = bookmark.note.empty() ? at : bookmark.note,
                       .detail = at,
                       .command = textOf(command::Seek{bookmark.at})});
    }
}

void addMarkers(const sim::Trace& trace, std::vector<Choice>& out) {
    constexpr std::size_t kMax = 1000;
    for (const sim::Mark& mark : trace.marks()) {
        if (out.size() >= kMax) return;
        out.push_back({.kind = ChoiceKind::marker,
                       .words = mark.text,
                       .detail = "access " + sim::grouped(mark.at.value),
                       .command = textOf(command::Seek{static_cast<double>(mark.at.value)})});
    }
}

std::string nameOf(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    return name.empty() || isProgram(path) ? path : name;
}

}  // namespace

std::string_view wordOf(ChoiceKind kind) {
    static constexpr std::array<std::string_view, 14> kKinds{"command",     "setting",  "view",   "scene",  "region",
                                                             "source line", "bookmark", "marker", "recent", "program",
                                                             "tour",        "folder",   "file",   ""};
    return kKinds[static_cast<std::size_t>(kind)];
}

std::vector<std::size_t> ranked(std::string_view typed, const std::vector<Choice>& choices,
                                std::span<const std::string> recent) {
    struct Fit {
        std::size_t index;
        int group;
        int score;
        std::size_t since;
    };
    std::unordered_map<std::string_view, std::size_t> since;
    for (std::size_t i = 0; i < recent.size(); ++i) since.insert({recent[i], i});
    std::vector<Fit> fits;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const auto score = typed.empty() ? std::optional(0) : scoreOf(typed, choices[i]);
        if (!score) continue;
        const auto known = since.find(choices[i].command);
        const std::size_t age = known == since.end() ? recent.size() : known->second;
        const int ahead = known == since.end() ? 0 : std::max(1, kMaxAhead - static_cast<int>(age));
        const int group = isNamed(typed, choices[i]) ? -1 : groupOf(choices[i].kind);
        fits.push_back({i, group, *score + ahead, age});
    }
    std::stable_sort(fits.begin(), fits.end(), [&](const Fit& a, const Fit& b) {
        if (typed.empty()) return a.since < b.since;
        if (a.group != b.group) return a.group < b.group;
        return a.score != b.score ? a.score > b.score : a.since < b.since;
    });
    std::vector<std::size_t> order;
    order.reserve(fits.size());
    for (const Fit& fit : fits) order.push_back(fit.index);
    return order;
}

std::vector<Choice> paletteChoices(const Session& session, const std::vector<NamedTour>& tours) {
    std::vector<Choice> out;
    addBound(out);
    addRegistered(out);
    addLayouts(session, out);
    addScenes(tours, out);
    if (session.opened.run) {
        addBookmarks(session, out);
        addRegions(session.opened.run->trace(), out);
        addLines(session.opened.run->trace(), out);
    }
    return out;
}

std::vector<Choice> positionChoices(const Session& session) {
    std::vector<Choice> out;
    if (!session.opened.run) return out;
    addBookmarks(session, out);
    addMarkers(session.opened.run->trace(), out);
    return out;
}

std::vector<Choice> fileChoices(const Session& session, const std::vector<NamedTour>& tours,
                                const FolderListing* listing) {
    std::vector<Choice> out;
    for (const std::string& input : session.recentInputs) {
        const bool isMissing = listing != nullptr && listing->missing.count(input) > 0;
        out.push_back({.kind = ChoiceKind::recent,
                       .words = nameOf(input),
                       .detail = isMissing ? input + " (not there any more)" : input,
                       .command = textOf(command::Open{input}),
                       .isOff = isMissing});
    }
    if (listing != nullptr) {
        for (const FolderListing::Entry& entry : listing->entries) {
            const std::string path = (std::filesystem::path(listing->folder) / entry.name).string();
            out.push_back({.kind = entry.isFolder ? ChoiceKind::folder : ChoiceKind::file,
                           .words = entry.isFolder ? entry.name + "/" : entry.name,
                           .detail = entry.isFolder ? "" : sim::bytesInWords(entry.bytes),
                           .command = entry.isFolder ? textOf(command::Folder{path}) : textOf(command::Open{path})});
        }
    }
    for (const sim::Program& program : sim::programs()) {
        out.push_back({.kind = ChoiceKind::program,
                       .words = program.name,
                       .detail = program.description,
                       .command = textOf(command::Open{program.name})});
    }
    for (const NamedTour& named : tours) {
        if (named.tour.scenes.empty()) continue;
        out.push_back({.kind = ChoiceKind::tour,
                       .words = named.name,
                       .detail = named.tour.title,
                       .command = textOf(command::OpenScene{named.name, named.tour.scenes.front().id})});
    }
    return out;
}

std::optional<TypedChoice> typedChoice(const Session& session, std::string_view typed) {
    const std::string words(sim::trimmed(typed));
    if (words.empty() && session.prompt.asks != Asks::note) return std::nullopt;
    const auto typedAs = [&](std::string shown, std::string detail, std::string command, bool isFirst) {
        return TypedChoice{{.kind = ChoiceKind::typed,
                            .words = std::move(shown),
                            .detail = std::move(detail),
                            .command = std::move(command)},
                           isFirst};
    };
    switch (session.prompt.asks) {
        case Asks::command: {
            const std::string id = words.substr(0, words.find(' '));
            const auto types = commandTypes();
            const auto type =
                std::find_if(types.begin(), types.end(), [&](const CommandType& t) { return t.id == id; });
            const bool isCommand = type != types.end() && (id != words || parseCommand(words));
            if (isCommand) return typedAs(words, type->usage + ": " + std::string(type->words), words, true);
            return typedAs("look up " + words, "an address, a variable or a source line",
                           textOf(command::LookUp{words}), false);
        }
        case Asks::position:
            return typedAs("go to " + words, "", fmt::format("seek {}", sim::asWord(words)), true);
        case Asks::file:
            return typedAs("open " + words, "a file, a folder, or a program with its options",
                           textOf(command::Open{words}), words.find_first_of("/:~") != std::string::npos);
        case Asks::note:
            return typedAs(words.empty() ? "a bookmark without a note" : words, "",
                           textOf(command::BookmarkNote{words}), true);
        case Asks::nothing:
            break;
    }
    return std::nullopt;
}

}  // namespace whorl::app

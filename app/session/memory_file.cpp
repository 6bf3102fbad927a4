#include "app/session/memory_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sim/base/byte_sink.h"
#include "sim/base/json_text.h"
#include "sim/base/small_file.h"

namespace whorl::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMostMemoryBytes = 16u << 20;
constexpr double kFurthest = 1e15;  ///< beyond any trace

tl::unexpected<sim::Error> wrong(const std::string& file, const std::string& path, const std::string& wanted) {
    return sim::fail(file, path + " is not " + wanted,
                     "correct it, or remove the file: only what was recent and the bookmarks are lost");
}

sim::Expected<void> takeTexts(const json& root, const char* name, const std::string& file,
                              std::vector<std::string>& out) {
    const auto found = root.find(name);
    if (found == root.end()) return {};
    const bool isList = found->is_array() &&
                        std::all_of(found->begin(), found->end(), [](const json& text) { return text.is_string(); });
    if (!isList) return wrong(file, name, "a list of texts");
    for (const json& text : *found) out.push_back(text.get<std::string>());
    return {};
}

/// {"at": 1200, "note": "…"}
std::optional<Bookmark> bookmarkFrom(const json& value) {
    if (!value.is_object() || !value.contains("at") || !value.at("at").is_number()) return std::nullopt;
    Bookmark bookmark{.at = value.at("at").get<double>(), .note = {}};
    if (value.contains("note")) {
        if (!value.at("note").is_string()) return std::nullopt;
        bookmark.note = value.at("note").get<std::string>();
    }
    if (bookmark.at < 0 || bookmark.at > kFurthest) return std::nullopt;
    return bookmark;
}

sim::Expected<void> takeBookmarks(const json& root, const std::string& file, Memory& memory) {
    const auto found = root.find("bookmarks");
    if (found == root.end()) return {};
    if (!found->is_array()) return wrong(file, "bookmarks", "a list");
    for (std::size_t i = 0; i < found->size(); ++i) {
        const json& entry = found->at(i);
        const std::string path = fmt::format("bookmarks[{}]", i);
        const bool isEntry = entry.is_object() && entry.contains("input") && entry.at("input").is_string() &&
                             entry.contains("places") && entry.at("places").is_array();
        if (!isEntry) return wrong(file, path, R"(as {"input": "…", "places": [{"at": 1200, "note": "…"}]})");
        const auto input = entry.at("input").get<std::string>();
        std::vector<Bookmark>& bookmarks = memory.bookmarks[input];
        for (const json& place : entry.at("places")) {
            const auto bookmark = bookmarkFrom(place);
            if (!bookmark) return wrong(file, path + ".places", "a list of bookmarks");
            if (bookmarks.size() < Session::kMostBookmarks) bookmarks.push_back(*bookmark);
        }
        std::stable_sort(bookmarks.begin(), bookmarks.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
        // The file may have been written by hand: an input may stand there twice, or without bookmarks.
        const bool isKnown = std::find(memory.marked.begin(), memory.marked.end(), input) != memory.marked.end();
        if (bookmarks.empty()) {
            memory.bookmarks.erase(input);
        } else if (!isKnown) {
            memory.marked.push_back(input);
        }
    }
    return {};
}

/// The texts of one list before those of another, each once, so many at most.
std::vector<std::string> joined(const std::vector<std::string>& first, const std::vector<std::string>& then,
                                std::size_t most) {
    std::vector<std::string> out;
    for (const auto* list : {&first, &then}) {
        for (const std::string& text : *list) {
            const bool isNew = std::find(out.begin(), out.end(), text) == out.end();
            if (isNew && out.size() < most) out.push_back(text);
        }
    }
    return out;
}

void setBookmarks(Memory& memory, const std::string& input, const std::vector<Bookmark>& bookmarks) {
    std::erase(memory.marked, input);
    memory.bookmarks.erase(input);
    if (bookmarks.empty()) return;
    memory.bookmarks[input] = bookmarks;
    memory.marked.insert(memory.marked.begin(), input);
    while (memory.marked.size() > Memory::kMostMarked) {
        memory.bookmarks.erase(memory.marked.back());
        memory.marked.pop_back();
    }
}

}  // namespace

std::string textOf(const Memory& memory) {
    json bookmarks = json::array();
    for (const std::string& input : memory.marked) {
        json places = json::array();
        for (const Bookmark& bookmark : memory.bookmarks.at(input)) {
            json place = {{"at", bookmark.at}};
            if (!bookmark.note.empty()) place["note"] = bookmark.note;
            places.push_back(std::move(place));
        }
        bookmarks.push_back({{"input", input}, {"places", std::move(places)}});
    }
    const json root = {{"inputs", memory.inputs}, {"commands", memory.commands}, {"bookmarks", std::move(bookmarks)}};
    // Names of files need not be valid UTF-8.
    return root.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

sim::Expected<Memory> memoryFrom(const std::string& text, const std::string& file) {
    if (auto faults = sim::jsonErrors(text, file); !faults.empty()) return tl::unexpected(faults.front());
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object()) return wrong(file, "it", "a JSON object");
    Memory memory;
    if (auto taken = takeTexts(root, "inputs", file, memory.inputs); !taken) return tl::unexpected(taken.error());
    if (auto taken = takeTexts(root, "commands", file, memory.commands); !taken) return tl::unexpected(taken.error());
    if (auto taken = takeBookmarks(root, file, memory); !taken) return tl::unexpected(taken.error());
    memory.inputs = joined(memory.inputs, {}, Memory::kMostInputs);
    memory.commands = joined(memory.commands, {}, Memory::kMostCommands);
    return memory;
}

std::string rememberedName(const std::string& input) {
    if (input == "-" || isProgram(input)) return input == "-" ? std::string() : input;
    std::error_code unknown;
    const fs::path whole = fs::absolute(input, unknown);
    return unknown ? input : whole.lexically_normal().string();
}

MemoryFile::MemoryFile(const std::string& stateFile)
    : path_(stateFile.empty() ? "" : (fs::path(stateFile).parent_path() / "recent.json").string()) {}

sim::Expected<void> MemoryFile::load(Session& session) {
    std::error_code error;
    if (path_.empty() || !fs::exists(path_, error)) return {};
    const std::string path = std::exchange(path_, "");  // unless it is sound, it is not written
    const auto text = sim::readSmallFile(path, kMostMemoryBytes, "what Whorl remembers");
    if (!text) return tl::unexpected(text.error());
    auto memory = memoryFrom(*text, path);
    if (!memory) return tl::unexpected(memory.error());
    path_ = path;
    known_ = *std::move(memory);
    session.recentInputs = inputs_ = known_.inputs;
    session.recentCommands = commands_ = known_.commands;
    return {};
}

void MemoryFile::enter(Session& session, bool isRemembered) {
    const std::string name = isRemembered ? rememberedName(session.opened.request.input) : "";
    if (name.empty()) {
        if (!input_.empty()) session.bookmarks.clear();
        input_.clear();
        return;
    }
    session.recentInputs = joined({name}, session.recentInputs, Memory::kMostInputs);
    if (name == input_) return;  // another machine: the bookmarks stay
    input_ = name;
    const auto known = known_.bookmarks.find(name);
    session.bookmarks = known == known_.bookmarks.end() ? std::vector<Bookmark>{} : known->second;
    bookmarks_ = session.bookmarks;
}

sim::Expected<void> MemoryFile::save(const Session& session) {
    const bool isSame = session.recentInputs == inputs_ && session.recentCommands == commands_ &&
                        (input_.empty() || session.bookmarks == bookmarks_);
    if (path_.empty() || isSame) return {};
    // Another window may have written since.
    Memory memory = known_;
    std::error_code error;
    if (fs::exists(path_, error)) {
        const auto text = sim::readSmallFile(path_, kMostMemoryBytes, "what Whorl remembers");
        if (auto now = text ? memoryFrom(*text, path_) : tl::unexpected(text.error()); now) memory = *std::move(now);
    }
    memory.inputs = joined(session.recentInputs, memory.inputs, Memory::kMostInputs);
    memory.commands = joined(session.recentCommands, memory.commands, Memory::kMostCommands);
    if (!input_.empty() && session.bookmarks != bookmarks_) setBookmarks(memory, input_, session.bookmarks);
    inputs_ = session.recentInputs;  // also on failure, so that the error is reported only once
    commands_ = session.recentCommands;
    bookmarks_ = session.bookmarks;
    known_ = memory;
    fs::create_directories(fs::path(path_).parent_path(), error);
    if (error) return sim::fail(path_, "cannot be written: " + error.message());
    return sim::writeText(textOf(memory), path_);
}

}  // namespace whorl::app

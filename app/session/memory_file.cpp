#include "app/session/memory_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/byte_sink.h"
#include "sim/base/input_file.h"
#include "sim/base/json_rows.h"

namespace whorl::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
using sim::Field;
namespace row = sim::row;

constexpr std::uint64_t kMaxMemoryBytes = 16u << 20;
constexpr double kFurthest = 1e15;  ///< beyond any trace
constexpr const char* kHint = "correct it, or remove the file: only what was recent and the bookmarks are lost";

/// An input with its bookmarks.
struct Marked {
    std::string input = {};
    std::vector<Bookmark> places = {};
};

/// What the file holds.
struct Recent {
    std::vector<std::string> inputs = {};
    std::vector<std::string> commands = {};
    std::vector<Marked> bookmarks = {};
};

std::vector<Field<Bookmark>> placeFields() {
    auto at = row::number("at", &Bookmark::at, {0, kFurthest, "a number of accesses", kHint}, kHint);
    at.get = [](const Bookmark& bookmark) { return ordered_json(bookmark.at); };
    return {at, row::text("note", &Bookmark::note)};
}

std::vector<Field<Marked>> markedFields() {
    return {row::text("input", &Marked::input, {}, kHint),
            row::objects("places", &Marked::places, placeFields(), kHint, kHint)};
}

std::vector<Field<Recent>> recentFields() {
    return {row::texts("inputs", &Recent::inputs, {.hint = kHint}),
            row::texts("commands", &Recent::commands, {.hint = kHint}),
            row::objects("bookmarks", &Recent::bookmarks, markedFields(), kHint)};
}

/// Adds the bookmarks of an input. The file may have been written by hand: an input may stand there twice, or without
/// bookmarks.
void addMarked(Memory& memory, const Marked& marked) {
    if (marked.places.empty()) return;
    const auto [known, isNew] = memory.bookmarks.try_emplace(marked.input);
    std::vector<Bookmark>& bookmarks = known->second;
    const std::size_t room = Session::kMaxBookmarks - bookmarks.size();
    const auto end = marked.places.begin() + static_cast<std::ptrdiff_t>(std::min(room, marked.places.size()));
    bookmarks.insert(bookmarks.end(), marked.places.begin(), end);
    std::stable_sort(bookmarks.begin(), bookmarks.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    if (isNew) memory.marked.push_back(marked.input);
}

/// Concatenates two lists without duplicates, at most `most` texts.
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

/// The name of an input in the list of bookmarks. In another order they are at other accesses.
std::string nameOfMarked(const std::string& input, const Session& session) {
    return session.opened.run && session.opened.run->trace().isInVirtualTime() ? input + ", in virtual time" : input;
}

void setBookmarks(Memory& memory, const std::string& input, const std::vector<Bookmark>& bookmarks) {
    std::erase(memory.marked, input);
    memory.bookmarks.erase(input);
    if (bookmarks.empty()) return;
    memory.bookmarks[input] = bookmarks;
    memory.marked.insert(memory.marked.begin(), input);
    while (memory.marked.size() > Memory::kMaxMarked) {
        memory.bookmarks.erase(memory.marked.back());
        memory.marked.pop_back();
    }
}

}  // namespace

std::string textOf(const Memory& memory) {
    Recent recent{memory.inputs, memory.commands};
    for (const std::string& input : memory.marked) recent.bookmarks.push_back({input, memory.bookmarks.at(input)});
    // Sorted by keys, as the library does it. Names of files need not be valid UTF-8.
    const json sorted = sim::written(recentFields(), recent, nullptr);
    return sorted.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

sim::Expected<Memory> memoryFrom(const std::string& text, const std::string& file) {
    Recent recent;
    const auto read = [&](const sim::JsonPlace& root) { sim::readFields(root, recentFields(), recent); };
    auto errors = sim::jsonFileErrors(text, file, "a file of what was recent", kHint, read);
    if (!errors.empty()) return tl::unexpected(errors.front());
    Memory memory{joined(recent.inputs, {}, Memory::kMaxInputs), joined(recent.commands, {}, Memory::kMaxCommands)};
    for (const Marked& marked : recent.bookmarks) addMarked(memory, marked);
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
    const auto text = WHORL_TRY(sim::readSmallFile(path, kMaxMemoryBytes, "what Whorl remembers"));
    known_ = WHORL_TRY(memoryFrom(text, path));
    path_ = path;
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
    session.recentInputs = joined({name}, session.recentInputs, Memory::kMaxInputs);
    const std::string marked = nameOfMarked(name, session);
    if (marked == input_) return;  // another machine: the bookmarks stay
    input_ = marked;
    const auto known = known_.bookmarks.find(marked);
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
        const auto text = sim::readSmallFile(path_, kMaxMemoryBytes, "what Whorl remembers");
        if (auto now = text ? memoryFrom(*text, path_) : tl::unexpected(text.error()); now) memory = *std::move(now);
    }
    memory.inputs = joined(session.recentInputs, memory.inputs, Memory::kMaxInputs);
    memory.commands = joined(session.recentCommands, memory.commands, Memory::kMaxCommands);
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

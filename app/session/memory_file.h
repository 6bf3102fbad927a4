// What is remembered between sessions beside the settings, as JSON: recent inputs, commands chosen in the palette, and
// the bookmarks of each input. Several windows may share the file: each adds what is its own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "sim/base/error.h"

namespace whorl::app {

/// The contents of the file.
struct Memory {
    static constexpr std::size_t kMaxInputs = 20;
    static constexpr std::size_t kMaxCommands = 20;
    static constexpr std::size_t kMaxMarked = 200;  ///< inputs with bookmarks

    std::vector<std::string> inputs;  ///< latest first
    std::vector<std::string> commands;
    std::map<std::string, std::vector<Bookmark>> bookmarks;
    std::vector<std::string> marked;  ///< the inputs with bookmarks, the last one that was changed first
    bool operator==(const Memory&) const = default;
};

std::string textOf(const Memory& memory);
/// Error messages start with `file`.
sim::Expected<Memory> memoryFrom(const std::string& text, const std::string& file);

/// The name under which an input is remembered: the absolute path of a file, or the text of a program or pattern; empty
/// for standard input.
std::string rememberedName(const std::string& input);

class MemoryFile {
  public:
    /// recent.json beside the file of settings; with an empty path nothing is remembered.
    explicit MemoryFile(const std::string& stateFile);

    /// Reads the file and gives the session the recent inputs and commands. A missing file is not an error; an invalid
    /// one is left as it is, and nothing is remembered.
    sim::Expected<void> load(Session& session);
    /// A run has been opened: its input becomes the last one, and the session gets its bookmarks. Not if it is not to
    /// be remembered.
    void enter(Session& session, bool isRemembered = true);
    /// Writes what has changed in the session, into a temporary file that replaces the old one; does nothing if nothing
    /// has.
    sim::Expected<void> save(const Session& session);

    const std::string& path() const { return path_; }

  private:
    std::string path_;
    std::string input_;                ///< name of the open input in the list of bookmarks
    Memory known_;                     ///< contents of the file at the last read or write
    std::vector<std::string> inputs_;  ///< the session's recent inputs at the last save
    std::vector<std::string> commands_;
    std::vector<Bookmark> bookmarks_;
};

}  // namespace whorl::app

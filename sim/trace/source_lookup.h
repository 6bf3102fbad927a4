// Finds the texts of the source files that a trace refers to. The trace may come from somebody else, so its paths are
// not trusted: they reach only the trace's folder, and the folders that the user names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Where to look up source texts.
struct SourcePolicy {
    std::vector<std::string> folders = {};  ///< in addition to the folder of the trace
    bool none = false;                      ///< look up nothing, and leave out the texts that a trace contains

    bool operator==(const SourcePolicy&) const = default;
};

/// An error if one of the folders does not exist, or is not a folder.
Expected<void> checkedSources(const SourcePolicy& policy);

/// Adds to a trace the missing texts of its source files that are found at or below the folders of the policy, or
/// `folder`, that of the trace (if it has one). A path is looked up in all folders as it is, then without its first
/// component, and so on, since the program may have been compiled elsewhere. Only regular files count whose names have
/// a suffix of source code; links must not lead out of the folder, and no name below it may start with a dot. Each file
/// is read once, whatever its names. Files of more than 8 MiB are not read, nor files beyond 64 MiB in total; the
/// losses of the trace then list them. Missing files are no error; the only one is cancellation.
Expected<Trace> withSourceTexts(Trace trace, const SourcePolicy& policy,
                                const std::optional<std::filesystem::path>& folder, const Progress& progress);

/// The absolute path of a source file that a trace names: as it is, if there is such a file, or found as for
/// withSourceTexts(). Empty: there is none.
std::string pathOfSource(const std::string& name, const SourcePolicy& policy,
                         const std::optional<std::filesystem::path>& folder);

/// The trace without the texts of its source files.
Trace withoutSourceTexts(Trace trace);

/// The source files for which the trace contains a text, each text once.
std::vector<std::string> sourcesWithText(const Trace& trace);

}  // namespace whorl::sim

// Finds the texts of the source files that a trace refers to. The trace may be somebody else's, so its paths are not
// trusted: they reach only what lies beside it, and the folders that the user names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Where texts are looked for.
struct SourcePolicy {
    std::vector<std::string> folders = {};  ///< besides the folder of the trace
    bool none = false;                      ///< nowhere, and those that a trace contains are left out

    bool operator==(const SourcePolicy&) const = default;
};

/// An error if one of the folders is not there, or not a folder.
Expected<void> checkedSources(const SourcePolicy& policy);

/// The trace with the texts of its source files that have none yet and are found: at or below one of the folders of
/// the policy, or `folder`, that of the trace (if it has one). A path is looked up in all of them as it is, then
/// without its first folder, and so on, since the program may have been compiled elsewhere. Only regular files count
/// whose names end as those of source code do; links must not lead out of the folder, and no name below it may start
/// with a dot. Each file is read once, whatever its names. Those of more than 8 MiB are not read, nor what exceeds 64
/// MiB in all, which the losses of the trace then say. Missing files are no error; the only one is cancellation.
Expected<Trace> withSourceTexts(Trace trace, const SourcePolicy& policy,
                                const std::optional<std::filesystem::path>& folder, const Progress& progress);

/// The trace without the texts of its source files.
Trace withoutSourceTexts(Trace trace);

/// The source files whose texts the trace contains, each text once.
std::vector<std::string> sourcesWithText(const Trace& trace);

}  // namespace whorl::sim

#include "app/cli/recorded_program.h"

#include <filesystem>

#include "app/cli/input_options.h"
#include "app/system/ending.h"

namespace whorl::app {

sim::Expected<RecordedProgram> recordedIn(const TemporaryFolder& folder, const sim::CaptureOptions& options) {
    WHORL_TRY(folder.checked());
    const std::string& program = options.command.front();
    const std::string trace = folder.path() + '/' + std::filesystem::path(program).filename().string() + ".whorl";
    sim::Progress progress;
    const EndsInOrder inOrder;
    const auto captured = sim::capture(
        options, trace, [] { return askedToEnd(); }, progress);
    if (!captured) return tl::unexpected(captured.error());
    // The caller reports the losses, which reading the trace yields.
    return RecordedProgram{.trace = trace, .status = captured->status};
}

}  // namespace whorl::app

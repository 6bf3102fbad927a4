// Shared parts of the subcommands that answer a question: the format of the answer, and the run in question.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "app/cli/input_options.h"
#include "app/cli/option_parser.h"
#include "app/system/child_process.h"
#include "sim/analysis/orders.h"
#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/capture/capture.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/run.h"
#include "sim/report/document.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// The format of an answer: text, unless another is chosen.
struct AnswerOptions {
    std::uint64_t top = 20;  ///< the rows of a table, or paragraphs, in text
    bool json = false;
    bool csv = false;
    bool markdown = false;
    bool html = false;
    bool notes = false;
    std::string output = "-";
};

/// Adds --top, --json and -o. `top` and `json`: the help texts of --top and --json. A command that can write other
/// forms adds --csv, --markdown, --html or --notes itself.
void addAnswerOptions(OptionParser& command, AnswerOptions& options, const std::string& top,
                      const std::string& json = "as JSON instead of text", int mostTop = 1000000000);
/// Adds --top.
void addTopOption(OptionParser& command, AnswerOptions& options, const std::string& words, int most = 1000000000);
/// Adds -o for a command that writes to standard output otherwise.
void addOutputOption(OptionParser& command, std::string& output);

/// Fails if several formats are requested.
sim::Expected<void> checkForm(const AnswerOptions& options);
/// Writes an answer in the requested format.
sim::Expected<void> write(const sim::Document& document, const AnswerOptions& options);

/// Makes a command answer a question: `question` computes the answer, and options->answer gives its format.
template <class Options>
void answerBy(OptionParser& command, std::shared_ptr<Options> options,
              sim::Expected<sim::Document> (*question)(const Options&, const OptionParser&)) {
    command.onRun([options, question, &command] {
        return question(*options, command).and_then([&](const sim::Document& document) {
            return write(document, options->answer);
        });
    });
}

/// Options of a question about a range of a run.
struct QueryOptions {
    InputOptions input;
    std::string from = "0";
    std::string to = "end";
    AnswerOptions answer;
};

/// Adds --from and --to; `from` and `to` are their help texts.
void addRangeOptions(OptionParser& command, QueryOptions& options,
                     const std::string& from = "the first counted access; earlier accesses only fill the caches",
                     const std::string& to = "the first access that is not counted, or end");
/// Adds the options of the input, of the range and of the answer.
void addQueryOptions(OptionParser& command, QueryOptions& options, const std::string& top);

/// The range given by --from and --to.
sim::Expected<sim::Range> rangeOf(const QueryOptions& options, const sim::Trace& trace);

/// A built run, and the requested range of it.
struct RunQuery {
    OpenRequest request;
    std::shared_ptr<const sim::Run> run;
    sim::Range range;
};

/// What is wrong with a query can often be said before the trace is played on the machine.
using QueryCheck = std::function<sim::Expected<void>(const sim::Trace&, const sim::MachineConfig&)>;

/// Reads the input, checks the query, and plays the input, with progress.
sim::Expected<RunQuery> queriedBy(const QueryOptions& options, const OptionParser& command,
                                  const QueryCheck& check = nullptr);

/// As in app/tasks/other_order.h, with progress on standard error.
sim::Expected<std::optional<sim::OrderNote>> noteOnOrder(const OpenRequest& request, const sim::Trace& trace,
                                                         const sim::MachineConfig& machine, bool isWhole);

// Programs that a command records before it does its own work.

struct RecordedProgram {
    std::string trace;  ///< the path of the file
    int status = 0;     ///< exit status of the program, as a shell reports it
};

/// Records a program into a file of the folder. The caller reports what could not be recorded, after reading the trace.
sim::Expected<RecordedProgram> recordedIn(const TemporaryFolder& folder, sim::CaptureOptions options);

}  // namespace whorl::app

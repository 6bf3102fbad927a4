// whorl complete: what the shells ask while a command line of whorl is typed. Hidden; assets/completions call it.
#include <memory>

#include "app/cli/completion.h"
#include "app/cli/subcommands.h"
#include "sim/base/byte_sink.h"

namespace whorl::app {

namespace {

/// A line a candidate, with its words after a tab. The last line says whether files are wanted besides, and after a tab
/// which beginning of the word is no part of their names.
std::string linesOf(const Completion& completion) {
    std::string out;
    for (const Candidate& candidate : completion.candidates.list) {
        out += candidate.word + (candidate.words.empty() ? "" : '\t' + candidate.words) + '\n';
    }
    switch (completion.candidates.files) {
        case FilesWanted::none:
            return out;
        case FilesWanted::files:
            out += ":files";
            break;
        case FilesWanted::folders:
            out += ":folders";
            break;
        case FilesWanted::programs:
            out += ":programs";
            break;
    }
    return out + (completion.beforeFile.empty() ? "" : '\t' + completion.beforeFile) + '\n';
}

}  // namespace

void addCompleteCommand(OptionParser& program) {
    auto words = std::make_shared<std::vector<std::string>>();
    OptionParser& command = program.addCommand("complete", "List what the last word of a command line can be");
    command.hide();
    command.add("WORDS", *words, "those after whorl, behind --; the last is the one that is typed");
    command.onRun([words, &program] { return sim::writeText(linesOf(completionOf(program.facts(), *words)), "-"); });
}

}  // namespace whorl::app

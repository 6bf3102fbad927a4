#include "app/cli/with_options.h"

#include <fmt/format.h>

#include <utility>

#include "sim/base/text.h"

namespace whorl::app {

void addWithOptions(OptionParser& command, WithOptions& options, const std::string& input) {
    command.add(input, options.input,
                "another input to compare with: a trace file, or a built-in program with its options");
    command.add("--with-machine", options.machine, "the machine of what is compared, as for --machine");
}

sim::Expected<std::optional<OpenRequest>> secondOf(const WithOptions& options, const OpenRequest& first) {
    if (options.input.empty() && options.machine.empty()) return std::optional<OpenRequest>();
    OpenRequest second = first;
    if (!options.input.empty()) second.input = options.input;
    if (!options.machine.empty()) second.machine = options.machine;
    if (second.input == first.input && second.machine == first.machine) {
        return sim::fail("", fmt::format("{} would be compared with itself", sim::quotedText(first.input)),
                         "name another input, or another machine with --with-machine");
    }
    if (second.input == "-" && first.input == "-" && options.machine.empty()) {
        return sim::fail("-", "standard input can be read only once", "name a file");
    }
    return std::optional(std::move(second));
}

}  // namespace whorl::app

// Any lines as the text form of commands, as they come from another program: in pieces. Each is refused in a sentence,
// or reads back as the same command; a session that obeys them keeps settings that can be saved, and can be told of.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/commands/commands.h"
#include "app/commands/control_request.h"
#include "app/session/command.h"
#include "app/session/state_file.h"
#include "app/system/line_server.h"
#include "fuzz/check.h"
#include "support/sharing_trace.h"

namespace {

using namespace whorl;

void obey(std::string_view line, app::Session& session) {
    const auto command = app::parseCommand(line);
    if (!command) {
        checkSentence(command.error());
        return;
    }
    const std::string text = command->text();
    checkSentence(text);
    const auto again = app::parseCommand(text);
    check(again.has_value() && *again == *command && again->text() == text);
    command->applyTo(session);
}

/// The same lines as another program's; blank ones and those that are no text are not obeyed.
void ask(std::string_view line, const app::Session& session) {
    if (app::isBlankRequest(line)) return;
    const auto request = app::controlRequest(session, line);
    if (!request) checkSentence(request.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const app::Session kOpen = app::sharingSession();
    app::Session session = kOpen;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    app::LineBuffer lines(200);
    const auto takeAll = [&] {
        while (const auto line = lines.take()) {
            check(line->text.size() <= 200 && line->text.find('\n') == std::string::npos);
            ask(line->text, session);
            obey(line->text, session);
        }
    };
    while (!text.empty()) {
        // The size of a piece follows from the text.
        const std::size_t wanted = 1 + static_cast<unsigned char>(text.front()) % 64;
        check(lines.room() > 0);
        const std::size_t piece = std::min({wanted, lines.room(), text.size()});
        lines.add(text.substr(0, piece));
        text.remove_prefix(piece);
        takeAll();
    }
    lines.end();
    takeAll();
    const std::string report = app::stateReport(session);
    check(report.find('\n') == std::string::npos);
    app::Session saved;
    check(app::takeState(app::stateOf(session), "fuzz.json", saved).has_value());
    return 0;
}

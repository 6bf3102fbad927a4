// Any lines as the text form of commands: each is refused in a sentence, or reads back as the same command; a session
// that obeys them keeps settings that can be saved.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/session/commands.h"
#include "app/session/state_file.h"
#include "app/sharing_trace.h"
#include "fuzz/check.h"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const app::Session kOpen = app::sharingSession();
    app::Session session = kOpen;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        obey(text.substr(0, end), session);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    app::Session saved;
    check(app::takeState(app::stateOf(session), "fuzz.json", saved).has_value());
    return 0;
}

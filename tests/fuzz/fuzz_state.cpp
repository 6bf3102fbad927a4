// Any text as the file of settings: all of it is taken, and then written and read back as the same, or none.
#include <cstddef>
#include <cstdint>
#include <string>

#include "app/session/state_file.h"
#include "fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace whorl;
    const std::string text(reinterpret_cast<const char*>(data), size);
    app::Session session;
    const std::string before = app::stateOf(session);
    if (const auto taken = app::takeState(text, "fuzz.json", session); !taken) {
        checkSentence(taken.error());
        check(app::stateOf(session) == before);
        return 0;
    }
    const std::string state = app::stateOf(session);
    app::Session again;
    check(app::takeState(state, "again.json", again).has_value());
    check(app::stateOf(again) == state);
    return 0;
}

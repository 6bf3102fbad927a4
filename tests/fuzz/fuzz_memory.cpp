// Any text as the file of recent inputs and bookmarks: it is refused in a sentence, or written and read back as the
// same.
#include <cstddef>
#include <cstdint>
#include <string>

#include "app/session/memory_file.h"
#include "fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace whorl;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto memory = app::memoryFrom(text, "fuzz.json");
    if (!memory) {
        checkSentence(memory.error());
        return 0;
    }
    check(memory->inputs.size() <= app::Memory::kMaxInputs);
    check(memory->commands.size() <= app::Memory::kMaxCommands);
    const auto again = app::memoryFrom(app::textOf(*memory), "again.json");
    check(again.has_value() && *again == *memory);
    return 0;
}

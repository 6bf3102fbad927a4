// Reads any bytes as a .whorl file. The first byte chooses whether checksums are corrected first (bit 0), because a
// fuzzer would never find a valid one, and whether some of the accesses are selected from what was read (bit 1).
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "fuzz/check_trace.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/formats/whorl_reader.h"
#include "sim/trace/reader.h"

using namespace whorl::sim;
using whorl::check;
using whorl::checkTrace;

namespace {

/// Corrects the checksums of all blocks that can be found.
void putRight(std::string& file) {
    const std::uint32_t sync = BlockHead{}.sync;
    const std::string mark(reinterpret_cast<const char*>(&sync), sizeof sync);
    for (std::size_t at = file.find(mark); at != std::string::npos; at = file.find(mark, at + 1)) {
        if (file.size() - at < sizeof(BlockHead)) return;
        BlockHead head;
        std::memcpy(&head, file.data() + at, sizeof head);
        const std::string_view bytes = std::string_view(file).substr(at + sizeof head).substr(0, head.bytes);
        head = headOf(head.kind, bytes, head.first, head.accesses);
        std::memcpy(file.data() + at, &head, sizeof head);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    std::string file(reinterpret_cast<const char*>(data + 1), size - 1);
    if ((data[0] & 1u) != 0) putRight(file);
    MemoryBudget budget(std::uint64_t{1} << 30);
    Progress progress;
    const auto trace = traceOf(file, "fuzz", budget, progress);
    if (!trace) {
        check(!trace.error().sentence().empty());
        return 0;
    }
    checkTrace(*trace);
    if ((data[0] & 2u) == 0) return 0;
    TraceFilter filter;
    filter.ranges.emplace_back(ByteAddress{0}, ByteAddress{0x8000});
    if (const auto part = filtered(*trace, filter, "fuzz")) checkTrace(*part);
    return 0;
}

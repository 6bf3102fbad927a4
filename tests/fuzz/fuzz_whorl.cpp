// Reads any bytes as a .whorl file. The first byte chooses whether checksums are corrected first (bit 0), because a
// fuzzer would never find a valid one, and whether some of the accesses are selected from what was read (bit 1).
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "sim/trace/formats/whorl_file.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/reader.h"

using namespace whorl::sim;

namespace {

void check(bool sound) {
    if (!sound) std::abort();
}

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

/// What can be guaranteed of a malicious file: regions and accesses need not fit together.
void checkTrace(const Trace& trace) {
    check(trace.size() > 0 && trace.writes() <= trace.size());
    const auto& regions = trace.regions();
    check(!regions.empty());
    for (std::size_t i = 0; i < regions.size(); ++i) {
        check(regions[i].size > 0 && regions[i].base < regions[i].end());
        check(i == 0 || regions[i - 1].last() < regions[i].base);
    }
    std::uint64_t n = 0;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        check(a.size > 0 && a.size - 1 <= ~a.address.value && a.cpu < trace.cpus());
        const Site& site = trace.site(a.site);
        check(a.site.value < trace.sites().size() && (site.line == 0 || site.file < trace.files().size()));
        check(!trace.placeOf(a.address, t).empty() || trace.regionAt(a.address) < regions.size() ||
              trace.objectAt(a.address, t) != nullptr);
        ++n;
    });
    check(n == trace.size());
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

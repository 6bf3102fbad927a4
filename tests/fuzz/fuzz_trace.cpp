// Reads any bytes as a trace. The first byte chooses the format (its two lowest bits: lackey, din, text, or detected by
// content; bits 4 to 7: one of Chiron, drcachesim, pinatrace, ChampSim), whether to be lenient (bit 2) and whether to
// read instructions (bit 3); the others are the file.
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "sim/trace/reader.h"

using namespace whorl::sim;

namespace {

void check(bool sound) {
    if (!sound) std::abort();
}

/// What every trace guarantees, however odd its file.
void checkTrace(const Trace& trace) {
    check(trace.size() > 0 && trace.reads() + trace.writes() == trace.size());
    const auto& regions = trace.regions();
    for (std::size_t i = 0; i < regions.size(); ++i) {
        check(regions[i].size > 0 && regions[i].base <= regions[i].last());
        check(i == 0 || regions[i - 1].last() < regions[i].base);
    }
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        check(a.size > 0 && a.cpu < trace.cpus() && a.site.value < trace.sites().size());
        const auto isInRegion = [&](ByteAddress byte) { return trace.regionAt(byte) < regions.size(); };
        check(isInRegion(a.address) && isInRegion(a.last()));
        const Object* object = trace.objectAt(a.address, t);
        check(object == nullptr || object->contains(a.address, t));
        check(object != nullptr || !trace.placeOf(a.address, t).empty() || trace.regionAt(a.address) < regions.size());
    });
    for (const Object& o : trace.objects()) {
        check(o.born <= o.died);
        if (o.size > 0 && o.born < o.died) check(trace.objectAt(o.base, o.born) == &o);
    }
}

/// What a recording guarantees in addition.
void checkRecording(const Trace& trace, const Recording& recording) {
    for (const RecordedEvent& e : recording.events) {
        check(e.access.value < trace.size());
        check(e.level < 2 && e.cache < recording.caches[e.level]);
    }
    check(recording.caches[0] >= trace.cpus() && !trace.machine().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    ReadOptions options;
    const unsigned format = data[0] & 3u;
    if (format < 3) options.format = static_cast<TraceFormat>(format);
    constexpr TraceFormat kOthers[] = {TraceFormat::chiron, TraceFormat::drcachesim, TraceFormat::pinatrace,
                                       TraceFormat::champsim};
    for (unsigned i = 0; i < std::size(kOthers); ++i) {
        if ((data[0] >> (4 + i) & 1u) != 0) options.format = kOthers[i];
    }
    options.lenient = (data[0] & 4u) != 0;
    options.instructions = (data[0] & 8u) != 0;
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto trace = parseTrace(text, "fuzz", options);
    if (trace) {
        checkTrace(*trace);
        if (trace->recording() != nullptr) checkRecording(*trace, *trace->recording());
    } else {
        check(!trace.error().sentence().empty());
    }
    return 0;
}

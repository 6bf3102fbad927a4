// Traces made by hand or from a text, and what they hold in one line of a test.
#pragma once

#include <cstdint>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/trace/reader.h"
#include "sim/trace/trace_builder.h"
#include "support/refusal.h"

namespace whorl::sim::test {

inline Access access(Op op, std::uint64_t address, std::uint32_t size, std::uint8_t cpu = 0, SiteId site = SiteId{}) {
    Access a;
    a.address = ByteAddress{address};
    a.size = size;
    a.op = op;
    a.cpu = cpu;
    a.site = site;
    return a;
}

inline Region region(std::string name, std::uint64_t base, std::uint64_t size) {
    Region r;
    r.name = std::move(name);
    r.base = ByteAddress{base};
    r.size = size;
    return r;
}

inline Object object(std::string name, std::uint64_t base, std::uint64_t size, std::string className = "Node") {
    Object o;
    o.name = std::move(name);
    o.className = std::move(className);
    o.base = ByteAddress{base};
    o.size = size;
    return o;
}

/// The trace of a text that is sound.
inline Trace parsed(std::string_view text, const ReadOptions& options = {}, const std::string& name = "t") {
    auto trace = parseTrace(text, name, options);
    if (!trace) throw std::runtime_error(trace.error().sentence());
    return std::move(*trace);
}

/// The sentence of the error that a text gives, or "read".
inline std::string sentenceOf(std::string_view text, const ReadOptions& options = {}) {
    return refusalOf(parseTrace(text, "t", options), "read");
}

/// Accesses of any sites below 512, played over and over, with marks between.
inline Trace traceOf(const std::vector<Access>& accesses, std::size_t times = 1) {
    TraceBuilder builder("random");
    for (std::uint32_t line = 1; line < 512; ++line) builder.site("kernel.c", line);
    for (std::size_t n = 0; n < times; ++n) {
        if (n % 3 == 1) builder.mark("again");
        for (const Access& a : accesses) builder.add(a);
    }
    return builder.finish();
}

/// A trace as runs keep it, from what makes one.
using SharedTrace = std::shared_ptr<const Trace>;
inline SharedTrace shared(Trace trace) {
    return std::make_shared<const Trace>(std::move(trace));
}
inline SharedTrace shared(TraceBuilder& builder) {
    return shared(builder.finish());
}
inline SharedTrace shared(std::string_view text, const std::string& name = "t") {
    return shared(parsed(text, {}, name));
}

/// All of a trace.
inline Range wholeOf(const Trace& trace) {
    return {Tick{0}, Tick{trace.size()}};
}

inline std::vector<Access> accessesIn(const Trace& trace) {
    std::vector<Access> all;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { all.push_back(a); });
    return all;
}

/// "R 0x1000 4" for each access, so that a test can state its expectation in one line.
inline std::string accessesOf(const Trace& trace) {
    std::ostringstream out;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        out << (t.value > 0 ? ", " : "") << (a.isWrite() ? 'W' : 'R') << ' ' << std::hex << a.address.value << std::dec
            << ' ' << a.size;
        if (a.cpu != 0) out << " cpu=" << int{a.cpu};
        const Site& site = trace.site(a.site);
        if (site.line != 0) out << ' ' << trace.files()[site.file].path << ':' << site.line;
    });
    return out.str();
}

/// "A 1000+64, heap 2000+16" for each region, the base in hex.
inline std::string regionsOf(const Trace& trace) {
    std::ostringstream out;
    for (const Region& r : trace.regions()) {
        out << (out.tellp() > 0 ? ", " : "") << r.name << ' ' << std::hex << r.base.value << '+' << std::dec << r.size;
    }
    return out.str();
}

}  // namespace whorl::sim::test

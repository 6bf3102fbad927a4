// Shared by the tests of the trace room.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/memory_budget.h"
#include "sim/folder.h"
#include "sim/trace/formats/whorl_file.h"
#include "sim/trace/reader.h"
#include "sim/trace/trace_builder.h"

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

inline Object object(std::string name, std::uint64_t base, std::uint64_t size) {
    Object o;
    o.name = std::move(name);
    o.className = "Node";
    o.base = ByteAddress{base};
    o.size = size;
    return o;
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

inline Trace parsed(std::string_view text, const ReadOptions& options = {}) {
    auto trace = parseTrace(text, "t", options);
    if (!trace) throw std::runtime_error(trace.error().sentence());
    return std::move(*trace);
}

/// The sentence of the error that a text gives, or "read".
inline std::string sentenceOf(std::string_view text, const ReadOptions& options = {}) {
    const auto trace = parseTrace(text, "t", options);
    return trace ? "read" : trace.error().sentence();
}

/// A .whorl file, with as much memory as it wants.
inline Expected<Trace> traceOfFile(std::string_view file, const std::string& name = "t") {
    MemoryBudget budget(~std::uint64_t{0});
    Progress progress;
    return traceOf(file, name, budget, progress);
}

inline ReadOptions forced(TraceFormat format, bool lenient = false, bool instructions = false) {
    ReadOptions options;
    options.format = format;
    options.lenient = lenient;
    options.instructions = instructions;
    return options;
}

}  // namespace whorl::sim::test

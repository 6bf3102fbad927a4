// Traces with all features, for the tests of writers and readers, and the comparison of two traces.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "sim/trace/trace_help.h"
#include "sim/trace/writer.h"

namespace whorl::sim::test {

inline std::string written(const Trace& trace, const std::string& path) {
    Progress progress;
    return refusalOf(writeTrace(trace, path, progress), "written");
}

inline std::string objectsOf(const Trace& trace) {
    std::string out;
    for (const Object& o : trace.objects()) {
        out +=
            fmt::format("{}|{} {:x}+{} {}-{}; ", o.name, o.className, o.base.value, o.size, o.born.value, o.died.value);
    }
    return out;
}

inline std::string shapesOf(const Trace& trace) {
    std::string out;
    for (const Region& r : trace.regions()) {
        out += fmt::format("{} {:x}+{} {} {}x{} {}; ", r.name, r.base.value, r.size, r.elementSize, r.rows, r.columns,
                           static_cast<int>(r.origin));
    }
    return out;
}

inline void expectEqual(const Trace& a, const Trace& b) {
    EXPECT_EQ(accessesOf(a), accessesOf(b));
    EXPECT_EQ(a.writes(), b.writes());
    EXPECT_EQ(a.cpus(), b.cpus());
    EXPECT_EQ(objectsOf(a), objectsOf(b));
    ASSERT_EQ(a.marks().size(), b.marks().size());
    for (std::size_t i = 0; i < a.marks().size(); ++i) {
        EXPECT_EQ(a.marks()[i].at, b.marks()[i].at);
        EXPECT_EQ(a.marks()[i].text, b.marks()[i].text);
    }
}

/// A trace with all features, in random order; names are as odd as names can be.
inline Trace randomTrace(unsigned seed) {
    std::mt19937_64 random(seed);
    const std::vector<std::string> names = {"a",      "field u",   "",         "#x",        "a#b",    "\"q\"",
                                            "b\\c",   "new\nline", "\x01\x7f", "größe",     "cpu=3",  "rows=2",
                                            "x\ty:z", "R",         "\xff\xfe", "trailing ", "back\\", "a\"b"};
    const auto name = [&] { return names[random() % names.size()]; };
    TraceBuilder builder("random");
    std::vector<std::uint64_t> bases;
    for (int i = 0; i < 5; ++i) {
        Region r = region(name(), random() % 0x100000, 1 + random() % 5000);
        r.elementSize = 1 + static_cast<std::uint32_t>(random() % 2 * 7);
        if (random() % 2 == 0) r.rows = 1 + random() % (r.size / r.elementSize + 1) / 8;
        if (r.rows * r.elementSize > r.size) r.rows = 0;
        if (r.rows > 0 && random() % 2 == 0) r.columns = r.size / r.elementSize / r.rows;
        builder.addRegion(r);
    }
    for (int i = 0; i < 400; ++i) {
        const std::uint64_t place = random() % 0x100000;
        switch (random() % 10) {
            case 0:
                if (builder.newObject(object(name(), place % 64 * 16, random() % 64))) bases.push_back(place % 64 * 16);
                builder.newObject(object(name(), place, 8));
                break;
            case 1:
                if (!bases.empty()) builder.deleteObject(ByteAddress{bases[random() % bases.size()]});
                break;
            case 2:
                builder.mark(name());
                break;
            default: {
                const SiteId site = builder.site(name(), static_cast<std::uint32_t>(random() % 4));
                builder.add(access(random() % 2 == 0 ? Op::read : Op::write, place,
                                   static_cast<std::uint32_t>(1 + random() % 64),
                                   static_cast<std::uint8_t>(random() % 3 * 31), site));
            }
        }
    }
    return builder.finish();
}

}  // namespace whorl::sim::test

// Sources with their costs: each line has those of `whorl stats --by line`, once, in the order of the source.
#include "sim/report/annotated_source.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "sim/replay/measuring.h"
#include "sim/report/tables.h"
#include "sim/trace/reader.h"
#include "support/json.h"
#include "support/machines.h"
#include "support/runs.h"

namespace whorl::sim::test {
namespace {

struct Annotated {
    SharedTrace trace;
    Measures measures;
    AnnotatedSource source;
};

Annotated annotatedOn(SharedTrace trace, const MachineConfig& machine) {
    Progress progress;
    Measures measures = measure(trace, machine, wholeOf(*trace), true, progress).value();
    AnnotatedSource source = annotated(*trace, measures, *stallsOf(*trace, measures.machine, Trace::kChunk, progress));
    return {std::move(trace), std::move(measures), std::move(source)};
}

std::uint64_t countIn(const Table& table, const std::vector<Cell>& row, std::string_view key) {
    return std::get<std::uint64_t>(row[columnOf(table.columns, key)]);
}

TEST(AnnotatedSource, HasTheFiguresOfEachLine) {
    for (const char* const program : {"matmul:n=12,variant=blocked", "mergesort:n=64", "nbody:steps=1"}) {
        const Annotated a = annotatedOn(shared(ran(program)), loadMachine("256/2/32, 1K/4/32").value());
        const Table lines = tableBy(Grouping::line, a.measures, *a.trace);
        std::map<std::string, std::vector<Cell>> byName;
        for (const std::vector<Cell>& row : lines.rows) byName[std::get<std::string>(row[0])] = row;
        const Document document = annotatedDocument(a.source);
        const Table table = document.csv();
        std::size_t known = 0;
        for (const std::vector<Cell>& row : table.rows) {
            const std::string name =
                fmt::format("{}:{}", std::get<std::string>(row[1]), std::get<std::uint64_t>(row[2]));
            ASSERT_TRUE(byName.contains(name)) << name;
            for (const char* const key : {"accesses", "cycles", "L1_misses", "L2_misses"}) {
                EXPECT_EQ(countIn(table, row, key), countIn(lines, byName[name], key)) << name << ' ' << key;
            }
            const std::size_t used = columnOf(lines.columns, "L1_used_percent");
            EXPECT_EQ(row[columnOf(table.columns, "used_percent")], byName[name][used]) << name;
            byName.erase(name);
            ++known;
        }
        EXPECT_GT(known, 1U) << program;
        // What is left has no line.
        Cycles elsewhere = 0;
        for (const auto& [name, row] : byName) elsewhere += countIn(lines, row, "cycles");
        EXPECT_EQ(a.source.elsewhere, elsewhere) << program;
        EXPECT_EQ(a.source.cycles, a.measures.cyclesOfAll());
    }
}

TEST(AnnotatedSource, HasTheLinesAround) {
    TraceParts parts =
        parseTrace("R 0x1000 4 x.c:5\nR 0x1000 4 x.c:6\nR 0x2000 4 x.c:19\n", "trace", {}).value().takeParts();
    std::string text;
    for (int i = 1; i <= 21; ++i) text += fmt::format("  line {}\n", i);
    for (SourceFile& file : parts.files) file.lines = SourceText(file.path.empty() ? "" : text);
    const Annotated a = annotatedOn(shared(Trace(std::move(parts))), loadMachine("16/1/16").value());
    ASSERT_EQ(a.source.functions.size(), 1U);
    std::vector<std::uint32_t> numbers;
    for (const AnnotatedLine& line : a.source.functions[0].lines) {
        numbers.push_back(line.number);
        EXPECT_EQ(line.text, fmt::format("  line {}", line.number));
    }
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20, 21}));
    const Document document = annotatedDocument(a.source);
    const std::string words = document.text(10);
    EXPECT_NE(words.find("\n…\n16"), std::string::npos) << words;
    EXPECT_NE(document.markdown(10).find("\n### x.c: "), std::string::npos);
    const Json json(jsonText(document.json()));
    EXPECT_EQ(json["functions"][0]["lines"].size(), 3U);
    EXPECT_EQ(json["functions"][0]["lines"][2]["text"], "  line 19");
}

TEST(AnnotatedSource, NothingInAPageIsTakenForMarkup) {
    TraceParts parts = parseTrace("R 0x1000 4 x.c:1\n", "<b>", {}).value().takeParts();
    for (SourceFile& file : parts.files) file.lines = SourceText("a<b && c>\"d\"</td><script>alert(1)</script>\n");
    const Annotated a = annotatedOn(shared(Trace(std::move(parts))), loadMachine("16/1/16").value());
    const std::string page = annotatedDocument(a.source).html(10);
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    EXPECT_NE(page.find("a&lt;b &amp;&amp; c&gt;&quot;d&quot;&lt;/td&gt;"), std::string::npos) << page;
}

TEST(AnnotatedSource, SaysWhatIsLeftOut) {
    const Annotated a = annotatedOn(shared("R 0x1000 4\nR 0x2000 4\n"), loadMachine("16/1/16").value());
    EXPECT_EQ(a.source.elsewhere, a.source.cycles);
    const std::string words = annotatedDocument(a.source).text(10);
    EXPECT_NE(words.find("The trace has no source lines: "), std::string::npos) << words;
    EXPECT_NE(words.find("of code whose lines are not known"), std::string::npos) << words;
}

}  // namespace
}  // namespace whorl::sim::test

#include "sim/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/report/json.h"
#include "sim/report/table.h"

namespace whorl::sim {

namespace {

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
std::string digestOf(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return fmt::format("{:016x}", hash);
}

const Table& bodyOf(const Report& report, Table& counts) {
    if (!report.tables.empty()) return report.tables.front();
    counts = countsTable(report);
    return counts;
}

/// The columns of all points: a machine with more levels has more columns.
std::vector<Column> bodyColumns(const SweepResults& results) {
    std::vector<Column> columns;
    for (const PointResult& point : results.points) {
        if (!point.report) continue;
        Table counts;
        for (const Column& column : bodyOf(*point.report, counts).columns) {
            if (columnOf(columns, column.key) == columns.size()) columns.push_back(column);
        }
    }
    return columns;
}

/// The rows of a point in these columns. Every point has one, so that none is missing.
std::vector<std::vector<Cell>> bodyRows(const PointResult& point, const std::vector<Column>& columns) {
    std::vector<std::vector<Cell>> rows;
    if (point.report) {
        Table counts;
        const Table& body = bodyOf(*point.report, counts);
        std::vector<std::size_t> places;
        for (const Column& column : body.columns) places.push_back(columnOf(columns, column.key));
        for (const std::vector<Cell>& cells : body.rows) {
            std::vector<Cell>& row = rows.emplace_back(columns.size());
            for (std::size_t i = 0; i < cells.size(); ++i) row[places[i]] = cells[i];
        }
    }
    if (rows.empty()) rows.emplace_back(columns.size());
    return rows;
}

/// The level names of the machine with the most levels.
std::vector<std::string> levelNames(const SweepResults& results) {
    std::vector<std::string> names;
    for (const PointResult& point : results.points) {
        if (!point.report) continue;
        const std::vector<LevelConfig>& levels = point.report->measures.machine.levels;
        for (std::size_t l = names.size(); l < levels.size(); ++l) names.push_back(levels[l].name);
    }
    return names;
}

bool hasBoundedMemory(const PointResult& point) {
    return point.report && point.report->measures.machine.memory.isBounded();
}

/// The page faults of a point; empty where memory is not bounded.
Cell faultsIn(const PointResult& point) {
    return hasBoundedMemory(point) ? Cell(ofAllCpus(point.report->measures.counters.pageFaults)) : Cell();
}

JsonObject headOf(const SweepResults& results) {
    const Sweep& sweep = results.sweep;
    const auto axisOf = [](const Axis& axis) { return JsonObject{{"key", axis.key}, {"values", axis.values}}; };
    return {{"trace", results.subject.trace},
            {"accesses", results.subject.accesses},
            {"digest", results.subject.digest},
            {"from", results.subject.range.from.value},
            {"to", results.subject.range.to.value},
            {"machine", machineAsJson(sweep.base())},
            {"told", results.subject.extras},
            {"axes", jsonArrayOf(sweep.axes(), axisOf)},
            {"points", sweep.points()}};
}

}  // namespace

std::string sweepAsText(const SweepResults& results) {
    Table table{.name = "sweep", .title = {}, .columns = {}, .rows = {}};
    for (const Axis& axis : results.sweep.axes()) table.columns.push_back({axis.key, axis.key});
    const std::vector<std::string> levels = levelNames(results);
    for (const std::string& level : levels) table.columns.push_back({level, level + " miss ratio"});
    table.columns.push_back({"memory_reads", "memory reads"});
    const bool hasFaults = std::any_of(results.points.begin(), results.points.end(), hasBoundedMemory);
    if (hasFaults) table.columns.push_back({"page_faults", "page faults"});
    table.columns.push_back({"cycles_per_access", "cycles an access"});
    std::string wrong;
    for (const PointResult& point : results.points) {
        std::vector<Cell> cells;
        cells.reserve(table.columns.size());
        for (std::string& value : results.sweep.valuesAt(point.point)) cells.emplace_back(std::move(value));
        if (!point.report) {
            wrong += fmt::format("point {}: {}\n", point.point + 1, point.report.error().sentence());
            cells.resize(table.columns.size());
        } else {
            const Measures& measures = point.report->measures;
            for (std::size_t l = 0; l < levels.size(); ++l) {
                Cell& missRatio = cells.emplace_back();
                if (l >= measures.counters.levels()) continue;
                const CacheCounters c = measures.counters.level(l);
                if (c.accesses() > 0) missRatio = 1 - c.hitRate();
            }
            cells.emplace_back(measures.counters.memory.reads);
            if (hasFaults) cells.push_back(faultsIn(point));
            cells.emplace_back(measures.cyclesPerAccess());
        }
        table.rows.push_back(std::move(cells));
    }
    return tableAsText(table, table.rows.size()) + (wrong.empty() ? "" : "\n" + wrong);
}

std::string sweepAsCsv(const SweepResults& results) {
    const std::vector<Column> body = bodyColumns(results);
    Table table{.name = "sweep", .title = {}, .columns = {}, .rows = {}};
    table.columns = {{"sweep", {}}, {"trace", {}}, {"points", {}}, {"point", {}}};
    for (const Axis& axis : results.sweep.axes()) table.columns.push_back({axis.key, {}});
    table.columns.push_back({"error", {}});
    table.columns.insert(table.columns.end(), body.begin(), body.end());
    const std::string digest = digestOf(jsonLine(headOf(results)));
    for (const PointResult& point : results.points) {
        std::vector<Cell> first{digest, results.subject.trace, results.sweep.points(), point.point + 1};
        first.reserve(table.columns.size());
        for (std::string& value : results.sweep.valuesAt(point.point)) first.emplace_back(std::move(value));
        first.emplace_back(point.report ? "" : point.report.error().sentence());
        for (const std::vector<Cell>& row : bodyRows(point, body)) {
            std::vector<Cell> cells = first;
            cells.insert(cells.end(), row.begin(), row.end());
            table.rows.push_back(std::move(cells));
        }
    }
    return tableAsCsv(table);
}

std::string sweepAsJson(const SweepResults& results) {
    JsonObject head = headOf(results);
    const Shard& shard = results.shard;
    if (shard.count > 1) head.emplace_back("shard", fmt::format("{}/{}", shard.index, shard.count));
    SweepLines lines{.head = jsonLine(head), .results = {}};
    lines.results.reserve(results.points.size());
    for (const PointResult& point : results.points) {
        JsonObject values;
        std::vector<std::string> all = results.sweep.valuesAt(point.point);
        for (std::size_t i = 0; i < all.size(); ++i) {
            values.emplace_back(results.sweep.axes()[i].key, std::move(all[i]));
        }
        JsonObject line{{"point", point.point + 1}, {"values", std::move(values)}};
        if (point.report) line.emplace_back("report", reportAsJson(*point.report));
        if (!point.report) line.emplace_back("error", point.report.error().sentence());
        lines.results.push_back(jsonLine(line));
    }
    return sweepText(lines);
}

std::string sweepText(const SweepLines& lines) {
    std::string out = "{\"sweep\":" + lines.head + ",\n\"results\":[";
    const char* between = "\n";
    for (const std::string& line : lines.results) {
        out += between + line;
        between = ",\n";
    }
    return out + "\n]}\n";
}

namespace {

tl::unexpected<Error> notAPart(const std::string& name) {
    return fail(name, "this is not a part of a sweep", "expected what whorl stats --sweep … --json or --csv writes");
}

tl::unexpected<Error> fromAnother(const std::string& name, const std::string& first, std::string_view what) {
    return fail(name, fmt::format("{} {}", what, first), "merge only shards of one sweep");
}

/// The points read so far, by number, with their texts.
class Points {
  public:
    struct Point {
        std::string text;
        std::size_t part;
    };

    explicit Points(const std::vector<SweepPart>& parts) : parts_(parts) {}

    /// Returns false when another part has the point. The same part may add to it, as it has several rows in CSV.
    bool add(std::uint64_t number, std::size_t part, std::string_view text) {
        const auto [at, isNew] = points_.try_emplace(number, Point{{}, part});
        if (at->second.part != part) return false;
        at->second.text += text;
        return true;
    }
    const std::map<std::uint64_t, Point>& all() const { return points_; }

    tl::unexpected<Error> twice(std::uint64_t number, std::size_t part) const {
        return fail(parts_[part].name,
                    fmt::format("point {} is in {} too", number, parts_[points_.at(number).part].name),
                    "name each shard once");
    }
    /// An error unless all points from 1 on are present. It names the missing shards if the parts show them.
    Expected<void> complete(std::uint64_t points) const {
        if (points_.size() == points) return {};
        if (const std::uint64_t count = shardCount(points); count != 0) return shardsMissing(count, points);
        std::vector<std::string> missing;
        for (std::uint64_t n = 1; n <= points && missing.size() <= kNamed; ++n) {
            if (points_.count(n) == 0) missing.push_back(missing.size() < kNamed ? fmt::format("{}", n) : "others");
        }
        const bool one = missing.size() == 1;
        return fail(
            "",
            fmt::format("of the {} points of the sweep, {} {} missing", points, joinNames(missing), one ? "is" : "are"),
            "name all of its shards");
    }

  private:
    static constexpr std::size_t kNamed = 5;
    static constexpr std::size_t kRangesNamed = 20;

    /// The number of shards that the sweep was split into, from the distances between each part's points: 0 if they do
    /// not show it, for example because a part lacks points of its shard.
    std::uint64_t shardCount(std::uint64_t points) const {
        std::map<std::size_t, std::vector<std::uint64_t>> numbers;  // numbers of the points in each part, ascending
        for (const auto& [number, point] : points_) numbers[point.part].push_back(number);
        std::uint64_t count = 0;
        for (const auto& [part, own] : numbers) {
            if (own.size() > 1) count = own[1] - own[0];
        }
        for (const auto& [part, own] : numbers) {
            for (std::size_t i = 1; i < own.size(); ++i) {
                if (own[i] - own[i - 1] != count) return 0;
            }
            if (own.front() > count || own.back() + count <= points) return 0;
        }
        return count;
    }
    /// Lists the missing shards as a batch system takes a list of jobs: 3,7-9,12.
    tl::unexpected<Error> shardsMissing(std::uint64_t count, std::uint64_t points) const {
        std::string list;
        std::size_t ranges = 0;
        std::uint64_t missing = 0;
        const auto isMissing = [&](std::uint64_t shard) {
            return shard <= std::min(count, points) && points_.count(shard) == 0;
        };
        for (std::uint64_t first = 1; first <= count; ++first) {
            if (!isMissing(first)) continue;
            std::uint64_t last = first;
            while (isMissing(last + 1)) ++last;
            missing += last - first + 1;
            if (++ranges <= kRangesNamed) {
                list += fmt::format("{}{}", list.empty() ? "" : ",", first);
                if (last > first) list += fmt::format("-{}", last);
            }
            first = last;
        }
        if (ranges > kRangesNamed) list += " and others";
        const bool one = missing == 1;
        return fail("",
                    fmt::format("{} {} of the {} of the sweep {} missing", one ? "shard" : "shards", list, count,
                                one ? "is" : "are"),
                    fmt::format("measure {} with --shard, and name all", one ? "it" : "them"));
    }

    const std::vector<SweepPart>& parts_;
    std::map<std::uint64_t, Point> points_;
};

using Subject = std::map<std::string, std::string>;

/// The difference between the subjects of two parts, in words; null when there is none.
const char* differenceOf(const Subject& a, const Subject& b) {
    const auto differ = [&](const char* key) {
        const auto inA = a.find(key);
        const auto inB = b.find(key);
        return (inA == a.end()) != (inB == b.end()) || (inA != a.end() && inA->second != inB->second);
    };
    if (differ("trace") || differ("accesses") || differ("digest")) return "it is of another trace than";
    if (differ("from") || differ("to")) return "it is of another range of the trace than";
    if (differ("machine")) return "its machine differs from that of";
    if (differ("axes") || differ("points")) return "its keys and values differ from those of";
    if (differ("told")) return "it has other contents than";
    return nullptr;
}

Expected<std::string> mergedJson(const std::vector<SweepPart>& parts) {
    std::optional<SweepPartJson> first;
    Points points(parts);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (auto errors = jsonErrors(parts[p].text, parts[p].name); !errors.empty()) {
            return tl::unexpected(std::move(errors.front()));
        }
        const std::optional<SweepPartJson> part = sweepPartFromJson(parts[p].text);
        if (!part) return notAPart(parts[p].name);
        if (!first) first = part;
        const char* difference = differenceOf(part->subject, first->subject);
        if (difference != nullptr) return fromAnother(parts[p].name, parts[0].name, difference);
        for (std::size_t i = 0; i < part->numbers.size(); ++i) {
            const std::uint64_t number = part->numbers[i];
            const bool isNew = points.all().count(number) == 0 && points.add(number, p, part->lines.results[i]);
            if (!isNew) return points.twice(number, p);
        }
    }
    WHORL_TRY(points.complete(first->points));
    SweepLines lines{.head = first->lines.head, .results = {}};
    for (const auto& [number, point] : points.all()) lines.results.push_back(point.text);
    return sweepText(lines);
}

/// A part in CSV, parsed.
struct Rows {
    std::vector<CsvRecord> records;  ///< the first is the line of keys
    std::size_t keys = 0;            ///< the columns up to "error", which are the same in all shards
};

std::optional<Rows> rowsOf(const std::string& text) {
    Rows rows{.records = csvRecords(text)};
    if (rows.records.empty()) return std::nullopt;
    const std::vector<std::string>& keys = rows.records.front().fields;
    const std::vector<std::string> first = {"sweep", "trace", "points", "point"};
    if (keys.size() < first.size() || !std::equal(first.begin(), first.end(), keys.begin())) return std::nullopt;
    const auto error = std::find(keys.begin(), keys.end(), "error");
    if (error == keys.end()) return std::nullopt;
    rows.keys = static_cast<std::size_t>(error - keys.begin()) + 1;
    const auto misshapen = [&](const CsvRecord& row) { return !row.isWhole || row.fields.size() != keys.size(); };
    if (std::any_of(rows.records.begin(), rows.records.end(), misshapen)) return std::nullopt;
    return rows;
}

/// What the rows of all parts have in common; unknown for a part without rows.
struct CsvSubject {
    std::string part;
    std::vector<std::string> values;  ///< digest, trace and number of points
};

/// Why the rows of a part are from another sweep than earlier ones, in words; null when they are from the same.
const char* differenceOf(const CsvRecord& row, const CsvSubject& subject) {
    if (row.fields[1] != subject.values[1]) return "it is of another trace than";
    if (row.fields[2] != subject.values[2]) return "its keys and values differ from those of";
    if (row.fields[0] != subject.values[0]) return "its trace, machine or values differ from those of";
    return nullptr;
}

/// Adds the rows of a part; `width` is the number of columns, which a shard without a sound machine does not know.
Expected<void> addRows(const Rows& rows, std::size_t part, const std::vector<SweepPart>& parts, std::size_t width,
                       Points& points, std::optional<CsvSubject>& subject) {
    const std::string& name = parts[part].name;
    for (auto row = rows.records.begin() + 1; row != rows.records.end(); ++row) {
        const auto number = wholeNumber(row->fields[3]);
        if (!number || !wholeNumber(row->fields[2])) return notAPart(name);
        if (!subject) subject = CsvSubject{name, {row->fields.begin(), row->fields.begin() + 3}};
        const char* difference = differenceOf(*row, *subject);
        if (difference != nullptr) return fromAnother(name, subject->part, difference);
        const std::string line = std::string(row->text) + std::string(width - row->fields.size(), ',') + '\n';
        if (!points.add(*number, part, line)) return points.twice(*number, part);
    }
    return {};
}

Expected<std::string> mergedCsv(const std::vector<SweepPart>& parts) {
    std::vector<Rows> all;
    all.reserve(parts.size());
    std::size_t widest = 0;
    for (const SweepPart& part : parts) {
        auto rows = rowsOf(part.text);
        if (!rows) return notAPart(part.name);
        all.push_back(*std::move(rows));
        const auto width = [&](std::size_t p) { return all[p].records.front().fields.size(); };
        if (width(all.size() - 1) > width(widest)) widest = all.size() - 1;
    }
    const std::vector<std::string>& keys = all[widest].records.front().fields;
    Points points(parts);
    std::optional<CsvSubject> subject;
    for (std::size_t p = 0; p < all.size(); ++p) {
        const std::vector<std::string>& own = all[p].records.front().fields;
        const bool shorter = own.size() == all[p].keys;
        if (!std::equal(own.begin(), own.end(), keys.begin()) || (own.size() != keys.size() && !shorter)) {
            return fromAnother(parts[p].name, parts[widest].name, "its columns differ from those of");
        }
        WHORL_TRY(addRows(all[p], p, parts, keys.size(), points, subject));
    }
    const std::uint64_t expected = subject ? wholeNumber(subject->values[2]).value_or(0) : 1;
    WHORL_TRY(points.complete(expected));
    std::string out = std::string(all[widest].records.front().text) + '\n';
    for (const auto& [number, point] : points.all()) out += point.text;
    return out;
}

}  // namespace

Expected<void> checkPart(const std::string& name, std::string_view begin) {
    begin = trimmed(begin);
    if (!begin.starts_with('{') && !begin.starts_with("sweep,")) return notAPart(name);
    return {};
}

Expected<std::string> merged(const std::vector<SweepPart>& parts) {
    if (parts.empty()) return fail("", "there is nothing to merge", "name the shards of a sweep");
    const auto isJson = [](const SweepPart& part) { return trimmed(part.text).starts_with('{'); };
    const bool json = isJson(parts.front());
    for (const SweepPart& part : parts) {
        if (isJson(part) == json) continue;
        return fail(part.name, fmt::format("it is not of the same format as {}", parts.front().name),
                    "merge either JSON or CSV");
    }
    return json ? mergedJson(parts) : mergedCsv(parts);
}

}  // namespace whorl::sim

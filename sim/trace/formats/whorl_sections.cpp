#include "sim/trace/formats/whorl_sections.h"

#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/compact_bytes.h"
#include "sim/trace/formats/reading.h"

namespace whorl::sim {

/// Reads a section from its decompressed bytes; `budget` limits the memory that its content may take.
struct SectionReader : FieldReader {
    SectionReader(std::string_view bytes, MemoryBudget& most) : FieldReader(bytes), budget(most) {}

    /// The number of items of `itemBytes` bytes that follow; 0 if they do not fit into the budget.
    std::uint64_t countOf(std::uint64_t itemBytes) {
        const std::uint64_t n = count();
        return budget.take(n, itemBytes) ? n : 0;
    }

    MemoryBudget& budget;
};

namespace {

constexpr int kSectionCompression = 3;
/// The maximum decompressed size of a section: more than any trace needs, and affordable on any computer.
constexpr std::uint64_t kLargestSection = std::uint64_t{512} << 20;
/// An upper limit of zstd's compression ratio: a block of 128 KiB takes at least 4 bytes.
constexpr std::uint64_t kMaxCompressionRatio = std::uint64_t{1} << 16;
/// The memory that the index of objects by address takes per object, for a million of them (see ObjectIndex).
constexpr std::uint64_t kObjectIndexBytes = 200;
/// The largest footprint worth storing, in bytes, for a trace without accesses, and the accesses that each further byte
/// must save. Memory touched at random has a large footprint.
constexpr std::size_t kMaxFootprint = 512;
constexpr std::size_t kAccessesPerByte = 128;
/// Upper limits for a trace: accesses, and cycles of work between two accesses.
constexpr std::uint64_t kMaxTicks = std::uint64_t{1} << 62;
constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 40;

/// Writes fields, one after the other.
struct FieldsOut {
    FieldWriter& out;

    template <class... T>
    void operator()(const T&... fields) const {
        (put(fields), ...);
    }
    void put(const std::string& text) const { out.text(text); }
    void put(std::uint64_t number) const { out.number(number); }
    void put(RegionOrigin origin) const { out.number(static_cast<std::uint64_t>(origin)); }
    template <class Tag, class Rep>
    void put(Strong<Tag, Rep> number) const {
        out.number(number.value);
    }
};

/// Reads fields that FieldsOut wrote.
struct FieldsIn {
    FieldReader& in;

    template <class... T>
    void operator()(T&... fields) const {
        (put(fields), ...);
    }
    void put(std::string& text) const { text = in.text(); }
    void put(std::uint64_t& number) const { number = in.number(); }
    void put(std::uint32_t& number) const { number = in.number32(); }
    void put(RegionOrigin& origin) const { origin = static_cast<RegionOrigin>(in.number(1)); }
    template <class Tag, class Rep>
    void put(Strong<Tag, Rep>& number) const {
        put(number.value);
    }
};

/// Writes the number of items and the fields of each.
template <class T, class F>
void writeList(FieldWriter& out, const std::vector<T>& list, F&& fields) {
    out.number(list.size());
    for (const T& item : list) fields(FieldsOut{out}, item);
}

/// Writes a section that is one list.
template <auto list, auto fields>
void writeAll(FieldWriter& out, const TraceParts& parts) {
    writeList(out, parts.*list, fields);
}

/// Appends the items of a list. `isValid(item, previous items)` checks an item, and may complete it. `more` is the
/// memory that each item takes besides its own size.
template <class T, class F, class V>
bool readItems(SectionReader& in, std::vector<T>& list, F&& fields, V&& isValid, std::uint64_t more = 0) {
    const std::uint64_t n = in.countOf(sizeof(T) + more);
    if (in.budget.exceeded()) return false;
    list.reserve(n);
    for (std::uint64_t i = 0; i < n && in.isValid(); ++i) {
        T thing;
        fields(FieldsIn{in}, thing);
        if (!isValid(thing, list)) return false;
        list.push_back(std::move(thing));
    }
    return in.isValid();
}

/// Reads a list that is the rest of the section.
template <class T, class F, class V>
bool readList(SectionReader& in, std::vector<T>& to, F&& fields, V&& isValid, std::uint64_t more = 0) {
    std::vector<T> list;
    if (!readItems(in, list, fields, isValid, more) || !in.done()) return false;
    to = std::move(list);
    return true;
}

// The fields of the items of sections, in the order in which they are stored.
constexpr auto kAboutFields = [](auto io, auto& t) {
    io(t.name, t.size, t.writes, t.cpus, t.skippedLines, t.accessesOff, t.machine);
};
constexpr auto kSiteFields = [](auto io, auto& s) { io(s.file, s.line, s.pc); };
constexpr auto kRegionFields = [](auto io, auto& r) {
    io(r.name, r.base, r.size, r.elementSize, r.rows, r.columns, r.origin);
};
constexpr auto kObjectFields = [](auto io, auto& o) { io(o.name, o.className, o.base, o.size, o.born, o.died); };
constexpr auto kMarkFields = [](auto io, auto& m) { io(m.at, m.text); };
constexpr auto kModuleFields = [](auto io, auto& m) { io(m.path, m.base, m.size); };
constexpr auto kPageFields = [](auto io, auto& p) { io(p.index, p.bits); };
constexpr auto kStructFields = [](auto io, auto& f) { io(f.name, f.offset, f.size); };
constexpr auto kExcerptFields = [](auto io, auto& e) { io(e.first, e.whole, e.machine, e.past); };
constexpr auto kWindowsFields = [](auto io, auto& w) { io(w.length, w.every, w.between); };
constexpr auto kTextFields = [](auto io, auto& text) { io(text); };

void writeAbout(FieldWriter& out, const TraceParts& parts) {
    kAboutFields(FieldsOut{out}, parts);
    if (parts.instructions > 0) out.number(parts.instructions);
}

/// Reads the first section, before anything else is known.
bool readAbout(SectionReader& in, TraceParts& parts) {
    TraceParts read;
    kAboutFields(FieldsIn{in}, read);
    if (in.hasMore()) read.instructions = in.number();
    if (!in.done() || read.writes > read.size || read.cpus == 0 || read.cpus > kMaxCpus) return false;
    parts = std::move(read);
    return true;
}

/// Stores each text once: after the files come those that share the text of another file, if there are any.
void writeFiles(FieldWriter& out, const TraceParts& parts) {
    const std::vector<SourceFile>& files = parts.files;
    std::map<const void*, std::size_t> known;
    std::vector<std::pair<std::size_t, std::size_t>> shared;
    out.number(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        const SourceText& lines = files[i].lines;
        const auto [first, isNew] = known.try_emplace(lines.identity(), i);
        out.text(files[i].path);
        out.number(isNew ? lines.size() : 0);
        if (isNew) {
            for (const std::string_view line : lines) out.text(line);
        } else if (!lines.empty()) {
            shared.emplace_back(i, first->second);
        }
    }
    if (!shared.empty()) out.number(shared.size());
    for (const auto& [file, owner] : shared) {
        out.number(file);
        out.number(owner);
    }
}

bool readFiles(SectionReader& in, TraceParts& parts) {
    std::vector<SourceFile> files;
    const auto fields = [&](auto io, SourceFile& f) {
        io(f.path);
        const std::uint64_t lines = in.countOf(SourceText::kBytesOfLine);
        for (std::uint64_t i = 0; i < lines && in.isValid(); ++i) f.lines.add(in.view());
    };
    const bool isRead = readItems(in, files, fields, [&](const auto&...) { return !in.budget.exceeded(); });
    if (!isRead) return false;
    const std::uint64_t shared = files.empty() || !in.hasMore() ? 0 : in.count();
    for (std::uint64_t i = 0; i < shared && in.isValid(); ++i) {
        SourceText& lines = files[in.number(files.size() - 1)].lines;
        lines = files[in.number(files.size() - 1)].lines;
    }
    if (!in.done()) return false;
    parts.files = std::move(files);
    return true;
}

bool readSites(SectionReader& in, TraceParts& parts) {
    std::vector<Site> sites;
    const bool isRead = readList(in, sites, kSiteFields, [&](Site& s, const auto& before) {
        // If the source files are lost, the lines are unknown.
        if (s.line != 0 && s.file >= parts.files.size()) s = {.file = 0, .line = 0, .pc = s.pc};
        return !before.empty() || s == Site{};
    });
    if (!isRead || sites.empty()) return false;
    parts.sites = std::move(sites);
    return true;
}

bool readRegions(SectionReader& in, TraceParts& parts) {
    return readList(in, parts.regions, kRegionFields, [](const Region& r, const std::vector<Region>& before) {
        if (r.size == 0 || r.elementSize == 0 || r.last() < r.base) return false;
        if (r.rows > r.size / r.elementSize / std::max<std::uint64_t>(r.columns, 1)) return false;
        return (r.rows > 0 || r.columns == 0) && (before.empty() || before.back().last() < r.base);
    });
}

bool readObjects(SectionReader& in, TraceParts& parts) {
    const auto isValid = [](const Object& o, const auto&) {
        return o.born <= o.died && endsWithinMemory(o.base.value, o.size);
    };
    return readList(in, parts.objects, kObjectFields, isValid, kObjectIndexBytes);
}

bool readMarks(SectionReader& in, TraceParts& parts) {
    return readList(in, parts.marks, kMarkFields, [](const Mark& m, const std::vector<Mark>& before) {
        return before.empty() || before.back().at <= m.at;
    });
}

bool readModules(SectionReader& in, TraceParts& parts) {
    return readList(in, parts.modules, kModuleFields,
                    [](const Module& m, const auto&) { return endsWithinMemory(m.base.value, m.size); });
}

/// Stores pages by their distances, with the granules that are not touched: most pages are touched completely.
void writeFootprint(FieldWriter& out, const TraceParts& parts) {
    std::uint64_t last = 0;
    writeList(out, parts.footprint.pages(), [&](auto io, const Footprint::Page& p) {
        const Footprint::Page stored{.index = p.index - std::exchange(last, p.index), .bits = ~p.bits};
        kPageFields(io, stored);
    });
}

bool readFootprint(SectionReader& in, TraceParts& parts) {
    constexpr std::uint64_t kMaxPages = ~std::uint64_t{0} / Footprint::kPage;
    std::vector<Footprint::Page> pages;
    const auto isValid = [](Footprint::Page& p, const std::vector<Footprint::Page>& before) {
        const std::uint64_t last = before.empty() ? 0 : before.back().index;
        if (p.index > kMaxPages - last) return false;
        p = {.index = last + p.index, .bits = ~p.bits};
        return before.empty() || p.index > last;
    };
    const bool isRead = readList(in, pages, kPageFields, isValid);
    if (isRead) parts.footprint = Footprint(std::move(pages));
    return isRead;
}

/// Whether the footprint is worth storing. A larger one is computed from the accesses, which takes no space.
bool isFootprintSmall(const TraceParts& parts) {
    const std::size_t most = kMaxFootprint + parts.size / kAccessesPerByte;
    return packedSection(sectionOf(BlockKind::footprint), parts).size() <= most;
}

bool hasTiming(const TraceParts& parts) {
    return !parts.timing.empty();
}

void writeTiming(FieldWriter& out, const TraceParts& parts) {
    out.number(parts.timing.each);
    out.number(parts.timing.delays.size());
    std::uint64_t last = 0;
    for (const Delay& d : parts.timing.delays) {
        out.number(d.at.value - std::exchange(last, d.at.value));
        out.number(d.work);
        out.number(d.after == Delay::kNoAccess ? 0 : d.at.value - d.after.value);
    }
}

bool readTiming(SectionReader& in, TraceParts& parts) {
    constexpr std::uint64_t kBytesOfDelay = 4;  // an estimate, packed again
    Timing read;
    read.each = in.number(kMaxWork);
    std::uint64_t last = 0;
    const std::uint64_t count = in.countOf(kBytesOfDelay);
    if (in.budget.exceeded()) return false;
    for (std::uint64_t i = 0; i < count && in.isValid(); ++i) {
        const std::uint64_t more = in.number(kMaxTicks - last);
        Delay d;
        d.at = Tick{last += more};
        d.work = in.number(kMaxWork);
        const std::uint64_t back = in.number(d.at.value);
        d.after = back == 0 ? Delay::kNoAccess : Tick{d.at.value - back};
        if (i > 0 && more == 0) return false;
        read.delays.push_back(d);
    }
    if (!in.done()) return false;
    read.delays.shrink();
    parts.timing = std::move(read);
    return true;
}

bool hasNames(const TraceParts& parts) {
    const auto hasType = [](const auto& thing) { return thing.type != nullptr; };
    return !parts.functions.empty() || !parts.cpuNames.empty() ||
           std::any_of(parts.regions.begin(), parts.regions.end(), hasType) ||
           std::any_of(parts.objects.begin(), parts.objects.end(), hasType);
}

/// Stores each type once, and for each item of a list the number of its type, from 1; 0: none.
class TypeNumbers {
  public:
    template <class T>
    void add(const std::vector<T>& items) {
        for (const T& item : items) numberOf(item.type.get());
    }
    std::uint64_t numberOf(const ElementType* type) {
        if (type == nullptr) return 0;
        const auto [entry, isNew] = numbers_.try_emplace(type, types_.size() + 1);
        if (isNew) types_.push_back(type);
        return entry->second;
    }
    const std::vector<const ElementType*>& types() const { return types_; }

  private:
    std::map<const ElementType*, std::uint64_t> numbers_;
    std::vector<const ElementType*> types_;
};

void writeNames(FieldWriter& out, const TraceParts& parts) {
    writeList(out, parts.functions, kTextFields);
    writeList(out, parts.sites, [](auto io, const Site& site) { io(site.function); });
    TypeNumbers numbers;
    numbers.add(parts.regions);
    numbers.add(parts.objects);
    writeList(out, numbers.types(), [&](auto io, const ElementType* type) {
        io(type->name, type->size);
        writeList(out, type->fields, kStructFields);
    });
    for (const Region& region : parts.regions) out.number(numbers.numberOf(region.type.get()));
    for (const Object& object : parts.objects) out.number(numbers.numberOf(object.type.get()));
    writeList(out, parts.cpuNames, kTextFields);
    writeList(out, parts.losses, kTextFields);
}

bool readTexts(SectionReader& in, std::vector<std::string>& to) {
    return readItems(in, to, kTextFields, [](const auto&...) { return true; });
}

bool readType(SectionReader& in, ElementType& type) {
    FieldsIn{in}(type.name, type.size);
    const auto isValid = [&](const StructField& f, const std::vector<StructField>& before) {
        return f.size > 0 && f.size <= type.size && f.offset <= type.size - f.size &&
               (before.empty() || before.back().offset <= f.offset);
    };
    return readItems(in, type.fields, kStructFields, isValid) && type.size > 0;
}

/// Reads the functions, types and threads of the sites, regions, objects and CPUs, which must already be read.
bool readNames(SectionReader& in, TraceParts& parts) {
    std::vector<std::string> functions;
    if (!readTexts(in, functions)) return false;
    if (in.countOf(0) != parts.sites.size()) return false;
    std::vector<std::uint32_t> functionOf(parts.sites.size());
    for (std::uint32_t& f : functionOf) {
        f = static_cast<std::uint32_t>(in.number(functions.empty() ? 0 : functions.size() - 1));
    }
    std::vector<std::shared_ptr<const ElementType>> types{nullptr};
    const std::uint64_t count = in.countOf(sizeof(ElementType) + sizeof types.front());
    for (std::uint64_t i = 0; i < count; ++i) {
        ElementType type;
        if (!readType(in, type)) return false;
        types.push_back(std::make_shared<const ElementType>(std::move(type)));
    }
    const auto readTypes = [&](std::size_t items) {
        std::vector<std::shared_ptr<const ElementType>> read(items);
        for (auto& type : read) type = types[in.number(types.size() - 1)];
        return read;
    };
    auto ofRegions = readTypes(parts.regions.size());
    auto ofObjects = readTypes(parts.objects.size());
    std::vector<std::string> cpuNames;
    std::vector<std::string> losses;
    if (!readTexts(in, cpuNames) || !readTexts(in, losses) || !in.done()) return false;
    parts.functions = std::move(functions);
    for (std::size_t i = 0; i < functionOf.size(); ++i) parts.sites[i].function = functionOf[i];
    for (std::size_t i = 0; i < ofRegions.size(); ++i) parts.regions[i].type = std::move(ofRegions[i]);
    for (std::size_t i = 0; i < ofObjects.size(); ++i) parts.objects[i].type = std::move(ofObjects[i]);
    parts.cpuNames = std::move(cpuNames);
    parts.losses.insert(parts.losses.end(), losses.begin(), losses.end());
    return true;
}

bool hasSyncs(const TraceParts& parts) {
    return parts.syncs != nullptr;
}

void writeSyncs(FieldWriter& out, const TraceParts& parts) {
    out.text(parts.syncs ? parts.syncs->bytes() : std::string());
}

bool readSyncs(SectionReader& in, TraceParts& parts) {
    const std::string_view bytes = in.view();
    auto log = std::make_shared<SyncLog>();
    if (!in.done() || !SyncLog::read(bytes, parts.size, parts.cpus, *log)) return false;
    parts.syncs = std::move(log);
    return true;
}

bool hasOrder(const TraceParts& parts) {
    return parts.isInVirtualTime;
}

void writeOrder(FieldWriter& out, const TraceParts&) {
    out.number(1);
}

bool readOrder(SectionReader& in, TraceParts& parts) {
    constexpr std::uint64_t kVirtualTime = 1;
    if (in.number(kVirtualTime) != kVirtualTime || !in.done()) return false;
    parts.isInVirtualTime = true;
    return true;
}

bool hasCalls(const TraceParts& parts) {
    return !parts.calls.empty();
}

constexpr auto kCallFields = [](auto io, auto& call) { io(call.parent, call.site, call.count); };

/// Stores the calls, and then the call of each site.
void writeCalls(FieldWriter& out, const TraceParts& parts) {
    writeList(out, parts.calls, [&](auto io, const Call& call) {
        kCallFields(io, call);
        writeList(out, call.around, [](auto each, const SiteId& site) { each(site); });
    });
    if (hasCalls(parts)) writeList(out, parts.sites, [](auto io, const Site& site) { io(site.call); });
}

bool readCalls(SectionReader& in, TraceParts& parts) {
    const auto isSite = [&](SiteId site, const auto&...) { return site.value < parts.sites.size(); };
    std::vector<Call> calls;
    const auto fields = [&](auto io, Call& call) {
        kCallFields(io, call);
        if (!readItems(
                in, call.around, [](auto each, SiteId& site) { each(site); }, isSite))
            call.parent = ~0U;
    };
    std::vector<std::uint32_t> depths;
    const bool isRead = readItems(in, calls, fields, [&](const Call& call, const std::vector<Call>& before) {
        if (!isSite(call.site) || call.parent >= std::max<std::size_t>(before.size(), 1)) return false;
        depths.push_back(before.empty() ? 0 : depths[call.parent] + 1);
        return depths.back() <= kMaxCallDepth;
    });
    if (!isRead || calls.empty()) return isRead && in.done();
    if (in.countOf(0) != parts.sites.size()) return false;
    std::vector<std::uint32_t> callOf(parts.sites.size());
    for (std::uint32_t& call : callOf) call = static_cast<std::uint32_t>(in.number(calls.size() - 1));
    if (!in.done()) return false;
    parts.calls = std::move(calls);
    for (std::size_t s = 0; s < callOf.size(); ++s) parts.sites[s].call = callOf[s];
    return true;
}

bool hasWindows(const TraceParts& parts) {
    return parts.windows != nullptr;
}

/// Stores windows by their distances.
void writeWindows(FieldWriter& out, const TraceParts& parts) {
    const Windows none;
    const Windows& windows = parts.windows ? *parts.windows : none;
    kWindowsFields(FieldsOut{out}, windows);
    std::uint64_t last = 0;
    writeList(out, windows.begins, [&](auto io, Tick begin) { io(begin.value - std::exchange(last, begin.value)); });
}

bool readWindows(SectionReader& in, TraceParts& parts) {
    auto windows = std::make_shared<Windows>();
    kWindowsFields(FieldsIn{in}, *windows);
    const auto isValid = [&](Tick& begin, const std::vector<Tick>& before) {
        const std::uint64_t last = before.empty() ? 0 : before.back().value;
        if (begin.value > parts.size - std::min(last, parts.size)) return false;
        begin.value += last;
        return true;
    };
    const auto fields = [](auto io, Tick& begin) { io(begin); };
    if (!readList(in, windows->begins, fields, isValid)) return false;
    // Nothing that is recorded lies before the first one.
    const bool isSound = windows->length > 0 && windows->length <= windows->every &&
                         windows->between <= parts.accessesOff && !windows->begins.empty() &&
                         windows->begins.front() == Tick{0};
    if (isSound) parts.windows = std::move(windows);
    return isSound;
}

bool isExcerpt(const TraceParts& parts) {
    return parts.excerpt != nullptr;
}

void writeExcerpt(FieldWriter& out, const TraceParts& parts) {
    kExcerptFields(FieldsOut{out}, parts.excerpt ? *parts.excerpt : Excerpt{});
}

bool readExcerpt(SectionReader& in, TraceParts& parts) {
    auto excerpt = std::make_shared<Excerpt>();
    kExcerptFields(FieldsIn{in}, *excerpt);
    if (!in.done() || excerpt->whole < parts.size || excerpt->first.value > excerpt->whole - parts.size) return false;
    parts.excerpt = std::move(excerpt);
    return true;
}

// In the order in which they are written and read: names come after the items that have them.
constexpr std::array kSections{
    WhorlSection{BlockKind::about, "the name, counts and machine", writeAbout, readAbout},
    WhorlSection{BlockKind::files, "the source files", writeFiles, readFiles},
    WhorlSection{BlockKind::sites, "the source lines and instructions", writeAll<&TraceParts::sites, kSiteFields>,
                 readSites},
    WhorlSection{BlockKind::regions, "the regions", writeAll<&TraceParts::regions, kRegionFields>, readRegions, true},
    WhorlSection{BlockKind::objects, "the objects", writeAll<&TraceParts::objects, kObjectFields>, readObjects},
    WhorlSection{BlockKind::marks, "the marks", writeAll<&TraceParts::marks, kMarkFields>, readMarks},
    WhorlSection{BlockKind::modules, "the modules", writeAll<&TraceParts::modules, kModuleFields>, readModules},
    WhorlSection{BlockKind::footprint, "the list of touched memory", writeFootprint, readFootprint, true,
                 isFootprintSmall, 2, true},
    WhorlSection{BlockKind::timing, "the work and waiting between accesses", writeTiming, readTiming, false, hasTiming,
                 1},
    WhorlSection{BlockKind::names, "the names of functions, types and threads", writeNames, readNames, false, hasNames,
                 4},
    WhorlSection{BlockKind::syncs, "where threads waited for each other", writeSyncs, readSyncs, false, hasSyncs, 8},
    WhorlSection{BlockKind::order, "the order of the accesses", writeOrder, readOrder, false, hasOrder, 16},
    WhorlSection{BlockKind::calls, "the calls that led to the accesses", writeCalls, readCalls, false, hasCalls, 32},
    WhorlSection{BlockKind::windows, "where the windows of the recording begin", writeWindows, readWindows, false,
                 hasWindows, 64},
    WhorlSection{BlockKind::excerpt, "what came before the accesses", writeExcerpt, readExcerpt, false, isExcerpt, 128},
};

/// The decompressed bytes of a section; nothing if they are invalid or do not fit into memory. The budget counts them
/// twice: as bytes, and as the texts made from them.
std::optional<std::string> unpackedSection(std::string_view packed, MemoryBudget& budget) {
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size > kLargestSection) return std::nullopt;  // also true for the values that mean an error
    if (size / kMaxCompressionRatio > packed.size()) return std::nullopt;
    if (!budget.take(size, 2)) return std::nullopt;
    std::string plain(size, '\0');
    if (ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size()) != size) return std::nullopt;
    return plain;
}

}  // namespace

std::span<const WhorlSection> whorlSections() {
    return kSections;
}

const WhorlSection& sectionOf(BlockKind kind) {
    return *std::find_if(kSections.begin(), kSections.end(), [&](const WhorlSection& s) { return s.kind == kind; });
}

std::uint32_t extrasOf(const TraceParts& parts) {
    std::uint32_t extras = 0;
    for (const WhorlSection& section : kSections) {
        if (section.bit != 0 && section.isWanted(parts) != section.isUsual) extras |= section.bit;
    }
    return extras;
}

std::string packedSection(const WhorlSection& section, const TraceParts& parts) {
    FieldWriter out;
    section.write(out, parts);
    const std::string plain = out.take();
    std::string packed(ZSTD_compressBound(plain.size()), '\0');
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), kSectionCompression);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the only possible error
    packed.resize(size);
    return packed;
}

bool readSection(const WhorlSection& section, std::string_view packed, TraceParts& parts, MemoryBudget& budget) {
    const auto plain = unpackedSection(packed, budget);
    if (!plain) return false;
    SectionReader in(*plain, budget);
    const bool isRead = section.read(in, parts);
    if (!budget.exceeded()) budget.give(plain->size());
    return isRead;
}

}  // namespace whorl::sim

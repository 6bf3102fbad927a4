// Serialisation of the sections of a .whorl file. The input is not trusted: everything read is validated.
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "sim/trace/byte_fields.h"
#include "sim/trace/formats/line_reader.h"
#include "sim/trace/formats/whorl_format.h"

namespace whorl::sim {
namespace {

constexpr int kSectionCompression = 3;
/// The maximum decompressed size of a section: more than any trace needs, and affordable on any computer.
constexpr std::uint64_t kLargestSection = std::uint64_t{512} << 20;
/// An upper limit of zstd's compression ratio: a block of 128 KiB takes at least 4 bytes.
constexpr std::uint64_t kMaxCompressionRatio = std::uint64_t{1} << 16;
/// What finding objects by address takes for each of a million (see object_index.h).
constexpr std::uint64_t kObjectIndexBytes = 200;
/// More accesses than a trace can have, and more cycles of work than occur between two of them.
constexpr std::uint64_t kMaxTicks = std::uint64_t{1} << 62;
constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 40;

/// Each text is stored once: after the files follow those that share the text of another one, if there are any.
void writeFiles(FieldWriter& out, const std::vector<SourceFile>& files) {
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

/// Types, each once, and which of them the items of a list have: 0 for none, else its number from 1.
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

void writeNames(FieldWriter& out, const Trace& trace) {
    out.number(trace.functions().size());
    for (const std::string& function : trace.functions()) out.text(function);
    out.number(trace.sites().size());
    for (const Site& site : trace.sites()) out.number(site.function);
    TypeNumbers numbers;
    numbers.add(trace.regions());
    numbers.add(trace.objects());
    out.number(numbers.types().size());
    for (const ElementType* type : numbers.types()) {
        out.text(type->name);
        out.number(type->size);
        out.number(type->fields.size());
        for (const StructField& field : type->fields) {
            out.text(field.name);
            out.number(field.offset);
            out.number(field.size);
        }
    }
    for (const Region& region : trace.regions()) out.number(numbers.numberOf(region.type.get()));
    for (const Object& object : trace.objects()) out.number(numbers.numberOf(object.type.get()));
    out.number(trace.parts().cpuNames.size());
    for (const std::string& name : trace.parts().cpuNames) out.text(name);
    out.number(trace.losses().size());
    for (const std::string& loss : trace.losses()) out.text(loss);
}

void write(FieldWriter& out, BlockKind section, const Trace& trace) {
    switch (section) {
        case BlockKind::about:
            out.text(trace.name());
            for (const std::uint64_t n : {trace.size(), trace.writes(), std::uint64_t{trace.cpus()},
                                          trace.skippedLines(), trace.accessesOff()}) {
                out.number(n);
            }
            out.text(trace.machine());
            if (trace.instructions() > 0) out.number(trace.instructions());
            break;
        case BlockKind::files:
            writeFiles(out, trace.files());
            break;
        case BlockKind::sites:
            out.number(trace.sites().size());
            for (const Site& s : trace.sites()) {
                out.number(s.file);
                out.number(s.line);
                out.number(s.pc.value);
            }
            break;
        case BlockKind::regions:
            out.number(trace.regions().size());
            for (const Region& r : trace.regions()) {
                out.text(r.name);
                for (const std::uint64_t n : {r.base.value, r.size, std::uint64_t{r.elementSize}, r.rows, r.columns}) {
                    out.number(n);
                }
                out.number(static_cast<std::uint64_t>(r.origin));
            }
            break;
        case BlockKind::objects:
            out.number(trace.objects().size());
            for (const Object& o : trace.objects()) {
                out.text(o.name);
                out.text(o.className);
                for (const std::uint64_t n : {o.base.value, o.size, o.born.value, o.died.value}) out.number(n);
            }
            break;
        case BlockKind::marks:
            out.number(trace.marks().size());
            for (const Mark& m : trace.marks()) {
                out.number(m.at.value);
                out.text(m.text);
            }
            break;
        case BlockKind::modules:
            out.number(trace.modules().size());
            for (const Module& m : trace.modules()) {
                out.text(m.path);
                out.number(m.base.value);
                out.number(m.size);
            }
            break;
        case BlockKind::timing: {
            out.number(trace.timing().each);
            out.number(trace.timing().delays.size());
            std::uint64_t last = 0;
            for (const Delay& d : trace.timing().delays) {
                out.number(d.at.value - std::exchange(last, d.at.value));
                out.number(d.work);
                out.number(d.after == Delay::kNoAccess ? 0 : d.at.value - d.after.value);
            }
            break;
        }
        case BlockKind::names:
            writeNames(out, trace);
            break;
        case BlockKind::syncs:
            out.text(trace.syncs() ? trace.syncs()->bytes() : std::string());
            break;
        default: {
            out.number(trace.footprint().pages().size());
            std::uint64_t last = 0;
            for (const Footprint::Page& p : trace.footprint().pages()) {
                out.number(p.index - std::exchange(last, p.index));
                out.number(~p.bits);  // most pages are touched completely
            }
        }
    }
}

bool readAbout(FieldReader& in, TraceParts& parts) {
    TraceParts read;
    read.name = in.text();
    read.size = in.number();
    read.writes = in.number(read.size);
    read.cpus = static_cast<std::uint32_t>(in.number(kMaxCpus));
    read.skippedLines = in.number();
    read.accessesOff = in.number();
    read.machine = in.text();
    if (in.hasMore()) read.instructions = in.number();
    if (!in.done() || read.cpus == 0) return false;
    parts.name = std::move(read.name);
    parts.size = read.size;
    parts.writes = read.writes;
    parts.cpus = read.cpus;
    parts.skippedLines = read.skippedLines;
    parts.accessesOff = read.accessesOff;
    parts.machine = std::move(read.machine);
    parts.instructions = read.instructions;
    return true;
}

/// What reads a section: its plain bytes, and the memory that its content may take.
struct SectionReader : FieldReader {
    SectionReader(std::string_view bytes, MemoryBudget& most) : FieldReader(bytes), budget(most) {}

    /// The number of items of some size that follow; 0 if they do not fit.
    std::uint64_t countOf(std::uint64_t itemBytes) {
        const std::uint64_t n = count();
        return budget.take(n, itemBytes) ? n : 0;
    }

    MemoryBudget& budget;
};

/// Appends the items of a list; `take(item, previous items)` reads an item and returns whether it is valid. `more` is
/// the memory that each takes besides its own size.
template <class T, class F>
bool readItems(SectionReader& in, std::vector<T>& list, F&& take, std::uint64_t more = 0) {
    const std::uint64_t n = in.countOf(sizeof(T) + more);
    if (in.budget.exceeded()) return false;
    list.reserve(n);
    for (std::uint64_t i = 0; i < n && in.sound(); ++i) {
        T thing;
        if (!take(thing, list)) return false;
        list.push_back(std::move(thing));
    }
    return in.sound();
}

/// Reads a list that is the rest of the section.
template <class T, class F>
bool readList(SectionReader& in, std::vector<T>& to, F&& take, std::uint64_t more = 0) {
    std::vector<T> list;
    if (!readItems(in, list, take, more) || !in.done()) return false;
    to = std::move(list);
    return true;
}

bool readFiles(SectionReader& in, TraceParts& parts) {
    std::vector<SourceFile> files;
    const bool sound = readItems(in, files, [&](SourceFile& f, const auto&) {
        f.path = in.text();
        const std::uint64_t lines = in.countOf(SourceText::kBytesOfLine);
        if (in.budget.exceeded()) return false;
        for (std::uint64_t i = 0; i < lines && in.sound(); ++i) f.lines.add(in.view());
        return true;
    });
    if (!sound) return false;
    const std::uint64_t shared = files.empty() || !in.hasMore() ? 0 : in.count();
    for (std::uint64_t i = 0; i < shared && in.sound(); ++i) {
        SourceText& lines = files[in.number(files.size() - 1)].lines;
        lines = files[in.number(files.size() - 1)].lines;
    }
    if (!in.done()) return false;
    parts.files = std::move(files);
    return true;
}

bool readSites(SectionReader& in, TraceParts& parts) {
    std::vector<Site> sites;
    const bool sound = readList(in, sites, [&](Site& s, const auto& before) {
        s.file = in.number32();
        s.line = in.number32();
        s.pc = ByteAddress{in.number()};
        // If the source files are lost, the lines are unknown.
        if (s.line != 0 && s.file >= parts.files.size()) s = {.file = 0, .line = 0, .pc = s.pc};
        return !before.empty() || s == Site{};
    });
    if (!sound || sites.empty()) return false;
    parts.sites = std::move(sites);
    return true;
}

bool readRegions(SectionReader& in, TraceParts& parts) {
    return readList(in, parts.regions, [&](Region& r, const std::vector<Region>& before) {
        r.name = in.text();
        r.base = ByteAddress{in.number()};
        r.size = in.number();
        r.elementSize = in.number32();
        r.rows = in.number();
        r.columns = in.number();
        r.origin = static_cast<RegionOrigin>(in.number(1));
        if (r.size == 0 || r.elementSize == 0 || r.last() < r.base) return false;
        if (r.rows > r.size / r.elementSize / std::max<std::uint64_t>(r.columns, 1)) return false;
        return (r.rows > 0 || r.columns == 0) && (before.empty() || before.back().last() < r.base);
    });
}

bool readObjects(SectionReader& in, TraceParts& parts) {
    return readList(
        in, parts.objects,
        [&](Object& o, const auto&) {
            o.name = in.text();
            o.className = in.text();
            o.base = ByteAddress{in.number()};
            o.size = in.number();
            o.born = Tick{in.number()};
            o.died = Tick{in.number()};
            return o.born <= o.died && endsWithinMemory(o.base.value, o.size);
        },
        kObjectIndexBytes);
}

bool readMarks(SectionReader& in, TraceParts& parts) {
    return readList(in, parts.marks, [&](Mark& m, const std::vector<Mark>& before) {
        m.at = Tick{in.number()};
        m.text = in.text();
        return before.empty() || before.back().at <= m.at;
    });
}

bool readModules(SectionReader& in, TraceParts& parts) {
    return readList(in, parts.modules, [&](Module& m, const auto&) {
        m.path = in.text();
        m.base = ByteAddress{in.number()};
        m.size = in.number();
        return endsWithinMemory(m.base.value, m.size);
    });
}

bool readFootprint(SectionReader& in, TraceParts& parts) {
    constexpr std::uint64_t kMaxPages = ~std::uint64_t{0} / Footprint::kPage;
    std::vector<Footprint::Page> pages;
    const bool sound = readList(in, pages, [&](Footprint::Page& p, const std::vector<Footprint::Page>& before) {
        const std::uint64_t last = before.empty() ? 0 : before.back().index;
        p.index = last + in.number(kMaxPages - last);
        p.bits = ~in.number();
        return before.empty() || p.index > last;
    });
    if (sound) parts.footprint = Footprint(std::move(pages));
    return sound;
}

bool readTiming(SectionReader& in, TraceParts& parts) {
    constexpr std::uint64_t kBytesOfDelay = 4;  // roughly, packed again
    Timing read;
    read.each = in.number(kMaxWork);
    std::uint64_t last = 0;
    const std::uint64_t count = in.countOf(kBytesOfDelay);
    if (in.budget.exceeded()) return false;
    for (std::uint64_t i = 0; i < count && in.sound(); ++i) {
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

bool readTexts(SectionReader& in, std::vector<std::string>& to) {
    return readItems(in, to, [&](std::string& text, const auto&) {
        text = in.text();
        return true;
    });
}

bool readType(SectionReader& in, ElementType& type) {
    type.name = in.text();
    type.size = in.number32();
    const bool sound = readItems(in, type.fields, [&](StructField& f, const std::vector<StructField>& before) {
        f.name = in.text();
        f.offset = in.number32();
        f.size = in.number32();
        return f.size > 0 && f.size <= type.size && f.offset <= type.size - f.size &&
               (before.empty() || before.back().offset <= f.offset);
    });
    return sound && type.size > 0;
}

/// Reads which function, type and thread the sites, regions, objects and CPUs have, which were read before.
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

bool readSyncs(SectionReader& in, TraceParts& parts) {
    const std::string_view bytes = in.view();
    auto log = std::make_shared<SyncLog>();
    if (!in.done() || !SyncLog::read(bytes, parts.size, parts.cpus, *log)) return false;
    parts.syncs = std::move(log);
    return true;
}

/// The decompressed bytes of a section; nothing if they are invalid or do not fit into memory. They are counted twice:
/// as they are, and as the texts made of them.
std::optional<std::string> unpackedSection(std::string_view packed, MemoryBudget& budget) {
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size > kLargestSection) return std::nullopt;  // includes the values that mean an error
    if (size / kMaxCompressionRatio > packed.size()) return std::nullopt;
    if (!budget.take(size, 2)) return std::nullopt;
    std::string plain(size, '\0');
    if (ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size()) != size) return std::nullopt;
    return plain;
}

bool readPlainSection(BlockKind section, std::string_view plain, TraceParts& parts, MemoryBudget& budget) {
    SectionReader in(plain, budget);
    switch (section) {
        case BlockKind::about:
            return readAbout(in, parts);
        case BlockKind::files:
            return readFiles(in, parts);
        case BlockKind::sites:
            return readSites(in, parts);
        case BlockKind::regions:
            return readRegions(in, parts);
        case BlockKind::objects:
            return readObjects(in, parts);
        case BlockKind::marks:
            return readMarks(in, parts);
        case BlockKind::modules:
            return readModules(in, parts);
        case BlockKind::footprint:
            return readFootprint(in, parts);
        case BlockKind::timing:
            return readTiming(in, parts);
        case BlockKind::names:
            return readNames(in, parts);
        case BlockKind::syncs:
            return readSyncs(in, parts);
        default:
            return false;
    }
}

}  // namespace

std::uint32_t checksumOf(std::string_view bytes, std::uint32_t before) {
    // zlib takes a null pointer for the wish to begin anew.
    if (bytes.empty()) return before;
    return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t checksumAfter(std::uint32_t without, std::uint32_t whole, std::size_t bytes) {
    // The checksum is linear: that of two texts in a row is that of the first, carried on over the length of the
    // second, and that of the second.
    return whole ^ static_cast<std::uint32_t>(crc32_combine(without, 0, static_cast<z_off_t>(bytes)));
}

BlockHead headOf(BlockKind kind, std::string_view bytes, std::uint64_t first, std::uint32_t accesses) {
    BlockHead head;
    head.kind = kind;
    head.first = first;
    head.accesses = accesses;
    head.bytes = static_cast<std::uint32_t>(bytes.size());
    head.checksum = checksumOf(bytes);
    head.headCheck = checksumOf({reinterpret_cast<const char*>(&head), offsetof(BlockHead, headCheck)});
    return head;
}

bool readHead(std::string_view bytes, BlockHead& head) {
    if (bytes.size() < sizeof head) return false;
    BlockHead read;
    std::memcpy(&read, bytes.data(), sizeof read);
    if (read.sync != BlockHead{}.sync ||
        read.headCheck != checksumOf(bytes.substr(0, offsetof(BlockHead, headCheck)))) {
        return false;
    }
    head = read;
    return true;
}

bool hasNames(const Trace& trace) {
    const auto hasType = [](const auto& thing) { return thing.type != nullptr; };
    return !trace.functions().empty() || !trace.parts().cpuNames.empty() ||
           std::any_of(trace.regions().begin(), trace.regions().end(), hasType) ||
           std::any_of(trace.objects().begin(), trace.objects().end(), hasType);
}

std::string packedSection(BlockKind section, const Trace& trace) {
    FieldWriter out;
    write(out, section, trace);
    const std::string plain = out.take();
    std::string packed(ZSTD_compressBound(plain.size()), '\0');
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), kSectionCompression);
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the only possible error
    packed.resize(size);
    return packed;
}

bool readSection(BlockKind section, std::string_view packed, TraceParts& parts, MemoryBudget& budget) {
    const auto plain = unpackedSection(packed, budget);
    if (!plain) return false;
    const bool isRead = readPlainSection(section, *plain, parts, budget);
    if (!budget.exceeded()) budget.give(plain->size());
    return isRead;
}

std::string_view nameOf(BlockKind section) {
    static constexpr std::array<std::string_view, 12> kNames = {"the name, counts and machine",
                                                                "the source files",
                                                                "the source lines and instructions",
                                                                "the regions",
                                                                "the objects",
                                                                "the marks",
                                                                "the modules",
                                                                "the list of touched memory",
                                                                "the work and waiting between accesses",
                                                                "a dictionary",
                                                                "the names of functions, types and threads",
                                                                "where threads waited for each other"};
    return kNames[static_cast<std::size_t>(section) - static_cast<std::size_t>(kFirstSection)];
}

}  // namespace whorl::sim

// Anything in the memory that a recorded program writes to, in both ways of recording, at two times: while the program
// runs, and when it has ended. The first byte chooses the way (bit 0), whether the head of the memory is as it should
// be (bit 1), and how many of the bytes that follow come at the first time (the other bits); each time they are laid
// over the slots, or over all of it.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/check_trace.h"
#include "fuzz/memory_file.h"
#include "sim/capture/merged_records.h"
#include "sim/capture/program_names.h"
#include "sim/capture/record_reader.h"
#include "sim/capture/ring_memory.h"
#include "sim/trace/formats/whorl_writer.h"
#include "sim/trace/reader.h"

namespace {

using namespace whorl;

constexpr std::uint32_t kSlots = 4;
constexpr std::uint32_t kSlotBytes = WHORL_SLOT_HEAD + 40 * sizeof(whorl_record);
constexpr std::size_t kBytes = WHORL_RING_HEAD + std::size_t{kSlots} * kSlotBytes;

/// The program's end of the memory.
class ProgramsEnd {
  public:
    explicit ProgramsEnd(const sim::RingMemory& ring) {
        const int fd = open(ring.path().c_str(), O_RDWR | O_CLOEXEC);
        check(fd >= 0 && ftruncate(fd, 0) != 0);
        memory_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        check(memory_ != MAP_FAILED);
        close(fd);
    }
    ~ProgramsEnd() { munmap(memory_, kBytes); }
    ProgramsEnd(const ProgramsEnd&) = delete;
    ProgramsEnd& operator=(const ProgramsEnd&) = delete;

    void write(std::string_view bytes, bool toHead) {
        const std::size_t from = toHead ? 0 : WHORL_RING_HEAD;
        std::copy_n(bytes.begin(), std::min(bytes.size(), kBytes - from), static_cast<char*>(memory_) + from);
    }
    /// All slots are in use, where each thread has its own.
    void useAll() { static_cast<whorl_ring_head*>(memory_)->used = kSlots; }

  private:
    void* memory_;
};

void takeInTurn(sim::RingMemory& ring, sim::RecordReader& reader, bool hasEnded) {
    for (std::uint32_t i = 0; i < kSlots && !ring.isDamaged(); ++i) {
        auto records = ring.full();
        if (!records && hasEnded) records = ring.left();
        if (!records) return;
        if (!reader.take(*records)) ring.damage();
        ring.release(reader.taken());
    }
}

void takeMerged(sim::RingMemory& ring, sim::MergedRecords& merged, sim::RecordReader& reader, bool hasEnded) {
    merged.take(hasEnded, [&](std::uint32_t thread, std::span<const whorl_record> records) {
        check(!records.empty());
        reader.ofThread(thread);
        if (!reader.take(records)) ring.damage();
    });
    ring.checkHead();
}

/// What is in the file is read again as it is.
void checkFile(const sim::Trace& trace) {
    sim::Progress progress;
    static MemoryFile file;
    file.put({});
    auto sink = sim::sinkFor(open(file.path().c_str(), O_WRONLY | O_CLOEXEC), "fuzz");
    check(sim::writeWhorl(trace, *sink, progress).has_value() && sink->close().has_value());
    const auto again = sim::readTrace(file.path(), {.format = sim::TraceFormat::whorl}, progress);
    check(again.has_value() && again->size() == trace.size() && again->losses() == trace.losses());
    checkTrace(*again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const bool isMerged = (data[0] & 1u) != 0;
    const bool toHead = (data[0] & 2u) != 0;
    auto ring = sim::RingMemory::create(kSlots, kSlotBytes);
    check(ring.has_value());
    ProgramsEnd program(*ring);
    if (isMerged) program.useAll();
    sim::TraceBuilder builder("fuzz");
    sim::RecordReader reader(builder, ~std::uint64_t{0}, {}, {});
    sim::MergedRecords merged(*ring);
    const std::size_t first = bytes.size() * (data[0] >> 2) / 63;
    for (const std::string_view part : {bytes.substr(0, first), bytes.substr(first)}) {
        const bool hasEnded = part.data() != bytes.data() || first == 0;
        program.write(part, toHead);
        if (isMerged) {
            takeMerged(*ring, merged, reader, hasEnded);
        } else {
            takeInTurn(*ring, reader, hasEnded);
        }
    }
    builder.flush();
    reader.finish();
    if (builder.size() == 0) return 0;
    sim::ProgramNames names(reader.log());
    sim::nameSites(builder, names, false);
    sim::nameMemory(builder, names, reader.log(), {});
    const sim::Trace trace = builder.finish();
    checkTrace(trace);
    checkFile(trace);
    return 0;
}

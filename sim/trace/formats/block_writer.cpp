#include "sim/trace/formats/block_writer.h"

#include "sim/trace/formats/whorl_sections.h"
#include "sim/trace/pack_codec.h"

namespace whorl::sim {
namespace {

template <class T>
std::string_view bytesOf(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

Expected<void> BlockWriter::append(std::string_view bytes) {
    offset_ += bytes.size();
    return append_(bytes);
}

Expected<void> BlockWriter::begin(std::uint32_t extras) {
    FileHead head;
    head.extras = extras_ = extras;
    kWhorlMagic.copy(head.magic.data(), head.magic.size());
    return append(bytesOf(head));
}

Expected<void> BlockWriter::block(const BlockHead& head, std::string_view bytes) {
    index_.push_back({.offset = offset_, .first = head.first, .kind = head.kind, .accesses = head.accesses});
    return append(bytesOf(head)).and_then([&] { return append(bytes); });
}

Expected<void> BlockWriter::pack(std::string_view pack) {
    const std::uint32_t accesses = packHead(pack).accesses;
    const BlockHead head = headOf(BlockKind::pack, pack, accesses_, accesses);
    accesses_ += accesses;
    return block(head, pack);
}

Expected<void> BlockWriter::sections(const Trace& trace) {
    for (const WhorlSection& section : whorlSections()) {
        if (!section.isIn(extras_)) continue;
        const std::string bytes = packedSection(section, trace.parts());
        if (auto done = block(headOf(section.kind, bytes), bytes); !done) return done;
    }
    return {};
}

Expected<void> BlockWriter::end() {
    Trailer trailer;
    trailer.index = offset_;
    kTrailerMagic.copy(trailer.magic.data(), trailer.magic.size());
    const std::string_view index(reinterpret_cast<const char*>(index_.data()), index_.size() * sizeof(BlockEntry));
    return append(bytesOf(headOf(BlockKind::index, index))).and_then([&] { return append(index); }).and_then([&] {
        return append(bytesOf(trailer));
    });
}

void BlockWriter::forgetFrom(std::uint64_t offset) {
    while (!index_.empty() && index_.back().offset >= offset) index_.pop_back();
    offset_ = offset;
}

}  // namespace whorl::sim

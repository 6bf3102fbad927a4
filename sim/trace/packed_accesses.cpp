#include "sim/trace/packed_accesses.h"

#include <algorithm>
#include <utility>

namespace whorl::sim {

void PackedAccesses::add(std::string pack) {
    bytes_ += pack.size();
    place(owned_.emplace_back(std::move(pack)));
}

void PackedAccesses::add(std::string_view kept, std::shared_ptr<const PackStore> store) {
    store_ = std::move(store);
    place(kept);
}

void PackedAccesses::place(std::string_view pack) {
    const std::size_t chunks = (packHead(pack).accesses + kMaxChunk - 1) / kMaxChunk;
    for (std::uint32_t before = 0; before < chunks; ++before) {
        places_.push_back({.pack = static_cast<std::uint32_t>(packs_.size()), .before = before});
    }
    packs_.push_back(pack);
}

void PackedAccesses::addDictionary(std::string dictionary) {
    bytes_ += dictionary.size();
    dictionaries_.push_back(std::move(dictionary));
}

std::string_view PackedAccesses::dictionary(std::uint32_t number) const {
    return number == 0 || number > dictionaries_.size() ? std::string_view() : dictionaries_[number - 1];
}

std::span<PackedAccess> ChunkReader::chunk(const PackedAccesses& from, std::size_t index, std::uint64_t sites,
                                           std::uint32_t cpus) {
    const auto [pack, before] = from.placeOf(index);
    if (open_ != pack || next_ > before) {
        open_ = kNone;
        const std::string_view bytes = from.packs()[pack];
        const AddressDictionary* const known = dictionary(from, packHead(bytes).dictionary);
        if (!decoder_.open(bytes, sites, cpus, known)) return {};
        open_ = pack;
        next_ = 0;
    }
    while (next_ < before) {
        decoder_.next();
        ++next_;
    }
    ++next_;
    return decoder_.next();
}

std::span<const std::uint64_t> ChunkReader::stamps(const PackedAccesses& from, std::size_t index) {
    const auto [pack, before] = from.placeOf(index);
    if (stamped_ != pack) {
        stamps_ = decoder_.decodeStamps(from.packs()[pack]);
        stamped_ = pack;
    }
    const std::size_t first = std::min(before * kMaxChunk, stamps_.size());
    return stamps_.subspan(first, std::min(kMaxChunk, stamps_.size() - first));
}

void ChunkReader::forget() {
    open_ = stamped_ = kNone;
    number_ = 0;
    dictionary_.reset();
}

/// Keeps the last dictionary unpacked.
const AddressDictionary* ChunkReader::dictionary(const PackedAccesses& from, std::uint32_t number) {
    if (number == 0) return nullptr;
    if (number != number_) {
        number_ = 0;
        dictionary_ = AddressDictionary::unpacked(from.dictionary(number));
        number_ = number;
    }
    return dictionary_ ? &*dictionary_ : nullptr;
}

}  // namespace whorl::sim

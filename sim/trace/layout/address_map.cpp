#include "sim/trace/layout/address_map.h"

namespace whorl::sim {
namespace {

std::uint64_t moved(const AddressMap::Piece& piece, std::uint64_t address) {
    const std::uint64_t offset = address - piece.from;
    if (piece.element == 0) return piece.to + offset;
    if (piece.order != nullptr) return piece.to + piece.order->of(offset);
    return piece.to + offset / piece.element * piece.stride + offset % piece.element;
}

/// Consecutive accesses are often in the same piece, so the last one is tried first.
void apply(const AddressMap::Step& step, std::span<PackedAccess> accesses) {
    const AddressMap::Piece* piece = step.data();
    const AddressMap::Piece* const last = piece + step.size() - 1;
    const auto lengthOf = [&](const AddressMap::Piece* p) {
        return (p == last ? ~std::uint64_t{0} : (p + 1)->from) - p->from;
    };
    std::uint64_t length = lengthOf(piece);
    for (PackedAccess& a : accesses) {
        const std::uint64_t address = a.address().value;
        if (address - piece->from >= length) {
            piece = &pieceAt(step, address);
            length = lengthOf(piece);
        }
        a = PackedAccess(ByteAddress{moved(*piece, address)}, a.site(), a.rest());
    }
}

}  // namespace

/// Binary search without unpredictable branches: the next address cannot be predicted.
const AddressMap::Piece& pieceAt(const AddressMap::Step& step, std::uint64_t address) {
    const AddressMap::Piece* piece = step.data();
    for (std::size_t left = step.size(); left > 1;) {
        const std::size_t half = left / 2;
        piece = piece[half].from <= address ? piece + half : piece;
        left -= half;
    }
    return *piece;
}

std::uint64_t moved(const AddressMap::Step& step, std::uint64_t address) {
    return moved(pieceAt(step, address), address);
}

ByteAddress AddressMap::of(ByteAddress address) const {
    for (const Step& step : steps_) address = ByteAddress{moved(step, address.value)};
    return address;
}

void AddressMap::apply(std::span<PackedAccess> accesses) const {
    for (const Step& step : steps_) sim::apply(step, accesses);
}

}  // namespace whorl::sim

#include "sim/trace/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace whorl::sim {

namespace {

/// ".next" for a byte of an element; empty if there are no fields, or between them.
std::string fieldSuffix(const ElementType* type, std::uint64_t offset) {
    const StructField* const field = type == nullptr ? nullptr : type->fieldAt(offset);
    return field == nullptr ? std::string() : "." + field->name;
}

/// The name of a byte in an object that is one element.
std::string placeInOne(const std::string& name, const ElementType& type, std::uint64_t offset) {
    if (type.fields.empty() && offset > 0) return fmt::format("{}+{:#x}", name, offset);
    return name + fieldSuffix(&type, offset);
}

}  // namespace

const StructField* ElementType::fieldAt(std::uint64_t offset) const {
    const auto above = std::upper_bound(fields.begin(), fields.end(), offset,
                                        [](std::uint64_t at, const StructField& f) { return at < f.offset; });
    if (above == fields.begin()) return nullptr;
    const StructField& field = *std::prev(above);
    return offset - field.offset < field.size ? &field : nullptr;
}

std::string Region::placeOf(ByteAddress a) const {
    const std::uint64_t offset = a.value - base.value;
    if (rows == 0) {
        return type != nullptr && type->size == size ? placeInOne(name, *type, offset)
                                                     : fmt::format("{}+{:#x}", name, offset);
    }
    const std::uint64_t element = offset / elementSize;
    const std::string field = fieldSuffix(type.get(), offset % elementSize);
    if (columns == 0) return fmt::format("{}[{}]{}", name, element, field);
    return fmt::format("{}[{}][{}]{}", name, element / columns, element % columns, field);
}

std::string Object::placeOf(ByteAddress a) const {
    const std::uint64_t offset = a.value - base.value;
    const std::string& known = name.empty() ? className : name;
    if (type != nullptr && type->size == size) return placeInOne(known, *type, offset);
    if (type != nullptr && size >= 2 * std::uint64_t{type->size}) {
        return fmt::format("{}[{}]{}", known, offset / type->size, fieldSuffix(type.get(), offset % type->size));
    }
    return offset == 0 ? known : fmt::format("{}+{:#x}", known, offset);
}

}  // namespace whorl::sim

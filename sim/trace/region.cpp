#include "sim/trace/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

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

namespace {

/// Calls f(node) for the nodes that together cover the leaves [from, to) of a tree with that many leaves.
template <class F>
void forEachNode(std::size_t leaves, std::size_t from, std::size_t to, F&& f) {
    for (from += leaves, to += leaves; from < to; from /= 2, to /= 2) {
        if (from % 2 == 1) f(from++);
        if (to % 2 == 1) f(--to);
    }
}

}  // namespace

ObjectIndex::ObjectIndex(const std::vector<Object>& objects) {
    for (const Object& o : objects) {
        cuts_.push_back(o.base.value);
        cuts_.push_back(o.base.value + o.size);
    }
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());

    std::vector<std::uint32_t> byBirth(objects.size());
    std::iota(byBirth.begin(), byBirth.end(), 0u);
    std::stable_sort(byBirth.begin(), byBirth.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(objects[a].born, objects[a].died) < std::pair(objects[b].born, objects[b].died);
    });
    const auto forEachNodeOf = [&](const Object& o, auto&& f) {
        forEachNode(cuts_.size(), leafAt(o.base.value), leafAt(o.base.value + o.size), f);
    };
    first_.assign(2 * cuts_.size() + 1, 0);
    for (const Object& o : objects) {
        forEachNodeOf(o, [&](std::size_t node) { ++first_[node + 1]; });
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    members_.resize(first_.back());
    auto next = first_;
    for (const std::uint32_t i : byBirth) {
        forEachNodeOf(objects[i], [&](std::size_t node) { members_[next[node]++] = i; });
    }
}

ObjectIndex::Stretch ObjectIndex::around(const std::vector<Object>& objects, ByteAddress a, Tick t) const {
    const auto above = std::upper_bound(cuts_.begin(), cuts_.end(), a.value);
    const std::uint64_t end = above == cuts_.end() ? ~std::uint64_t{0} : *above;
    Stretch none{.size = end, .to = Tick{~std::uint64_t{0}}};
    if (above == cuts_.begin()) return none;
    none.base = *(above - 1);
    none.size = end - none.base;
    const auto leaf = static_cast<std::size_t>(above - cuts_.begin()) - 1;
    for (std::size_t node = leaf + cuts_.size(); node > 0; node /= 2) {
        // All of these hold the address, so their lifetimes do not overlap: only the last one born by then can be
        // alive.
        const auto from = members_.begin() + first_[node];
        const auto to = members_.begin() + first_[node + 1];
        const auto younger =
            std::upper_bound(from, to, t, [&](Tick time, std::uint32_t i) { return time < objects[i].born; });
        if (younger != to) none.to = std::min(none.to, objects[*younger].born);
        if (younger == from) continue;
        const Object& o = objects[*(younger - 1)];
        if (o.contains(a, t)) {
            return {.object = &o, .base = o.base.value, .size = o.size, .from = o.born, .to = o.died};
        }
        none.from = std::max(none.from, o.died);
    }
    return none;
}

std::size_t ObjectIndex::leafAt(std::uint64_t cut) const {
    return static_cast<std::size_t>(std::lower_bound(cuts_.begin(), cuts_.end(), cut) - cuts_.begin());
}

namespace {

bool reaches(const Object& object, ByteAddress address) {
    return address.value - object.base.value < object.size;
}

}  // namespace

void endBeforeNext(std::vector<Object>& objects) {
    // Objects have names: move each of them once.
    std::vector<Object*> order;
    order.reserve(objects.size());
    for (Object& o : objects) order.push_back(&o);
    std::stable_sort(order.begin(), order.end(), [](const Object* a, const Object* b) { return a->born < b->born; });
    std::map<std::uint64_t, Object*> alive;  // by base
    for (Object* const next : order) {
        Object& o = *next;
        if (o.born == o.died) continue;
        auto other = alive.upper_bound(o.base.value);
        if (other != alive.begin() && reaches(*std::prev(other)->second, o.base)) --other;
        while (other != alive.end() && (other->first < o.base.value || reaches(o, ByteAddress{other->first}))) {
            Object& before = *other->second;
            before.died = std::min(before.died, o.born);
            other = alive.erase(other);
        }
        alive.insert_or_assign(o.base.value, &o);
    }
    std::stable_sort(order.begin(), order.end(), [](const Object* a, const Object* b) {
        return std::pair(a->base, a->born) < std::pair(b->base, b->born);
    });
    std::vector<Object> sorted;
    sorted.reserve(objects.size());
    for (Object* const o : order) sorted.push_back(std::move(*o));
    objects = std::move(sorted);
}

}  // namespace whorl::sim

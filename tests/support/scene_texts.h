// What the labels of a scene say.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace whorl::scene {

/// Whether a label has these words in it.
template <class AnyScene>
bool says(const AnyScene& scene, std::string_view words) {
    return std::any_of(scene.labels.begin(), scene.labels.end(),
                       [&](const auto& label) { return label.text.find(words) != std::string::npos; });
}

/// Whether a label is these words.
template <class AnyScene>
bool hasLabel(const AnyScene& scene, std::string_view words) {
    return std::any_of(scene.labels.begin(), scene.labels.end(),
                       [&](const auto& label) { return label.text == words; });
}

/// All labels, each on a line of its own.
template <class AnyScene>
std::string textsOf(const AnyScene& scene) {
    std::string texts;
    for (const auto& label : scene.labels) texts += label.text + "\n";
    return texts;
}

}  // namespace whorl::scene

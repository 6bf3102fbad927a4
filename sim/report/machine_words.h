// Values of a machine in words, as in a lecture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// The words for a key and a value of `withValue`: "write-through in L1", "2 ways in L2", "4 CPUs"; "key=value" where
/// there are no words for it.
std::string valueInWords(std::string_view key, std::string_view value);

/// What a text calls a machine: "machine paper", as "on paper" alone would be read otherwise; "256/8/32" for a name
/// that consists of levels.
std::string machineCalled(const std::string& name);
/// The name of a machine with the values that were set besides: "machine paper, L1.ways=2".
std::string machineCalled(const std::string& name, const std::vector<std::string>& settings);

}  // namespace whorl::sim

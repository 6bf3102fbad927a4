// Values of a machine in words, as a lecture has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// Of a key and a value as `withValue` has them: "write-through in L1", "2 ways in L2", "4 CPUs"; "key=value" where
/// there are no words for it.
std::string valueInWords(std::string_view key, std::string_view value);

/// "machine paper", as "on paper" alone would be read otherwise; of levels that stand for a name "256/8/32".
std::string machineCalled(const std::string& name);
/// The same with the values that were set besides: "machine paper, L1.ways=2".
std::string machineCalled(const std::string& name, const std::vector<std::string>& settings);

}  // namespace whorl::sim

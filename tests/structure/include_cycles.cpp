#include <algorithm>
#include <cstddef>
#include <map>
#include <regex>
#include <set>

#include "structure/budgets.h"

namespace whorl::structure {
namespace {

using Graph = std::map<std::string, std::set<std::string>>;

std::string unitOf(const std::string& file) {
    return file.substr(0, file.rfind('.'));
}

Graph includesOf(const std::vector<File>& files) {
    static const std::regex kInclude(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*"([^"\n]+)")re");
    Graph graph;
    for (const File& file : files) {
        if (file.isOfTheProgram() && file.isCode()) graph[unitOf(file.name)];
    }
    for (const File& file : files) {
        if (!file.isOfTheProgram() || !file.isCode()) continue;
        const std::string unit = unitOf(file.name);
        for (std::sregex_iterator at(file.text.begin(), file.text.end(), kInclude), end; at != end; ++at) {
            const std::string other = unitOf((*at)[1]);
            if (other != unit && graph.count(other) > 0) graph[unit].insert(other);
        }
    }
    return graph;
}

// Tarjan, "Depth-first search and linear graph algorithms" (1972): the strongly connected components.
class Components {
  public:
    explicit Components(const Graph& graph) : graph_(graph) {
        for (const auto& [unit, others] : graph) {
            if (number_.count(unit) == 0) visit(unit);
        }
        std::sort(found.begin(), found.end());
    }

    std::vector<std::vector<std::string>> found;

  private:
    std::size_t visit(const std::string& unit) {
        const std::size_t own = number_.size();
        number_[unit] = own;
        stack_.push_back(unit);
        std::size_t low = own;
        for (const std::string& other : graph_.at(unit)) {
            if (number_.count(other) == 0) {
                low = std::min(low, visit(other));
            } else if (done_.count(other) == 0) {
                low = std::min(low, number_[other]);
            }
        }
        if (low == own) finish(unit);
        return low;
    }

    void finish(const std::string& first) {
        std::vector<std::string> component;
        do {
            component.push_back(stack_.back());
            done_.insert(stack_.back());
            stack_.pop_back();
        } while (component.back() != first);
        std::sort(component.begin(), component.end());
        if (component.size() > 1) found.push_back(component);
    }

    const Graph& graph_;
    std::map<std::string, std::size_t> number_;
    std::set<std::string> done_;
    std::vector<std::string> stack_;
};

}  // namespace

std::vector<std::vector<std::string>> includeCycles(const std::vector<File>& files) {
    return Components(includesOf(files)).found;
}

}  // namespace whorl::structure

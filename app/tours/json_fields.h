// Reads the values of JSON objects and collects what is wrong with them, each fault with its JSON path.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace whorl::app {

/// A value as quoted in an error message.
std::string shownValue(const nlohmann::json& value);

class JsonFields {
  public:
    /// `faults`: those found so far.
    JsonFields(std::string file, std::vector<sim::Error> faults) : file_(std::move(file)), faults_(std::move(faults)) {}

    void fault(const std::string& path, std::string what, std::string hint);
    const std::vector<sim::Error>& faults() const { return faults_; }

    /// Reports keys that are not in the list.
    void checkKeys(const nlohmann::json& object, const std::string& path, const std::vector<std::string>& known);
    /// Whether an object is one; else that is a fault. `what`: "a scene"; `such`: what one looks like.
    bool isObject(const nlohmann::json& value, const std::string& path, const std::string& what,
                  const std::string& such);

    /// Each reads the member `key` of the object at `path`. False if there is none, or a wrong one, which is a fault.
    bool text(const nlohmann::json& object, const std::string& path, const char* key, std::string& into,
              const std::string& ifEmpty = "write something, or leave it out");
    bool flag(const nlohmann::json& object, const std::string& path, const char* key, std::optional<bool>& into);
    /// A number within limits. `what`: "a number of accesses"; `hint`: what to give.
    struct Number {
        double least = 0;
        double most = 0;
        std::string what;
        std::string hint;
    };
    bool number(const nlohmann::json& object, const std::string& path, const char* key, const Number& kind,
                double& into);
    static Number seconds(double least, double most);

  private:
    std::string file_;
    std::vector<sim::Error> faults_;
};

}  // namespace whorl::app

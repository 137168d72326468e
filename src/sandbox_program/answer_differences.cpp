#include "src/sandbox_program/answer_differences.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace keelson::sandbox_program {

namespace {

constexpr std::size_t kMostLines = 100;
constexpr std::size_t kShownBytes = 200;

// Fields that a server sets to a value of its own, unless they were sent.
constexpr auto kOfServer = std::to_array<std::string_view>({
    "clusterIP",
    "clusterIPs",
    "creationTimestamp",
    "healthCheckNodePort",
    "lastTransitionTime",
    "nodePort",
    "resourceVersion",
    "time",
    "uid",
});

bool is_of_server(const std::string& path, std::string_view name, json::View sent) {
  if (sent.has_value()) return false;
  const bool is_generated_name = path == "metadata" && name == "name";
  return is_generated_name || std::ranges::find(kOfServer, name) != kOfServer.end();
}

std::string shown(json::View value) {
  if (value.is_absent()) return "absent";
  auto text = value.text();
  if (text.size() > kShownBytes) text = text.substr(0, kShownBytes) + "…";
  return text;
}

class Walk {
 public:
  void compare(const std::string& path, json::View sent, json::View there, json::View here) {
    if (json::equal(there, here)) return;
    if (there.is_object() && here.is_object()) {
      compare_members(path, sent, there, here);
    } else if (there.is_array() && here.is_array() && there.size() == here.size()) {
      for (std::size_t index = 0; index < there.size(); ++index) {
        compare(path + "[" + std::to_string(index) + "]", sent.item(index), there.item(index), here.item(index));
      }
    } else {
      add(path + ": " + shown(there) + " there, " + shown(here) + " here");
    }
  }

  std::vector<std::string> take() {
    if (left_out_ > 0) lines_.push_back("and " + std::to_string(left_out_) + " more differences");
    return std::move(lines_);
  }

 private:
  void compare_members(const std::string& path, json::View sent, json::View there, json::View here) {
    std::set<std::string_view> names;
    for (const auto& [name, value] : there.members()) names.insert(name);
    for (const auto& [name, value] : here.members()) names.insert(name);
    for (const auto name : names) {
      const auto sent_member = sent.find(name);
      if (is_of_server(path, name, sent_member)) continue;
      auto below = path;
      if (!below.empty()) below += ".";
      below += name;
      compare(below, sent_member, there.find(name), here.find(name));
    }
  }

  void add(std::string line) { lines_.size() < kMostLines ? lines_.push_back(std::move(line)) : void(++left_out_); }

  std::vector<std::string> lines_;
  std::size_t left_out_ = 0;
};

bool is_rejection(const Answer& answer) { return answer.code >= 300; }

std::string shown(const Answer& answer) {
  const auto code = std::to_string(answer.code);
  return is_rejection(answer) ? code + " " + answer.message : code;
}

}  // namespace

std::vector<std::string> differences(json::View sent, const Answer& there, const Answer& here) {
  if (there.code != here.code || is_rejection(there)) {
    if (there.code == here.code && there.reason == here.reason && there.message == here.message) return {};
    if (there.code == here.code && there.message == here.message) {
      return {"reason: " + there.reason + " there, " + here.reason + " here"};
    }
    return {"there: " + shown(there), "here:  " + shown(here)};
  }
  const auto left = json::Document::parse(there.object);
  const auto right = json::Document::parse(here.object);
  if (!left || !right) return {"the answer is not JSON " + std::string(left ? "here" : "there")};
  Walk walk;
  walk.compare("", sent, left->root(), right->root());
  return walk.take();
}

}  // namespace keelson::sandbox_program

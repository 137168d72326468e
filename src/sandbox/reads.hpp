// get and list.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "src/sandbox/call.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

class Reads {
 public:
  explicit Reads(World& world) : world_(world) {}

  [[nodiscard]] Outcome get(const Call& call) const;
  [[nodiscard]] Outcome list(const Call& call);
  // Continue tokens of before are too old from now on.
  void forget_pages() { pages_.clear(); }

 private:
  // The rest of a list that was cut by its limit: the state of the moment it began.
  struct Page {
    std::string token;
    const ServedKind* kind = nullptr;
    std::string ns;
    std::uint64_t version = 0;
    std::vector<kube::Object> rest;
  };
  [[nodiscard]] Outcome page(const Call& call, Page all);
  // By a webhook into the version of the call; false while it has to be asked.
  [[nodiscard]] bool convert(const Call& call, std::vector<kube::Object>& objects) const;

  World& world_;
  std::deque<Page> pages_;
};

// autoscaling/v1 Scale of an object.
[[nodiscard]] Tree scale_of(const ServedKind& kind, const Tree& object);

void put_at(Tree& object, const std::string& json_path, const Tree& value);

// ".spec.size" as member names.
[[nodiscard]] std::vector<std::string> path_of(const std::string& json_path);

}  // namespace keelson::sandbox

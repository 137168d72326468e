// Samples of lists: the first objects of each kind, and how many more there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/doctor/reader.hpp"

namespace keelson::limits {

// Namespaces of --watch-namespaces in which each permission is reviewed and objects are listed: a request for each.
inline constexpr std::size_t kReviewedNamespaces = 5;

}  // namespace keelson::limits

namespace keelson::doctor {

// Parameters of a list: the first objects, which are enough to find a problem.
[[nodiscard]] Query sample();

// A sample of each resource in each namespace, or in the first ones. Without namespaces the lists are of the whole
// cluster.
[[nodiscard]] Requests sampled_lists(const std::vector<kube::Resource>& resources, kube::Content content,
                                     std::vector<std::string> namespaces);

// What the samples of an area have, and what they lack.
class SampleCount {
 public:
  // `namespaces` are those that the manager watches; 0: all.
  explicit SampleCount(std::size_t namespaces) : namespaces_(namespaces) {}

  void add(json::View list);
  [[nodiscard]] bool has_all_namespaces() const;
  // There are, or may be, objects that were not examined.
  [[nodiscard]] bool is_partial() const { return others_ > 0 || !has_all_namespaces(); }
  // "100 objects were examined, 40 more were not", "12 objects were examined, in 5 of 7 namespaces".
  [[nodiscard]] std::string text() const;

 private:
  std::size_t namespaces_;
  std::uint64_t examined_ = 0;
  std::uint64_t others_ = 0;
  bool is_exact_ = true;  // false: there are more than others_
};

// Whether a list has all its objects.
[[nodiscard]] bool is_whole(json::View list);

}  // namespace keelson::doctor

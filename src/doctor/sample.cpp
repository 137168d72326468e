#include "src/doctor/sample.hpp"

#include <algorithm>

#include "keelson/detail/base/counted.hpp"

namespace keelson::doctor {

namespace {

// Objects of a list that are examined: a sample of each kind.
constexpr std::int64_t kSampledObjects = 100;

}  // namespace

Query sample() { return {{"limit", std::to_string(kSampledObjects)}}; }

Requests sampled_lists(const std::vector<kube::Resource>& resources, kube::Content content,
                       std::vector<std::string> namespaces) {
  if (namespaces.empty()) namespaces.emplace_back();
  namespaces.resize(std::min(namespaces.size(), limits::kReviewedNamespaces));
  Requests lists;
  for (const auto& resource : resources) {
    for (const auto& ns : namespaces) {
      lists.emplace_back(list_of(resource, ns, sample()));
      lists.back().request.content = content;
    }
  }
  return lists;
}

bool is_whole(json::View list) { return text_at(list, {"metadata", "continue"}).empty(); }

void SampleCount::add(json::View list) {
  examined_ += list.find("items").size();
  if (is_whole(list)) return;
  const auto remaining = list.at({"metadata", "remainingItemCount"}).integer();
  others_ += static_cast<std::uint64_t>(std::max<std::int64_t>(remaining.value_or(1), 1));
  is_exact_ = is_exact_ && remaining.has_value();
}

bool SampleCount::has_all_namespaces() const { return namespaces_ <= limits::kReviewedNamespaces; }

std::string SampleCount::text() const {
  auto text = base::counted(examined_, "object") + base::singular_or_plural(examined_, " was", " were") + " examined";
  if (others_ > 0) {
    text += std::string(is_exact_ ? ", " : ", at least ") + std::to_string(others_) + " more" +
            base::singular_or_plural(others_, " was", " were") + " not";
  }
  if (!has_all_namespaces()) {
    text +=
        ", in " + std::to_string(limits::kReviewedNamespaces) + " of " + std::to_string(namespaces_) + " namespaces";
  }
  return text;
}

}  // namespace keelson::doctor

// A copy of the live objects of a cluster, as the journal of the API server in which a plan runs.
//
// Writes of the plan are not stored.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/sandbox/journal.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::plan {

struct CopyOptions {
  std::vector<controller::Definition> controllers;
  std::vector<std::string> namespaces;  // empty: all
};

class LiveCopy final : public sandbox::Journal {
 public:
  // Lists every kind that the controllers read or write, the kinds that the cluster's own controllers need to roll out
  // workloads or Pods among them, and Namespaces. A kind that the server does not serve has no objects. An error names
  // the kind that could not be listed and the missing permission.
  [[nodiscard]] static Task<std::unique_ptr<LiveCopy>> make(kube::Client& live, CopyOptions options);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  // Remarks on the copy for the reader of the plan, a line each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  Result<void> put(const Row&) override { return {}; }
  Result<void> erase(const kube::Resource&, const kube::Key&, std::uint64_t) override { return {}; }
  Result<std::uint64_t> load(const Visit& visit) override;

 private:
  friend class Copier;
  struct StoredRow {
    kube::Resource resource;
    kube::Key key;
    std::uint64_t version = 0;
    std::string json;
  };
  std::vector<StoredRow> rows_;  // CustomResourceDefinitions first
  std::vector<std::string> notes_;
};

}  // namespace keelson::plan

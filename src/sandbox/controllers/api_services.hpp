// The APIServices that kube-apiserver creates itself: one for each built-in group and version at the start, and one for
// each version that a CustomResourceDefinition serves. It restores the latter after a deletion or a change, and removes
// them with the version.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "src/sandbox/controllers/operations.hpp"
#include "src/sandbox/controllers/pass_timer.hpp"

namespace keelson::sandbox {

[[nodiscard]] const kube::Resource& api_services();

class ApiServices {
 public:
  // Does nothing without the objects of a whole cluster.
  ApiServices(World& world, Committer& committer, Deletes& deletes, bool has_cluster_objects);
  ApiServices(const ApiServices&) = delete;
  ApiServices& operator=(const ApiServices&) = delete;

  // Creates those of the built-in groups that do not exist.
  void begin();
  // Schedules the writes that follow from the change.
  void hear(const Change& change);

 private:
  using Names = std::set<std::string>;
  void reconcile_all();
  // Reads the versions that the definition serves now.
  void update_versions(const std::string& definition);
  // False if the write was rejected, by an admission policy for example.
  bool reconcile(const std::string& api_service);

  Operations operations_;
  bool has_cluster_objects_;
  std::map<std::string, Names> served_by_;  // the APIServices of each definition
  std::map<std::string, Names> serving_;    // the definitions of each APIService
  Names changed_definitions_;
  Names changed_services_;
  PassTimer passes_;
};

}  // namespace keelson::sandbox

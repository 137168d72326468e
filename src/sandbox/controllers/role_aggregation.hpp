// Aggregated ClusterRoles: a role with an aggregationRule has the rules of the ClusterRoles that it selects.
#pragma once

#include <memory>

#include "src/sandbox/controllers/operations.hpp"
#include "src/sandbox/controllers/pass_timer.hpp"

namespace keelson::sandbox {

class RoleAggregation {
 public:
  RoleAggregation(World& world, Committer& committer, Deletes& deletes, async::Duration delay);
  RoleAggregation(const RoleAggregation&) = delete;
  RoleAggregation& operator=(const RoleAggregation&) = delete;

  // Schedules the writes that follow from the change.
  void hear(const Change& change);
  // Writes the rules of all aggregated roles immediately, including roles that aggregate aggregated roles.
  void begin();

 private:
  // False if nothing changed.
  bool aggregate();

  Operations operations_;
  PassTimer passes_;
};

}  // namespace keelson::sandbox

// The output of a plan: text for users, JSON for programs.
#pragma once

#include <iosfwd>
#include <string>

#include "src/plan/make_plan.hpp"

namespace keelson::plan {

// For each write a line with the verb and the object, and below it the fields: `+` new, `-` removed, `~` changed. The
// last line has the counts.
void print_text(const Plan& plan, std::ostream& out);

// {"writes":[{"verb":"patch","group":"apps","version":"v1","kind":"Deployment","resource":"deployments",
// "subresource":"","namespace":"default","name":"a","object":{…} if it is new,"changes":[{"path":"/spec/replicas",
// "before":1,"after":2}]}],"events":[the same],"errors":["…"],"warnings":["…"],"settled":true}
void print_json(const Plan& plan, std::ostream& out);

}  // namespace keelson::plan

// The ConfigMap `websites` of each namespace: an entry for every Website in it. It has no owner.
#pragma once

#include "keelson/controller/pass.hpp"
#include "website/website_types.hpp"

namespace website {

keelson::Task<void> enter_directory(const Website& website, keelson::Pass<Website>& pass);
keelson::Task<void> leave_directory(const Website& website, keelson::Pass<Website>& pass);

}  // namespace website

// The caches of the running manager, by its /statusz: which watches fail, since when, and why.
#pragma once

#include "keelson/doctor/findings.hpp"
#include "src/doctor/reader.hpp"

namespace keelson::doctor {

// `statusz` is the page as JSON. If it could not be read, that is only noted in the summary: a firewall may close the
// port to the API server.
void check_caches(const Reading& statusz, Findings& findings);

}  // namespace keelson::doctor

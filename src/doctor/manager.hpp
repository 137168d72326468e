// What the running manager itself reports as a problem: the section Attention of its /statusz.
#pragma once

#include <set>
#include <string>

#include "keelson/doctor/findings.hpp"
#include "src/doctor/reader.hpp"

namespace keelson::doctor {

// `statusz` is the page of `pod` as JSON. A page that cannot be read is a note, because a firewall may close the port
// to the API server; a missing permission is check-forbidden. Rows about `examined` have findings of their own: objects
// as "memcacheds.cache.example.com/default/web", and kinds of which all objects were examined as
// "memcacheds.cache.example.com".
void check_attention(const std::string& pod, const Reading& statusz, const std::set<std::string>& examined,
                     Findings& findings);

// "did you mean default?", from a list of objects; empty if no name is similar, or if the list could not be read.
[[nodiscard]] std::string similar_name(const std::string& name, const Reading& list);

}  // namespace keelson::doctor

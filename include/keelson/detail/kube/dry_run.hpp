// Server-side dry runs: the API server handles a write completely, with admission and validation, and stores nothing.
//
// A dry run needs the same permissions as the write, and its reply is the object as it would be stored. A webhook with
// side effects that does not support dry runs is an error of the request (400).
#pragma once

#include "keelson/kube/client.hpp"

namespace keelson::kube {

// Makes a dry run of a write; a read stays as it is. A delete gets the option in its body as well, because the API
// server ignores the query of a delete that has a body. A delete's body that is not a JSON object is replaced, because
// the API server reads some of them, such as null, as a delete without options.
void make_dry_run(ApiRequest& request);

// True for a write that stores nothing, so that its reply is not the state of the object.
[[nodiscard]] bool is_dry_run(const ApiRequest& request);

// True for a write that the API server executes even as a dry run: it only connects to the subresources exec, attach,
// portforward and proxy, and does not read the option. In `raw_path` any segment of that name counts.
[[nodiscard]] bool ignores_dry_run(const ApiRequest& request);

}  // namespace keelson::kube

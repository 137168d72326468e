#include "website/website_types.hpp"

#include "keelson/controller/own_condition.hpp"

namespace website {
using namespace keelson;

void describe(kube::Description& d, WebsiteSpec& spec) {
  d.document("WebsiteSpec is what is served, and by how many pods.");
  d.field("pages", spec.pages, "The files by name; index.html is what visitors see first.").required();
  d.field("replicas", spec.replicas, "Number of pods. Defaults to 1.").minimum(0);
  d.field("image", spec.image, "A web server that serves /usr/share/nginx/html on port 8080.").min_length(1);
}

void describe(kube::Description& d, WebsiteStatus& status) {
  d.document("WebsiteStatus is the observed state of a Website.");
  d.field("url", status.url, "Where it is served inside of the cluster.");
  d.field("readyReplicas", status.ready_replicas, "Number of pods that serve.");
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  controller::describe_conditions<Website>(d, status.conditions);
}

void Website::describe_kind(kube::Kind& kind) {
  kind.description = "Website serves pages.";
  kind.columns = {{"Ready", "integer", ".status.readyReplicas"},
                  {"URL", "string", ".status.url"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  // The Service has the same name, and names of Services have stricter rules.
  kind.rules = {{"self.metadata.name.matches('^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$')",
                 "must be at most 52 lower-case letters, digits and dashes, a letter first", ".metadata.name"}};
  kind.sample = R"(apiVersion: web.example.com/v1
kind: Website
metadata:
  name: hello
spec:
  replicas: 2
  pages:
    index.html: <h1>Hello!</h1>
)";
}

}  // namespace website

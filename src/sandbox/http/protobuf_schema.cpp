#include "src/sandbox/http/protobuf_schema.hpp"

#include <sstream>

namespace keelson::sandbox {

namespace {

// Number, name and type of each field: `[T]` is a list, `{T}` a map, `T*` keeps its zero.
struct Line {
  const char* message;
  const char* fields;
};

constexpr Line kLines[] = {
    {"ObjectMeta",
     "1 name string 2 generateName string 3 namespace string 4 selfLink string 5 uid string 6 resourceVersion string "
     "7 generation integer 8 creationTimestamp Time 9 deletionTimestamp Time 10 deletionGracePeriodSeconds integer* "
     "11 labels {string} 12 annotations {string} 13 ownerReferences [OwnerReference] 14 finalizers [string] "
     "17 managedFields [ManagedFieldsEntry]"},
    {"OwnerReference",
     "5 apiVersion string 1 kind string 3 name string 4 uid string 6 controller boolean* 7 blockOwnerDeletion "
     "boolean*"},
    {"ManagedFieldsEntry",
     "1 manager string 2 operation string 3 apiVersion string 4 time Time 6 fieldsType string 7 fieldsV1 Raw "
     "8 subresource string"},
    {"LabelSelector", "1 matchLabels {string} 2 matchExpressions [LabelSelectorRequirement]"},
    {"LabelSelectorRequirement", "1 key string 2 operator string 3 values [string]"},
    {"DeleteOptions",
     "1 gracePeriodSeconds integer* 2 preconditions Preconditions 3 orphanDependents boolean* "
     "4 propagationPolicy string 5 dryRun [string]"},
    {"Preconditions", "1 uid string 2 resourceVersion string"},
    {"ConfigMap", "1 metadata ObjectMeta 4 immutable boolean* 2 data {string} 3 binaryData {bytes}"},
    {"Secret", "1 metadata ObjectMeta 5 immutable boolean* 2 data {bytes} 4 stringData {string} 3 type string"},
    {"Namespace", "1 metadata ObjectMeta 2 spec NamespaceSpec 3 status NamespaceStatus"},
    {"NamespaceSpec", "1 finalizers [string]"},
    {"NamespaceStatus", "1 phase string"},
    {"ServiceAccount",
     "1 metadata ObjectMeta 2 secrets [ObjectReference] 3 imagePullSecrets [LocalObjectReference] "
     "4 automountServiceAccountToken boolean*"},
    {"ObjectReference",
     "1 kind string 2 namespace string 3 name string 4 uid string 5 apiVersion string 6 resourceVersion string "
     "7 fieldPath string"},
    {"LocalObjectReference", "1 name string"},
    {"Event",
     "1 metadata ObjectMeta 2 involvedObject ObjectReference 3 reason string 4 message string 5 source EventSource "
     "6 firstTimestamp Time 7 lastTimestamp Time 8 count integer 9 type string 10 eventTime MicroTime "
     "11 series EventSeries 12 action string 13 related ObjectReference 14 reportingComponent string "
     "15 reportingInstance string"},
    {"EventSource", "1 component string 2 host string"},
    {"EventSeries", "1 count integer 2 lastObservedTime MicroTime"},
    {"events.k8s.io/Event",
     "1 metadata ObjectMeta 2 eventTime MicroTime 3 series EventSeries 4 reportingController string "
     "5 reportingInstance string 6 action string 7 reason string 8 regarding ObjectReference 9 related ObjectReference "
     "10 note string 11 type string 12 deprecatedSource EventSource 13 deprecatedFirstTimestamp Time "
     "14 deprecatedLastTimestamp Time 15 deprecatedCount integer"},
    {"Lease", "1 metadata ObjectMeta 2 spec LeaseSpec"},
    {"LeaseSpec",
     "1 holderIdentity string* 2 leaseDurationSeconds integer* 3 acquireTime MicroTime 4 renewTime MicroTime "
     "5 leaseTransitions integer* 6 strategy string* 7 preferredHolder string*"},
    {"Role", "1 metadata ObjectMeta 2 rules [PolicyRule]"},
    {"ClusterRole", "1 metadata ObjectMeta 2 rules [PolicyRule] 3 aggregationRule AggregationRule"},
    {"AggregationRule", "1 clusterRoleSelectors [LabelSelector]"},
    {"PolicyRule",
     "1 verbs [string] 2 apiGroups [string] 3 resources [string] 4 resourceNames [string] 5 nonResourceURLs [string]"},
    {"RoleBinding", "1 metadata ObjectMeta 2 subjects [Subject] 3 roleRef RoleRef"},
    {"ClusterRoleBinding", "1 metadata ObjectMeta 2 subjects [Subject] 3 roleRef RoleRef"},
    {"Subject", "1 kind string 2 apiGroup string 3 name string 4 namespace string"},
    {"RoleRef", "1 apiGroup string 2 kind string 3 name string"},
    {"PriorityClass",
     "1 metadata ObjectMeta 2 value integer* 3 globalDefault boolean 4 description string 5 preemptionPolicy string"},
    {"SelfSubjectAccessReview",
     "1 metadata ObjectMeta 2 spec SubjectAccessReviewSpec 3 status SubjectAccessReviewStatus"},
    {"SubjectAccessReview", "1 metadata ObjectMeta 2 spec SubjectAccessReviewSpec 3 status SubjectAccessReviewStatus"},
    {"LocalSubjectAccessReview",
     "1 metadata ObjectMeta 2 spec SubjectAccessReviewSpec 3 status SubjectAccessReviewStatus"},
    {"SubjectAccessReviewSpec",
     "1 resourceAttributes ResourceAttributes* 2 nonResourceAttributes NonResourceAttributes* 3 user string "
     "4 groups [string] 6 uid string"},
    {"SubjectAccessReviewStatus", "1 allowed boolean 2 reason string 3 evaluationError string 4 denied boolean"},
    {"ResourceAttributes",
     "1 namespace string 2 verb string 3 group string 4 version string 5 resource string 6 subresource string "
     "7 name string"},
    {"NonResourceAttributes", "1 path string 2 verb string"},
    {"SelfSubjectRulesReview",
     "1 metadata ObjectMeta 2 spec SelfSubjectRulesReviewSpec 3 status SubjectRulesReviewStatus"},
    {"SelfSubjectRulesReviewSpec", "1 namespace string"},
    {"SubjectRulesReviewStatus", "3 incomplete boolean 4 evaluationError string"},
    {"SelfSubjectReview", "1 metadata ObjectMeta 2 status SelfSubjectReviewStatus"},
    {"SelfSubjectReviewStatus", "1 userInfo UserInfo"},
    {"UserInfo", "1 username string 2 uid string 3 groups [string]"},
    {"TokenReview", "1 metadata ObjectMeta 2 spec TokenReviewSpec 3 status TokenReviewStatus"},
    {"TokenReviewSpec", "1 token string 2 audiences [string]"},
    {"TokenReviewStatus", "1 authenticated boolean 2 user UserInfo 3 error string 4 audiences [string]"},
};

ProtobufField field_of(std::string name, std::string type) {
  using Repeats = ProtobufField::Repeats;
  ProtobufField field{.name = std::move(name), .type = {}};
  field.keeps_zero = type.ends_with('*');
  if (field.keeps_zero) type.pop_back();
  if (type.front() == '[' || type.front() == '{') {
    field.repeats = type.front() == '[' ? Repeats::kList : Repeats::kMap;
    type = type.substr(1, type.size() - 2);
  }
  field.type = std::move(type);
  return field;
}

ProtobufMessage message_of(const char* fields) {
  ProtobufMessage message;
  std::istringstream stream(fields);
  std::uint32_t number = 0;
  std::string name;
  std::string type;
  while (stream >> number >> name >> type) message.emplace(number, field_of(name, type));
  return message;
}

}  // namespace

const ProtobufMessage* protobuf_message(std::string_view name) {
  static const auto kAll = [] {
    std::map<std::string, ProtobufMessage, std::less<>> all;
    for (const auto& line : kLines) all.emplace(line.message, message_of(line.fields));
    return all;
  }();
  auto found = kAll.find(name);
  return found == kAll.end() ? nullptr : &found->second;
}

}  // namespace keelson::sandbox

import type { Defaulter } from "../schema/apply-defaults.ts";
import { ensureTree, listAt, setDefault, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../tree.ts";

const rbac = "rbac.authorization.k8s.io";

/** The defaults of kinds that set a cluster up: RBAC, priorities, storage, flow control, custom resources. */
export const clusterWideDefaulters: Readonly<Record<string, Defaulter>> = {
  "io.k8s.api.rbac.v1.ClusterRoleBinding": defaultRoleRef,
  "io.k8s.api.rbac.v1.RoleBinding": defaultRoleRef,
  "io.k8s.api.rbac.v1.Subject": defaultSubject,
  "io.k8s.api.scheduling.v1.PriorityClass": (priority) =>
    setDefault(priority, "preemptionPolicy", "PreemptLowerPriority"),
  "io.k8s.api.storage.v1.StorageClass": (storage) => {
    setDefault(storage, "reclaimPolicy", "Delete");
    setDefault(storage, "volumeBindingMode", "Immediate");
  },
  "io.k8s.api.storage.v1.CSIDriver": defaultCsiDriver,
  "io.k8s.api.flowcontrol.v1.FlowSchemaSpec": (spec) => setDefault(spec, "matchingPrecedence", 1000),
  "io.k8s.api.flowcontrol.v1.ExemptPriorityLevelConfiguration": (exempt) => {
    setDefault(exempt, "nominalConcurrencyShares", 0);
    setDefault(exempt, "lendablePercent", 0);
  },
  "io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration": (limited) => {
    setDefault(limited, "nominalConcurrencyShares", 30);
    setDefault(limited, "lendablePercent", 0);
  },
  "io.k8s.api.flowcontrol.v1.QueuingConfiguration": (queuing) => {
    setDefault(queuing, "handSize", 8);
    setDefault(queuing, "queues", 64);
    setDefault(queuing, "queueLengthLimit", 50);
  },
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition": defaultDefinition,
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference": (service) =>
    setDefault(service, "port", 443),
  "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference": (service) =>
    setDefault(service, "port", 443),
};

function defaultRoleRef(binding: Tree): void {
  setDefault(ensureTree(binding, "roleRef"), "apiGroup", rbac);
}

function defaultSubject(subject: Tree): void {
  if (subject["kind"] === "User" || subject["kind"] === "Group") {
    setDefault(subject, "apiGroup", rbac);
  }
}

function defaultCsiDriver(driver: Tree): void {
  const spec = ensureTree(driver, "spec");
  setDefault(spec, "attachRequired", true);
  setDefault(spec, "podInfoOnMount", false);
  setDefault(spec, "storageCapacity", false);
  setDefault(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
  if (listAt(spec, "volumeLifecycleModes").length === 0) {
    spec["volumeLifecycleModes"] = ["Persistent"];
  }
  setDefault(spec, "requiresRepublish", false);
  setDefault(spec, "seLinuxMount", false);
}

function defaultDefinition(definition: Tree): void {
  const spec = ensureTree(definition, "spec");
  const names = ensureTree(spec, "names");
  const kind = stringAt(names, "kind");
  if (kind !== "") {
    setDefault(names, "singular", kind.toLowerCase());
    setDefault(names, "listKind", `${kind}List`);
  }
  if (treeAt(spec, "conversion") === undefined) {
    spec["conversion"] = { strategy: "None" };
  }
  const status = ensureTree(definition, "status");
  const stored = treesAt(spec, "versions").find((version) => version["storage"] === true);
  if (stringsAt(status, "storedVersions").length === 0 && stored !== undefined) {
    status["storedVersions"] = [stringAt(stored, "name")];
  }
}

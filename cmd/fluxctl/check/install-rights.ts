import { type Finding, passed, warning } from "@weir/base";
import type { Right } from "@weir/kube";

const rbac = "rbac.authorization.k8s.io";

/** All rights that are needed to apply the manifests of `fluxctl install`. */
export function neededToInstall(namespace: string): readonly Right[] {
  return [
    creating("", "namespaces", ""),
    ...["serviceaccounts", "secrets", "services"].map((resource) => creating("", resource, namespace)),
    creating("apps", "deployments", namespace),
    creating(rbac, "clusterroles", ""),
    creating(rbac, "clusterrolebindings", ""),
    // Nobody can grant a right that they don't have.
    everything,
  ];
}

function creating(group: string, resource: string, namespace: string): Right {
  return { group, resource, namespace, verbs: ["create"] };
}

const everything: Right = { group: "*", resource: "*", namespace: "", verbs: ["*"] };

/** True for rights that only the ClusterRole requires; with --least-privilege, there is none. */
export function isForClusterRole({ group, resource }: Right): boolean {
  return group === "*" || resource.startsWith("clusterrole");
}

/** Finding on whether fluxd can do everything; undefined if it's not permitted to ask. */
export function accountRight(user: string, mayDoEverything: boolean | undefined): Finding {
  const subject = "permissions";
  if (mayDoEverything === undefined) {
    return warning(
      subject,
      `you don't have permission to check what ${user} can do`,
      "ask somebody who can create subjectaccessreviews to run this check",
    );
  }
  return mayDoEverything
    ? passed(subject, `${user} has full access to the cluster`)
    : warning(
        subject,
        `${user} doesn't have full access to the cluster; this fluxd cannot tell whether it has enough`,
        "look for \"forbidden\" in fluxd's log; Weir's fluxd can report the permissions it lacks",
      );
}

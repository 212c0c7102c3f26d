import { type Finding, passed, warning } from "@weir/base";
import type { Right } from "@weir/kube";

const rbac = "rbac.authorization.k8s.io";

/** All that applying the documents of `fluxctl install` takes. */
export function neededToInstall(namespace: string): readonly Right[] {
  return [
    creating("", "namespaces", ""),
    ...["serviceaccounts", "secrets", "services"].map((resource) => creating("", resource, namespace)),
    creating("apps", "deployments", namespace),
    creating(rbac, "clusterroles", ""),
    creating(rbac, "clusterrolebindings", ""),
    // Nobody may grant what they have not themselves.
    everything,
  ];
}

function creating(group: string, resource: string, namespace: string): Right {
  return { group, resource, namespace, verbs: ["create"] };
}

const everything: Right = { group: "*", resource: "*", namespace: "", verbs: ["*"] };

/** True for rights that only the ClusterRole takes; with --least-privilege there is none. */
export function isForClusterRole({ group, resource }: Right): boolean {
  return group === "*" || resource.startsWith("clusterrole");
}

/** What was answered to whether fluxd may do everything; undefined where that may not be asked. */
export function accountRight(user: string, mayDoEverything: boolean | undefined): Finding {
  const subject = "permissions";
  if (mayDoEverything === undefined) {
    return warning(
      subject,
      `you may not ask what ${user} is permitted`,
      "have somebody run this check who may create subjectaccessreviews",
    );
  }
  return mayDoEverything
    ? passed(subject, `${user} may do everything in the cluster`)
    : warning(
        subject,
        `${user} is not permitted everything; whether that is enough, this fluxd cannot say`,
        "look for \"forbidden\" in fluxd's log; Weir's fluxd can be asked what it lacks",
      );
}

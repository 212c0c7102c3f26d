import { type Finding, passed, warning } from "../../../src/base/finding.ts";

/** A verb for a kind, in a namespace or in the whole cluster. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Absent for the cluster. */
  readonly namespace?: string;
}

const rbac = "rbac.authorization.k8s.io";

/** All that applying the documents of `fluxctl install` takes. */
export function neededToInstall(namespace: string): readonly Right[] {
  return [
    { verb: "create", group: "", resource: "namespaces" },
    ...["serviceaccounts", "secrets", "services"].map((resource) => creating("", resource, namespace)),
    creating("apps", "deployments", namespace),
    { verb: "create", group: rbac, resource: "clusterroles" },
    { verb: "create", group: rbac, resource: "clusterrolebindings" },
    // Nobody may grant what they have not themselves.
    everything,
  ];
}

function creating(group: string, resource: string, namespace: string): Right {
  return { verb: "create", group, resource, namespace };
}

const everything: Right = { verb: "*", group: "*", resource: "*" };

/** True for rights that only the ClusterRole takes; with --least-privilege there is none. */
export function isForClusterRole({ group, resource }: Right): boolean {
  return group === "*" || resource.startsWith("clusterrole");
}

/** "create deployments.apps in flux" */
export function printRight({ verb, group, resource, namespace }: Right): string {
  const kind = group === "" ? resource : `${resource}.${group}`;
  const what = group === "*" ? "do everything" : `${verb} ${kind}`;
  return namespace === undefined ? `${what} in the whole cluster` : `${what} in ${namespace}`;
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

import { type Finding, failed, passed, warning } from "@weir/base";
import { printRight, type Right } from "@weir/kube";
import { isForClusterRole } from "./install-rights.ts";

/** Is the namespace there, or can it be made? undefined: nobody would tell us. */
export function namespaceFinding(
  namespace: string,
  isThere: boolean | undefined,
  lacking: readonly Right[],
): Finding {
  const subject = "namespace";
  if (isThere === undefined) {
    return warning(subject, `you may not look whether namespace ${namespace} is there`, "");
  }
  if (isThere) {
    return passed(subject, `namespace ${namespace} is there`);
  }
  const found = `namespace ${namespace} is not there yet`;
  return lacking.some(isNamespace)
    ? failed(subject, `${found}, and you may not create it`, "ask for it those who run the cluster")
    : warning(
        subject,
        found,
        `create it, or let the documents do it: \`fluxctl install --namespace=${namespace} --create-namespace ...\``,
      );
}

/** May the documents of an installation be applied, and with which permissions for fluxd? */
export function rightFindings(namespace: string, lacking: readonly Right[]): readonly Finding[] {
  const forDocuments = lacking.filter((right) => !isForClusterRole(right) && !isNamespace(right));
  const forClusterRole = lacking.filter(isForClusterRole);
  return [
    forDocuments.length === 0
      ? passed("documents", `you may create in ${namespace} what fluxd is made of`)
      : failed("documents", `you may not ${listOf(forDocuments)}`, askFor),
    forClusterRole.length === 0
      ? passed("permissions", "you may permit fluxd everything in the cluster, as `fluxctl install` does")
      : warning("permissions", `you may not ${listOf(forClusterRole)}`, leastAdvice),
  ];
}

function isNamespace({ resource }: Right): boolean {
  return resource === "namespaces";
}

function listOf(rights: readonly Right[]): string {
  return rights.map(printRight).join(", ");
}

const askFor = "ask those who run the cluster for it, or have them apply the documents";

const leastAdvice =
  "install with --least-privilege, which takes Roles in the namespaces that fluxd works in; or ask those who run the cluster to apply the documents";

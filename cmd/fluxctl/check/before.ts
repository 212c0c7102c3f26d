import { type Finding, failed, passed, warning } from "@weir/base";
import { printRight, type Right } from "@weir/kube";
import { isForClusterRole } from "./install-rights.ts";

/** Whether the namespace exists or can be created. `undefined`: not permitted to find out. */
export function namespaceFinding(
  namespace: string,
  isThere: boolean | undefined,
  lacking: readonly Right[],
): Finding {
  const subject = "namespace";
  if (isThere === undefined) {
    return warning(subject, `you don't have permission to check whether namespace ${namespace} exists`, "");
  }
  if (isThere) {
    return passed(subject, `namespace ${namespace} exists`);
  }
  const found = `namespace ${namespace} does not exist`;
  return lacking.some(isNamespace)
    ? failed(
        subject,
        `${found}, and you don't have permission to create it`,
        "ask a cluster administrator to create it",
      )
    : warning(
        subject,
        found,
        `create it, or include it in the manifests: \`fluxctl install --namespace=${namespace} --create-namespace ...\``,
      );
}

/** Whether the manifests of an installation can be applied, and with which permissions for fluxd. */
export function rightFindings(namespace: string, lacking: readonly Right[]): readonly Finding[] {
  const forDocuments = lacking.filter((right) => !isForClusterRole(right) && !isNamespace(right));
  const forClusterRole = lacking.filter(isForClusterRole);
  return [
    forDocuments.length === 0
      ? passed("documents", `you can create fluxd's resources in namespace ${namespace}`)
      : failed("documents", `you don't have permission to ${listOf(forDocuments)}`, askFor),
    forClusterRole.length === 0
      ? passed("permissions", "you can give fluxd full access to the cluster, as `fluxctl install` does")
      : warning("permissions", `you don't have permission to ${listOf(forClusterRole)}`, leastAdvice),
  ];
}

function isNamespace({ resource }: Right): boolean {
  return resource === "namespaces";
}

function listOf(rights: readonly Right[]): string {
  return rights.map(printRight).join(", ");
}

const askFor = "ask a cluster administrator for this permission, or to apply the manifests for you";

const leastAdvice =
  "install with --least-privilege, which only needs Roles in the namespaces that fluxd manages; or ask a cluster administrator to apply the manifests";

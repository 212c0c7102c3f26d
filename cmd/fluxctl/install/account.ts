import type { InstallParameters } from "./parameters.ts";
import { deployKeyRules, type Rule, workRules } from "./permissions.ts";
import { yamlWord } from "./yaml-word.ts";

/** flux-account.yaml: fluxd's service account and its permissions. */
export function accountFile(parameters: InstallParameters): string {
  const { namespace, permissions } = parameters;
  const grants = permissions === "everything" ? everything(namespace) : leastPermissions(parameters);
  return `---
# The service account, cluster roles, and cluster role binding are
# only needed for Kubernetes with role-based access control (RBAC).
apiVersion: v1
kind: ServiceAccount
metadata:
  labels:
    name: flux
  name: flux
  namespace: ${yamlWord(namespace)}
${grants}`;
}

function everything(namespace: string): string {
  return `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  labels:
    name: flux
  name: flux
rules:
  - apiGroups: ['*']
    resources: ['*']
    verbs: ['*']
  - nonResourceURLs: ['*']
    verbs: ['*']
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  labels:
    name: flux
  name: flux
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: flux
subjects:
  - kind: ServiceAccount
    name: flux
    namespace: ${yamlWord(namespace)}
`;
}

/** A Role in each namespace that fluxd manages, and one for the deploy key in fluxd's own namespace. */
function leastPermissions({ namespace, allowedNamespaces, grants }: InstallParameters): string {
  const work = allowedNamespaces.map((each) => role("flux", each, namespace, workRules(grants)));
  return [role("flux-deploy-key", namespace, namespace, deployKeyRules), ...work].join("");
}

/** A Role for fluxd in a namespace, and the RoleBinding to fluxd's service account in `home`. */
function role(name: string, namespace: string, home: string, rules: readonly Rule[]): string {
  return `---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  labels:
    name: flux
  name: ${name}
  namespace: ${yamlWord(namespace)}
rules:
${rules.map(printRule).join("")}---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  labels:
    name: flux
  name: ${name}
  namespace: ${yamlWord(namespace)}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${name}
subjects:
  - kind: ServiceAccount
    name: flux
    namespace: ${yamlWord(home)}
`;
}

function printRule({ why, group, resources, names, verbs }: Rule): string {
  return `  # ${why}
  - apiGroups: [${JSON.stringify(group)}]
    resources: [${resources.map(yamlWord).join(", ")}]
${names === undefined ? "" : `    resourceNames: [${names.map(yamlWord).join(", ")}]\n`}    verbs: [${verbs.join(", ")}]
`;
}

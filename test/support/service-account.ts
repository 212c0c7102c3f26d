import { isJsonObject, type JsonValue } from "@weir/base";
import type { BorrowedControlPlane, KubeEyes, TempFolder } from "@weir/testing";

/** Where an account is made, and its kubeconfig written. */
export interface AccountWorld {
  readonly plane: BorrowedControlPlane;
  readonly kube: KubeEyes;
  readonly folder: TempFolder;
}

/** Makes a ServiceAccount and resolves to the path of a kubeconfig that speaks for it. */
export async function serviceAccountKubeconfig(
  { plane, kube, folder }: AccountWorld,
  namespace: string,
): Promise<string> {
  await kube.create(accountsPath(namespace), {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "flux" },
  });
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const answer = await kube.post(`${accountsPath(namespace)}/flux/token`, request);
  const token = isJsonObject(answer.status) ? answer.status["token"] : undefined;
  return folder.write(`kubeconfig-${namespace}`, JSON.stringify(kubeconfig(plane, token)));
}

/** Lets the ServiceAccount of a namespace do everything in another one, or in its own, and nothing elsewhere. */
export async function allowAll(kube: KubeEyes, account: string, namespace: string): Promise<void> {
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const metadata = { name: "flux" };
  await kube.create(`${rbac}/roles`, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata,
    rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
  });
  await kube.create(`${rbac}/rolebindings`, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "flux" },
    subjects: [{ kind: "ServiceAccount", name: "flux", namespace: account }],
  });
}

function accountsPath(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/serviceaccounts`;
}

function kubeconfig({ url, ca }: BorrowedControlPlane, token: JsonValue | undefined): object {
  const certificate = Buffer.from(ca).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "test", cluster: { server: url, "certificate-authority-data": certificate } }],
    users: [{ name: "flux", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "flux" } }],
  };
}

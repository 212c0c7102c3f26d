import type { KubeObject } from "@weir/kube";
import type { ChartNames, ChartValues } from "./chart-values.ts";
import { binding } from "./install.ts";

const apiVersion = "rbac.authorization.k8s.io/v1";
const everything = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };

/**
 * Who fluxd is, and what it may do: everything, or with `clusterRole.create: false` everything in some namespaces, and
 * in the cluster no more than to see which kinds and namespaces there are.
 */
export function chartAccount(values: ChartValues, names: ChartNames): readonly KubeObject[] {
  const { namespace, serviceAccount: name, labels } = names;
  return [
    ...(values.serviceAccount?.create === false
      ? []
      : [{ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace, labels } }]),
    ...(values.clusterRole?.create === false
      ? namespacedRights(values, names)
      : clusterRights(values, names)),
  ];
}

function clusterRights({ clusterRole }: ChartValues, names: ChartNames): readonly KubeObject[] {
  const { namespace, fullName, labels, serviceAccount } = names;
  const role = clusterRole?.name ?? fullName;
  const rules = [everything, { nonResourceURLs: ["*"], verbs: ["*"] }];
  return [
    { apiVersion, kind: "ClusterRole", metadata: { name: role, labels }, rules },
    binding("ClusterRole", { name: role, labels }, { role, account: { name: serviceAccount, namespace } }),
  ];
}

function namespacedRights(
  { allowedNamespaces = [], clusterRole }: ChartValues,
  names: ChartNames,
): readonly KubeObject[] {
  const { namespace, fullName, labels, serviceAccount } = names;
  const account = { name: serviceAccount, namespace };
  const role = `${fullName}-crd`;
  const rules = [
    {
      apiGroups: ["apiextensions.k8s.io"],
      resources: ["customresourcedefinitions"],
      verbs: ["list", "watch"],
    },
    { apiGroups: [""], resources: ["namespaces"], verbs: ["list"] },
  ];
  const given = clusterRole?.name;
  return [
    ...(given === undefined
      ? []
      : [binding("ClusterRole", { name: given, labels }, { role: given, account })]),
    ...[...allowedNamespaces, namespace].flatMap((each) => [
      {
        apiVersion,
        kind: "Role",
        metadata: { name: fullName, namespace: each, labels },
        rules: [everything],
      },
      binding("Role", { name: fullName, namespace: each, labels }, { role: fullName, account }),
    ]),
    { apiVersion, kind: "ClusterRole", metadata: { name: role, labels }, rules },
    binding("ClusterRole", { name: fullName, labels }, { role, account }),
  ];
}

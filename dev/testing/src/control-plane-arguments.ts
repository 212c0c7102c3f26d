import { join } from "node:path";

/** The ports of a control plane. */
export interface Ports {
  readonly client: number;
  readonly peer: number;
  readonly api: number;
  readonly manager: number;
}

/** The arguments of an etcd that stores its data in a folder and doesn't need to survive a power failure. */
export function etcdArguments(data: string, ports: Ports): readonly string[] {
  const client = `http://127.0.0.1:${ports.client}`;
  const peer = `http://127.0.0.1:${ports.peer}`;
  return [
    `--data-dir=${data}`,
    "--unsafe-no-fsync",
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

/**
 * The arguments of a kube-apiserver whose keys and tokens are in `folder`, to which it also writes its
 * certificates.
 */
export function apiServerArguments(folder: string, ports: Ports): readonly string[] {
  return [
    ...commonServerArguments(folder, ports),
    "--disable-admission-plugins=ServiceAccount",
    "--service-cluster-ip-range=10.0.0.0/16",
  ];
}

/**
 * The arguments of a kube-apiserver whose cluster has a node: pods get tokens of their accounts, and serve their logs.
 * It logs all writes, by the policy in the folder.
 */
export function nodeServerArguments(folder: string, ports: Ports): readonly string[] {
  return [
    ...commonServerArguments(folder, ports),
    `--service-cluster-ip-range=${serviceRange}`,
    `--advertise-address=${nodeAddress}`,
    `--audit-policy-file=${join(folder, auditFiles.policy)}`,
    `--audit-log-path=${join(folder, auditFiles.log)}`,
    "--kubelet-preferred-address-types=InternalIP",
  ];
}

/** In the folder of a server with a node, its audit policy and the log that it writes. */
export const auditFiles = { policy: "audit-policy.json", log: "audit.log" } as const;

/** The ClusterIPs of a cluster with a node. */
const serviceRange = "10.2.0.0/16";
/** The IPs of its pods; the first is the node's. */
const podRange = "10.1.0.0/16";
const nodeAddress = "10.1.0.1";

/** The Unix sockets in a pod cluster's folder that lead to its servers. */
export const doors = { api: "api.sock", etcd: "etcd.sock" } as const;

/** The arguments of a process-kubelet that opens these sockets. */
export function kubeletArguments(folder: string, ports: Ports): readonly string[] {
  return [
    `--kubeconfig=${join(folder, "kubeconfig-inside")}`,
    `--dir=${join(folder, "node")}`,
    `--images=${join(folder, "images.json")}`,
    `--pod-cidr=${podRange}`,
    `--service-cluster-ip-range=${serviceRange}`,
    `--door=${join(folder, doors.api)}=127.0.0.1:${ports.api}`,
    `--door=${join(folder, doors.etcd)}=127.0.0.1:${ports.client}`,
    "--max-initial-delay=1s",
    "--sync-frequency=1s",
  ];
}

function commonServerArguments(folder: string, ports: Ports): readonly string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${ports.client}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${ports.api}`,
    `--cert-dir=${join(folder, "certs")}`,
    `--token-auth-file=${join(folder, "tokens.csv")}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${join(folder, "sa.pub")}`,
    `--service-account-signing-key-file=${join(folder, "sa.key")}`,
    "--authorization-mode=RBAC",
  ];
}

/** The arguments of a kube-controller-manager for that API server. */
export function managerArguments(
  folder: string,
  ports: Ports,
  kubeconfig = join(folder, "kubeconfig"),
): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${join(folder, "sa.key")}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${ports.manager}`,
    "--leader-elect=false",
  ];
}

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  etcdArguments,
  kubeletArguments,
  managerArguments,
  nodeServerArguments,
} from "../control-plane-arguments.ts";

/** Nobody else is in the cluster's network. */
export const insidePorts = { client: 2379, peer: 2380, api: 6443, manager: 10257 };

/** Starts the programs of a control plane and a node, which are in `assets`; ends when its standard input does. */
export function clusterScript(assets: string, folder: string): string {
  const inside = join(folder, "kubeconfig-inside");
  const programs: readonly (readonly [string, readonly string[]])[] = [
    ["etcd", etcdArguments(join(folder, "etcd"), insidePorts)],
    ["kube-apiserver", nodeServerArguments(folder, insidePorts)],
    ["kube-controller-manager", [...managerArguments(folder, insidePorts, inside), ...ofPods(folder)]],
    ["process-kubelet", kubeletArguments(folder, insidePorts)],
  ];
  return [
    "mount -t tmpfs tmpfs /run && mkdir /run/netns && ip link set lo up || exit 1",
    `cd ${quote(folder)} || exit 1`,
    'keep() { while :; do "$@"; echo >>"$(basename "$1").ends"; sleep 0.2; done >"$(basename "$1").log" 2>&1; }',
    ...programs.map(([name, args]) => {
      const command = ["keep", join(assets, name), ...args].map(quote).join(" ");
      return clients.includes(name) ? `{ ${awaitCa}; ${command}; } &` : `${command} &`;
    }),
    "cat >/dev/null",
    "",
  ].join("\n");
}

/** How often a program of it has ended. */
export function endsOf(folder: string, program: string): number {
  const file = join(folder, `${program}.ends`);
  return existsSync(file) ? statSync(file).size : 0;
}

/** They take a CA file that is still empty for none at all, and then never trust the API server. */
const clients: readonly string[] = ["kube-controller-manager", "process-kubelet"];
const awaitCa = "until [ -s certs/apiserver.crt ]; do sleep 0.05; done";

/** Has the CA put beside the tokens of pods, and lets hundreds of workloads become ready in seconds. */
function ofPods(folder: string): readonly string[] {
  return [
    `--root-ca-file=${join(folder, "certs", "apiserver.crt")}`,
    "--kube-api-qps=200",
    "--kube-api-burst=300",
  ];
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

import type { KubeObject } from "@weir/kube";
import { deployFolderInstall } from "../../support/flux-installs.ts";
import { describeSwitch } from "../../support/pods/switch/describe-switch.ts";

const namespace = "flux";

describeSwitch("Flux's deploy/ folder with garbage collection, host keys, and a kubeconfig of its own", {
  namespace,
  prerequisites: ({ knownHosts }) => [
    configMap("flux-ssh-config", { known_hosts: knownHosts }),
    configMap("flux-kubeconfig", { config: inClusterKubeconfig }),
  ],
  install: ({ url: gitUrl }) =>
    deployFolderInstall({
      gitUrl,
      sshConfig: true,
      kubeconfig: true,
      extraArgs: ["--sync-garbage-collection"],
    }),
});

/** What a kubeconfig in a pod usually says: that of the pod's service account. */
const inClusterKubeconfig = `apiVersion: v1
kind: Config
clusters:
- name: here
  cluster:
    server: https://kubernetes.default.svc
    certificate-authority: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt
users:
- name: pod
  user: {tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token}
contexts:
- name: here
  context: {cluster: here, user: pod, namespace: default}
current-context: here
`;

function configMap(name: string, data: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}

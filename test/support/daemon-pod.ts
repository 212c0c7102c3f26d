import type { DaemonPod } from "../../src/switching/running-install/daemon-pod.ts";

/** The pod of a plain install, with the given differences. */
export function daemonPod(given: Partial<DaemonPod> = {}): DaemonPod {
  return {
    namespace: "flux",
    deployment: "flux",
    container: "flux",
    image: "docker.io/fluxcd/flux:1.25.4",
    pullSecrets: [],
    command: [],
    args: [],
    env: new Map(),
    volumes: [],
    secrets: [],
    serviceAccount: "flux",
    antecedent: "",
    ...given,
  };
}

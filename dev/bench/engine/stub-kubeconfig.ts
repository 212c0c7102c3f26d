import { writeFileSync } from "node:fs";

/** Writes a kubeconfig for a server without authentication. */
export function writeStubKubeconfig(path: string, server: string): void {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "stub",
    clusters: [{ name: "stub", cluster: { server } }],
    users: [{ name: "stub", user: {} }],
    contexts: [{ name: "stub", context: { cluster: "stub", user: "stub" } }],
  };
  writeFileSync(path, JSON.stringify(config));
}

import { readFileSync } from "node:fs";
import { runProgram } from "./run-program.ts";

const account = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The namespace of this pod. */
export function ownNamespace(): string {
  return readFileSync(`${account}/namespace`, "utf8");
}

/** Runs kubectl with the rights of this pod's service account, which Flux v1 also passed on by flags. */
export function podKubectl(args: readonly string[], input = ""): Promise<string> {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = process.env;
  const connection = [
    `--server=https://${host}:${port}`,
    `--certificate-authority=${account}/ca.crt`,
    `--token=${readFileSync(`${account}/token`, "utf8")}`,
  ];
  return runProgram("kubectl", [...connection, ...args], { input, env: { KUBECONFIG: "/dev/null" } });
}

import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Who shows it may do everything. */
export const adminToken = "admintoken";

/** Writes what a kube-apiserver reads at its start into its folder. */
export function writeCredentials(folder: string): void {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  mkdirSync(join(folder, "certs"));
  writeFileSync(join(folder, "sa.key"), privateKey);
  writeFileSync(join(folder, "sa.pub"), publicKey);
  writeFileSync(join(folder, "tokens.csv"), `${adminToken},admin,admin,"system:masters"\n`);
}

/** JSON is YAML. The CA is a file beside it, written by the API server at its first start. */
export function adminKubeconfig(server: string): object {
  const cluster = { server, "certificate-authority": "certs/apiserver.crt" };
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "test", cluster }],
    users: [{ name: "admin", user: { token: adminToken } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
  };
}

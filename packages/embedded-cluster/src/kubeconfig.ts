/** How kubectl and others reach a cluster. */
export interface ClusterAccess {
  readonly url: string;
  readonly token: string;
  /** The certificate that the server shows, as PEM. */
  readonly certificate: string;
}

const name = "embedded";

/** A kubeconfig with one cluster, user and context. It holds the token: write it for its owner alone. */
export function printKubeconfig({ url, token, certificate }: ClusterAccess): string {
  return [
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    `- name: ${name}`,
    "  cluster:",
    `    server: ${url}`,
    `    certificate-authority-data: ${Buffer.from(certificate).toString("base64")}`,
    "users:",
    `- name: ${name}`,
    "  user:",
    `    token: ${token}`,
    "contexts:",
    `- name: ${name}`,
    "  context:",
    `    cluster: ${name}`,
    `    user: ${name}`,
    `current-context: ${name}`,
    "",
  ].join("\n");
}

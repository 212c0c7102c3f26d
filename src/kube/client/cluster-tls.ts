import { messageOf } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { kubernetesLimits } from "../../base/limits.ts";
import type { ClusterTls } from "./credentials.ts";
import type { Identity } from "./identity.ts";
import { filledText, KubeConfigError } from "./kube-config-file.ts";
import { readSmallFile } from "./small-file.ts";

/** What the entries of a kubeconfig say of TLS, with the files read that they name. */
export async function clusterTls(
  cluster: JsonObject,
  user: JsonObject,
  identity: Identity,
  signal: AbortSignal | undefined,
): Promise<ClusterTls> {
  const [ca, fileCert, fileKey, proof] = await Promise.all([
    dataOrFile(cluster, "certificate-authority"),
    dataOrFile(user, "client-certificate"),
    dataOrFile(user, "client-key"),
    identity.proof(signal),
  ]);
  // A certificate that a plugin gave counts before the one of the kubeconfig.
  const { cert, key } = proof.cert === undefined ? { cert: fileCert, key: fileKey } : proof;
  const servername = filledText(cluster, "tls-server-name");
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(servername === undefined ? {} : { servername }),
    ...(cluster["insecure-skip-tls-verify"] === true ? { rejectUnauthorized: false } : {}),
  };
}

/** Reads a file of a certificate or a key. Rejects with KubeConfigError, which names it. */
export async function readCredentialFile(path: string): Promise<Buffer> {
  return readSmallFile(path, kubernetesLimits.credentialFile).catch((error: unknown) => {
    throw new KubeConfigError(`cannot read ${path}: ${messageOf(error)}`, { cause: error });
  });
}

/** As client-go: data in the kubeconfig counts before the file. */
async function dataOrFile(entry: JsonObject, field: string): Promise<Buffer | undefined> {
  const data = filledText(entry, `${field}-data`);
  const file = filledText(entry, field);
  if (data !== undefined) {
    return Buffer.from(data, "base64");
  }
  return file === undefined ? undefined : readCredentialFile(file);
}

import type { JsonObject } from "@weir/base";
import type { ClusterTls } from "../rest/credentials.ts";
import { dataOrFile } from "./credential-file.ts";
import type { Identity } from "./identity.ts";
import { filledText } from "./kube-config-file.ts";

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

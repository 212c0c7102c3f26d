import { textIn, WireError } from "@weir/http";
import { askCloudForJson, type CloudAccess } from "../request.ts";
import type { AccessToken } from "../token.ts";

/** What requests to the metadata service need. */
export interface GcpMetadataOptions extends CloudAccess {
  /** The metadata service; http://metadata.google.internal in Google Cloud. */
  readonly metadataUrl: string;
}

const path = "/computeMetadata/v1/instance/service-accounts/default/token";

/**
 * A token of the machine's service account, which in a pod with workload identity is the pod's.
 * https://cloud.google.com/compute/docs/access/authenticate-workloads
 */
export async function machineToken(
  { metadataUrl, transport, clock }: GcpMetadataOptions,
  signal: AbortSignal,
): Promise<AccessToken> {
  const url = new URL(path, metadataUrl);
  const headers = { "metadata-flavor": "Google" };
  const answer = await askCloudForJson({ method: "GET", url, headers }, { transport, clock }, signal);
  const text = textIn(answer, "access_token");
  if (text === "") {
    throw new WireError("the Google metadata service issued no token");
  }
  return { text, expires: clock.now() + Number(answer["expires_in"] ?? 0) * 1000 };
}

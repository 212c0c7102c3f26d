import type { JsonObject } from "@weir/base";
import { corePath } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";

/** The name of a Secret. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** The path of a Secret. Throws PathNameError. */
export function secretPath({ namespace, name }: SecretName): string {
  return corePath(namespace, "secrets", name);
}

/** Changes parts of a Secret with a strategic merge patch, as Flux v1 does. */
export async function patchSecret(
  client: RestClient,
  secret: SecretName,
  patch: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  await client.json({
    method: "PATCH",
    path: secretPath(secret),
    contentType: "application/strategic-merge-patch+json",
    body: patch,
    signal,
  });
}

import { isJsonObject } from "@weir/base";
import type { RestClient } from "@weir/kube/rest";
import { patchSecret, type SecretName, secretPath } from "./secret-patch.ts";

const markerAnnotation = "flux.weave.works/sync-hwm";

/** The sync marker in an annotation of a Secret; implements the daemon's SyncState. */
export interface SecretSyncState {
  readonly description: string;
  revision(signal: AbortSignal): Promise<string>;
  move(revision: string, signal: AbortSignal): Promise<void>;
}

/**
 * Keeps the sync marker in a Secret's annotation (--sync-state=secret). A Secret without the annotation was never
 * synced, and gets an empty one; a missing Secret is an error. Like Flux v1's pkg/sync/secret.go.
 */
export function createSecretSyncState(client: RestClient, secret: SecretName): SecretSyncState {
  return {
    description: `kubernetes ${secret.namespace}:secret/${secret.name}`,
    async revision(signal) {
      const object = await client.json({ method: "GET", path: secretPath(secret), signal });
      const revision = markerOf(object);
      if (revision === undefined) {
        await mark("", signal);
      }
      return revision ?? "";
    },
    move: mark,
  };

  function mark(revision: string, signal: AbortSignal): Promise<void> {
    const patch = { metadata: { annotations: { [markerAnnotation]: revision } } };
    return patchSecret(client, secret, patch, signal);
  }
}

function markerOf(secret: unknown): string | undefined {
  const metadata = isJsonObject(secret) ? secret["metadata"] : undefined;
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const marker = isJsonObject(annotations) ? annotations[markerAnnotation] : undefined;
  return typeof marker === "string" ? marker : undefined;
}

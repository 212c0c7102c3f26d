import type { Logger } from "@weir/base";
import type { RestClient } from "@weir/kube/rest";
import { SecretAnnotation } from "./secret-annotation.ts";
import type { SecretName } from "./secret-patch.ts";

const annotation = "weir.dev/history";
/** Beside the progress of a sync, far below what Kubernetes allows for all annotations together. */
const mostBytes = 64 * 1024;

/** The history of syncs as a text; implements the daemon's HistoryStore. */
export interface SecretHistoryStore {
  read(signal: AbortSignal): Promise<string | undefined>;
  update(change: (current: string | undefined) => string, signal: AbortSignal): Promise<void>;
}

/**
 * Keeps the history of syncs in an annotation of the Secret for the SSH key, which fluxd's permissions always include.
 * If that isn't possible (undefined: fluxd isn't in a pod), it's kept in memory, which is logged once.
 */
export function createSecretHistoryStore(
  client: RestClient,
  secret: SecretName | undefined,
  logger: Logger,
): SecretHistoryStore {
  const kept = new SecretAnnotation({ client, secret, annotation, mostBytes });
  let memory: string | undefined;
  let told = false;
  return {
    async read(signal) {
      const found = await kept.read(signal);
      return "text" in found ? found.text : memory;
    },
    async update(change, signal) {
      const unkept = await kept.update(change, signal);
      if (unkept === undefined) {
        return;
      }
      memory = change(memory);
      if (!told) {
        told = true;
        logger.log({ info: "the history of syncs is lost when fluxd restarts", reason: unkept.reason });
      }
    },
  };
}

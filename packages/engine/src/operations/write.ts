import type { KubeObject } from "@weir/kube";
import type { RestRequest } from "@weir/kube/rest";
import { objectIn, wholeObjectIn } from "./answer.ts";
import type { OperationContext } from "./context.ts";
import { operationError } from "./operation-error.ts";

/** Options of every write. */
export interface WriteOptions {
  /** False: unknown fields are dropped instead of refused. */
  readonly validate: boolean;
  /** True: the server only predicts the result. */
  readonly dryRun: boolean;
  /** False: fields that others may set are written all the same; true by default. */
  readonly respectIgnoreDifferences?: boolean;
  /** False: server-side apply doesn't take over the fields of client-side apply; true by default. */
  readonly clientSideApplyMigration?: boolean;
  readonly signal: AbortSignal;
}

/** A write, and the data for its error message. */
export interface Write {
  readonly method: RestRequest["method"];
  readonly path: string;
  readonly body: object;
  readonly contentType?: string;
  readonly fieldManager: string;
  /** Query parameters for this type of write. */
  readonly query?: Readonly<Record<string, string>>;
  /** As in kubectl. */
  readonly verb: string;
  /** The objects that the server may quote. */
  readonly objects: readonly (KubeObject | undefined)[];
}

/**
 * Sends a write, updates the cache, and returns the resulting object; that of a dry run has its managedFields. Validation is strict, as in kubectl;
 * servers that are too old ignore the parameter. Rejects with OperationError.
 */
export async function sendWrite(
  { client, cache }: OperationContext,
  write: Write,
  { validate, dryRun, signal }: WriteOptions,
): Promise<KubeObject> {
  const { method, path, body, contentType, fieldManager, verb, objects } = write;
  const query = {
    fieldManager,
    fieldValidation: validate ? "Strict" : "Ignore",
    ...(dryRun ? { dryRun: "All" } : {}),
    ...write.query,
  };
  const type = contentType === undefined ? {} : { contentType };
  try {
    const answer = await client.json({ method, path, query, body, ...type, signal });
    if (dryRun) {
      return wholeObjectIn(answer);
    }
    const live = objectIn(answer);
    cache.observe(live);
    return live;
  } catch (error) {
    throw operationError(error, { verb, objects, signal });
  }
}

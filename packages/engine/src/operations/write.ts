import type { KubeObject } from "@weir/kube";
import type { RestRequest } from "@weir/kube/rest";
import { objectIn } from "./answer.ts";
import type { OperationContext } from "./context.ts";
import { operationError } from "./operation-error.ts";

/** What holds for all writes of one object. */
export interface WriteOptions {
  /** False: fields unknown to the server are dropped, not refused. */
  readonly validate: boolean;
  /** True: the server only says what would become of the object. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** A write, with what is needed to tell of its failure. */
export interface Write {
  readonly method: RestRequest["method"];
  readonly path: string;
  readonly body: object;
  readonly contentType?: string;
  readonly fieldManager: string;
  /** Query parameters of this kind of write only. */
  readonly query?: Readonly<Record<string, string>>;
  /** As kubectl says it. */
  readonly verb: string;
  /** What the server may quote. */
  readonly objects: readonly (KubeObject | undefined)[];
}

/**
 * Sends a write and returns the object that it made, which the cache is told of. Validation is strict as with
 * kubectl; a server too old for it ignores the parameter. Rejects with OperationError.
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
    const live = objectIn(await client.json({ method, path, query, body, ...type, signal }));
    if (!dryRun) {
      cache.observe(live);
    }
    return live;
  } catch (error) {
    throw operationError(error, { verb, objects, signal });
  }
}

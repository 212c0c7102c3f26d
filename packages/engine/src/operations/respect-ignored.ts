import { gvkOf, type KubeObject } from "@weir/kube";
import { carryLastApplied } from "../diff/last-applied.ts";
import { JqError } from "../ignore/jq.ts";
import type { OperationContext } from "./context.ts";
import { OperationError, operationError } from "./operation-error.ts";
import type { Subject } from "./races.ts";
import { readWholeObject } from "./read.ts";
import type { WriteOptions } from "./write.ts";

/** How a manifest is to be written to a live object. */
export interface Writing extends Pick<WriteOptions, "respectIgnoreDifferences" | "signal"> {
  readonly live: KubeObject;
  /** True: the write removes everything that the manifest doesn't have. */
  readonly replaces: boolean;
  /** The field manager of server-side apply. */
  readonly owner?: string;
}

/**
 * The target as it's written to a live object: with the live values of the fields that others may set. Its last-applied
 * annotation stays what the manifest says. Returns the same object if nothing is ignored. Rejects with OperationError.
 */
export async function respectIgnored(
  context: OperationContext,
  subject: Subject,
  { live, replaces, owner, respectIgnoreDifferences = true, signal }: Writing,
): Promise<KubeObject> {
  const { ignored, schemas } = context;
  const { target } = subject;
  const selection = ignored?.selectionFor(target, respectIgnoreDifferences);
  if (ignored === undefined || selection === undefined) {
    return target;
  }
  const needsOwners = selection.managers.length > 0 || owner !== undefined;
  const owned = needsOwners ? await withOwners(context, subject, live, signal) : live;
  try {
    const schema = await schemas.schemaFor(gvkOf(target), signal);
    const written = await ignored.keepLive(
      selection,
      { target, live: owned, schema, replaces, owner },
      signal,
    );
    return carryLastApplied(target, written);
  } catch (error) {
    throw error instanceof JqError
      ? new OperationError(`error: ${error.message}`, "")
      : operationError(error, { verb: "patching", objects: [target, live], signal });
  }
}

/** The live object with its managedFields, which the cache doesn't keep. */
export async function withOwners(
  context: OperationContext,
  { resource, target }: Subject,
  live: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject> {
  if (live.metadata["managedFields"] !== undefined) {
    return live;
  }
  const read = await readWholeObject(context, resource, target, signal);
  if (read === undefined) {
    throw new OperationError("the object was deleted in the meantime", "NotFound");
  }
  return read;
}

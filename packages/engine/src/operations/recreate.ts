/**
 * Force: an object whose change the server refuses is deleted and created again, like `kubectl apply --force`
 * and `kubectl replace --force`, but not without need, and not if the server wouldn't take the new one.
 */
import type { ApiResource, KubeObject, ObjectMeta } from "@weir/kube";
import type { Deed, OperationContext } from "./context.ts";
import { createObject } from "./create.ts";
import { deleteObject } from "./delete.ts";
import { OperationError } from "./operation-error.ts";
import type { KnownSubject } from "./races.ts";
import { readObject } from "./read.ts";
import { untilGone } from "./until-gone.ts";
import type { WriteOptions } from "./write.ts";

/** How to force a write. */
export interface ForceOptions extends WriteOptions {
  /** The operation to force. */
  readonly write: (context: OperationContext, subject: KnownSubject, options: WriteOptions) => Promise<Deed>;
  /** How long the old object may take to disappear. */
  readonly waitMs: number;
  /** Returns a reason not to delete the live object, or undefined. */
  readonly whyNot: (live: KubeObject) => string | undefined;
}

/**
 * Does the write; if the server refuses it as invalid, deletes the live object, waits until it's gone, and
 * does the write again. Rejects with OperationError; if the new object is refused after all, the old one is
 * restored first.
 */
export async function writeWithForce(
  context: OperationContext,
  subject: KnownSubject,
  options: ForceOptions,
): Promise<Deed> {
  const { resource, target } = subject;
  const { write } = options;
  try {
    return await write(context, subject, options);
  } catch (error) {
    if (!(error instanceof OperationError) || error.reason !== "Invalid") {
      throw error;
    }
    const live = await readObject(context, resource, target, options.signal);
    if (live === undefined) {
      throw error;
    }
    const obstacle = options.whyNot(live) ?? (await refusalOf(context, { resource, target }, options));
    if (obstacle !== undefined) {
      throw new OperationError(
        `${error.message}\nIt was not deleted and created again: ${obstacle}`,
        error.reason,
      );
    }
    const reason = "it was deleted and created again";
    if (options.dryRun) {
      return { change: "configured", live: target, reason };
    }
    const again = () =>
      write(context, { resource, target, known: { live: undefined, fresh: true } }, options);
    return { ...(await recreate(context, { resource, live }, again, options)), change: "configured", reason };
  }
}

async function recreate(
  context: OperationContext,
  old: { readonly resource: ApiResource; readonly live: KubeObject },
  create: () => Promise<Deed>,
  { waitMs, signal }: ForceOptions,
): Promise<Deed> {
  await deleteObject(context, old, { dryRun: false, signal, propagation: "background" });
  await untilGone(context, old, { waitMs, signal, what: "the old object" });
  try {
    return await create();
  } catch (error) {
    if (error instanceof OperationError) {
      throw new OperationError(`${error.message}\n${await restore(context, old, signal)}`, error.reason);
    }
    throw error;
  }
}

/** Metadata that the server sets, and doesn't accept for a new object. */
const fieldsOfServer: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "generation",
  "managedFields",
]);

/** Creates the old object again, as far as a new one can be like it; says how that went. */
async function restore(
  context: OperationContext,
  { resource, live }: { readonly resource: ApiResource; readonly live: KubeObject },
  signal: AbortSignal,
): Promise<string> {
  const metadata: ObjectMeta = Object.fromEntries(
    Object.entries(live.metadata).filter(([name]) => !fieldsOfServer.has(name)),
  );
  const options = { validate: false, dryRun: false, signal, fieldManager: "kubectl-client-side-apply" };
  try {
    await createObject(context, { resource, target: { ...live, metadata } }, options);
    return "The old object was deleted before, and has been restored.";
  } catch (error) {
    if (!(error instanceof OperationError)) {
      throw error;
    }
    return `The old object was deleted before, and could not be restored: ${error.message}`;
  }
}

/**
 * Why the server would refuse the new object, as far as a dry run under another name shows; undefined if it
 * wouldn't, or if the refusal may be due to that name or to the old object.
 */
async function refusalOf(
  context: OperationContext,
  { resource, target }: { readonly resource: ApiResource; readonly target: KubeObject },
  { validate, signal }: ForceOptions,
): Promise<string | undefined> {
  const name = `${(target.metadata.name ?? "").slice(0, 50).replace(/[^a-z0-9]+$/i, "")}-dry-run`;
  const standIn = { ...target, metadata: { ...target.metadata, name } };
  const options = { validate, dryRun: true, signal, fieldManager: "kubectl-client-side-apply" };
  try {
    await createObject(context, { resource, target: standIn }, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) {
      throw error;
    }
    const isFinal = ["Invalid", "Forbidden", "BadRequest"].includes(error.reason);
    const isOfStandIn = /already allocated|exceeded quota|metadata\.name:|does not support dry run/.test(
      error.message,
    );
    return isFinal && !isOfStandIn ? error.message : undefined;
  }
}

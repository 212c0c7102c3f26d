import { isJsonObject, type JsonObject } from "@weir/base";
import { gvkOf, type KubeObject } from "@weir/kube";
import { type DiffResult, diffThreeWay } from "../diff/diff.ts";
import { withLastApplied } from "../diff/last-applied.ts";
import type { Deed, OperationContext } from "./context.ts";
import { createObject } from "./create.ts";
import { OperationError, operationError } from "./operation-error.ts";
import { type Known, type KnownSubject, type Subject, withoutRaces } from "./races.ts";
import { pathOf } from "./read.ts";
import { respectIgnored } from "./respect-ignored.ts";
import { sendWrite, type WriteOptions } from "./write.ts";

/**
 * The name under which kubectl apply owns fields. Using the same name lets kubectl and Weir apply the same
 * objects.
 */
const fieldManager = "kubectl-client-side-apply";

/**
 * Client-side `kubectl apply` of one manifest: creates the object, or sends the three-way patch from its
 * last-applied annotation, the manifest, and the live object, or does nothing. Rejects with OperationError.
 */
export async function applyObject(
  context: OperationContext,
  subject: KnownSubject,
  options: WriteOptions,
): Promise<Deed> {
  const { name, generateName = "" } = subject.target.metadata;
  if (name === undefined || name === "") {
    throw new OperationError(`error: from ${generateName}: cannot use generate name with apply`, "");
  }
  const target = withLastApplied(subject.target);
  const applied = { ...subject, target };
  return withoutRaces(
    context,
    applied,
    (current) =>
      current.live === undefined
        ? createObject(context, applied, { ...options, fieldManager })
        : patchObject(context, applied, { ...current, live: current.live }, options),
    options.signal,
  );
}

async function patchObject(
  context: OperationContext,
  subject: Subject,
  { live, fresh }: Known & { readonly live: KubeObject },
  options: WriteOptions,
): Promise<Deed> {
  const { signal } = options;
  const target = await respectIgnored(context, subject, { ...options, live, replaces: false });
  const diff = await threeWay(context, target, live, signal);
  if (diff.kind === "unchanged") {
    return { change: "unchanged", live };
  }
  const write = {
    method: "PATCH",
    path: pathOf(subject.resource, target),
    body: fresh ? diff.patch : provided(diff.patch, live),
    contentType: diff.patchType,
    fieldManager,
    verb: "patching",
    objects: [target, live],
  } as const;
  const patched = await sendWrite(context, write, options);
  // A patch can be without effect, e.g. an empty map for a field that the server omits.
  const isSame = patched.metadata.resourceVersion === live.metadata.resourceVersion;
  return { change: isSame && !options.dryRun ? "unchanged" : "configured", live: patched };
}

async function threeWay(
  { schemas }: OperationContext,
  target: KubeObject,
  live: KubeObject,
  signal: AbortSignal,
): Promise<DiffResult> {
  try {
    return diffThreeWay({ target, live, schema: await schemas.schemaFor(gvkOf(target), signal) });
  } catch (error) {
    throw operationError(error, { verb: "patching", objects: [target, live], signal });
  }
}

/**
 * A patch computed from the cache is valid only for the version it was computed from: if the object has
 * changed, the server refuses the patch, and it's computed again from the live object.
 */
function provided(patch: JsonObject, live: KubeObject): JsonObject {
  const { resourceVersion } = live.metadata;
  const metadata = patch["metadata"];
  return resourceVersion === undefined
    ? patch
    : { ...patch, metadata: { resourceVersion, ...(isJsonObject(metadata) ? metadata : {}) } };
}

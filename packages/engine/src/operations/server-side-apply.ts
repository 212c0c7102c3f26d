import { applyPatchType } from "@weir/kube/patch";
import type { Deed, OperationContext } from "./context.ts";
import type { KnownSubject } from "./races.ts";
import { pathOf } from "./read.ts";
import { sendWrite, type WriteOptions } from "./write.ts";

/** Same as `kubectl apply --server-side`, so that fields applied that way before aren't left behind. */
const fieldManager = "kubectl";

/**
 * `kubectl apply --server-side --force-conflicts` of one manifest: the server merges it by field ownership. A
 * comparison with the previous version shows whether anything changed. Rejects with OperationError.
 */
export async function applyServerSide(
  context: OperationContext,
  { resource, target, known }: KnownSubject,
  options: WriteOptions,
): Promise<Deed> {
  const version = known?.live?.metadata.resourceVersion;
  const write = {
    method: "PATCH",
    path: pathOf(resource, target),
    body: target,
    contentType: applyPatchType,
    query: { force: "true" },
    fieldManager,
    verb: "serverside-apply",
    objects: [target],
  } as const;
  const live = await sendWrite(context, write, options);
  if (live.metadata.resourceVersion === version) {
    return { change: "unchanged", live };
  }
  return { change: version === undefined ? "created" : "configured", live };
}

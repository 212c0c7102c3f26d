import { applyPatchType } from "../../kube/patch/patch-type.ts";
import type { Deed, OperationContext } from "./context.ts";
import type { Subject } from "./races.ts";
import { pathOf } from "./read.ts";
import { sendWrite, type WriteOptions } from "./write.ts";

/** JSON is YAML too. */
/** As `kubectl apply --server-side`, so that fields applied that way before are not left behind. */
const fieldManager = "kubectl";

/**
 * `kubectl apply --server-side --force-conflicts` of one manifest: the server merges it by who owns which field.
 * `version` is the resource version known before, which tells whether anything changed. Rejects with OperationError.
 */
export async function applyServerSide(
  context: OperationContext,
  { resource, target }: Subject,
  version: string | undefined,
  options: WriteOptions,
): Promise<Deed> {
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

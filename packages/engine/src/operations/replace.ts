import { withLastApplied } from "../diff/last-applied.ts";
import type { Deed, OperationContext } from "./context.ts";
import { createObject } from "./create.ts";
import { type KnownSubject, withoutRaces } from "./races.ts";
import { pathOf } from "./read.ts";
import { sendWrite, type WriteOptions } from "./write.ts";

const fieldManager = "kubectl-replace";

/**
 * `kubectl replace` of one manifest, or `kubectl create` if the object doesn't exist: the manifest replaces
 * everything in the live object. It gets the last-applied annotation, so that it can be applied later.
 * Rejects with OperationError.
 */
export async function replaceObject(
  context: OperationContext,
  subject: KnownSubject,
  options: WriteOptions,
): Promise<Deed> {
  const target = withLastApplied(subject.target);
  const replaced = { ...subject, target };
  return withoutRaces(
    context,
    replaced,
    async ({ live }) => {
      if (live === undefined) {
        return createObject(context, replaced, { ...options, fieldManager });
      }
      const { resourceVersion } = live.metadata;
      const metadata = { ...target.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
      const write = {
        method: "PUT",
        path: pathOf(subject.resource, target),
        body: { ...target, metadata },
        fieldManager,
        verb: "replacing",
        objects: [target, live],
      } as const;
      return { change: "configured", live: await sendWrite(context, write, options) };
    },
    options.signal,
  );
}

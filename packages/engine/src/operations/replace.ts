import type { KubeObject } from "@weir/kube";
import { withLastApplied } from "../diff/last-applied.ts";
import type { Deed, OperationContext } from "./context.ts";
import { createObject } from "./create.ts";
import { type KnownSubject, withoutRaces } from "./races.ts";
import { pathOf } from "./read.ts";
import { respectIgnored } from "./respect-ignored.ts";
import { sendWrite, type WriteOptions } from "./write.ts";

const fieldManager = "kubectl-replace";

/**
 * `kubectl replace` of one manifest, or `kubectl create` if the object doesn't exist: the manifest replaces
 * everything in the live object. It gets the last-applied annotation, so that it can be applied later, unless
 * it's too large for that, which is why many objects are replaced. Rejects with OperationError.
 */
export async function replaceObject(
  context: OperationContext,
  subject: KnownSubject,
  options: WriteOptions,
): Promise<Deed> {
  const target = withFittingLastApplied(subject.target);
  const replaced = { ...subject, target };
  return withoutRaces(
    context,
    replaced,
    async ({ live }) => {
      if (live === undefined) {
        return createObject(context, replaced, { ...options, fieldManager });
      }
      const { resourceVersion } = live.metadata;
      const kept = await respectIgnored(context, replaced, { ...options, live, replaces: true });
      const metadata = { ...kept.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
      const write = {
        method: "PUT",
        path: pathOf(subject.resource, target),
        body: { ...kept, metadata },
        fieldManager,
        verb: "replacing",
        objects: [target, live],
      } as const;
      const written = await sendWrite(context, write, options);
      const isSame = written.metadata.resourceVersion === resourceVersion;
      return { change: isSame && !options.dryRun ? "unchanged" : "configured", live: written };
    },
    options.signal,
  );
}

/** The API server refuses objects whose annotations are larger than this, in bytes. */
const mostAnnotationBytes = 256 * 1024;

function withFittingLastApplied(target: KubeObject): KubeObject {
  const annotated = withLastApplied(target);
  const annotations = Object.entries(annotated.metadata.annotations ?? {});
  const bytes = annotations.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  return bytes <= mostAnnotationBytes ? annotated : target;
}

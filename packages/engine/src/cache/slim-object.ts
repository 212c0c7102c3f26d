import type { KubeObject, ObjectMeta } from "@weir/kube";
import { lastAppliedAnnotation } from "../diff/last-applied.ts";
import type { Interner } from "./interner.ts";

/** Prune guards look at short values; what is longer is data. */
const longestAnnotation = 1_024;

type Writable = { -readonly [Field in keyof ObjectMeta]: ObjectMeta[Field] };

/**
 * What's held of an object that nobody needs whole: its key, uid, version, and owners. A managed object may be
 * pruned, so it also keeps what tells whose it is and whether it may go: labels, finalizers, its age, and short
 * annotations, but never the manifest that was last applied.
 */
export function slimObject(object: KubeObject, isManaged: boolean, interner: Interner): KubeObject {
  const { metadata } = object;
  const slim = identityOf(metadata, interner);
  if (metadata.ownerReferences !== undefined) {
    const { ownerReferences } = metadata;
    slim.ownerReferences = interner.value("owners", JSON.stringify(ownerReferences), ownerReferences);
  }
  if (metadata.deletionTimestamp !== undefined) {
    slim.deletionTimestamp = metadata.deletionTimestamp;
  }
  if (isManaged) {
    addManaged(slim, metadata, interner);
  }
  return { apiVersion: interner.text(object.apiVersion), kind: interner.text(object.kind), metadata: slim };
}

/** Literals, because objects that grow field by field take more memory. */
function identityOf(
  { name = "", namespace, uid, resourceVersion }: ObjectMeta,
  interner: Interner,
): Writable {
  if (uid === undefined || resourceVersion === undefined) {
    return {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
  }
  return namespace === undefined
    ? { name, uid, resourceVersion }
    : { name, namespace: interner.text(namespace), uid, resourceVersion };
}

function addManaged(slim: Writable, metadata: ObjectMeta, interner: Interner): void {
  const { labels, annotations, finalizers, creationTimestamp } = metadata;
  if (labels !== undefined && labels !== null) {
    slim.labels = shared(Object.entries(labels), interner);
  }
  const short = Object.entries(annotations ?? {}).filter(
    ([name, value]) => name !== lastAppliedAnnotation && value.length <= longestAnnotation,
  );
  if (short.length > 0) {
    slim.annotations = shared(short, interner);
  }
  if (typeof creationTimestamp === "string") {
    slim.creationTimestamp = interner.text(creationTimestamp);
  }
  if (finalizers !== undefined) {
    slim.finalizers = interner.value("finalizers", finalizers.join(","), finalizers);
  }
}

function shared(
  entries: readonly (readonly [string, string])[],
  interner: Interner,
): Readonly<Record<string, string>> {
  return interner.value(
    "map",
    JSON.stringify(entries),
    Object.fromEntries(entries.map(([name, value]) => [name, interner.text(value)])),
  );
}

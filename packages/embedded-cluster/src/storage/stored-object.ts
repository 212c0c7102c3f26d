import { stringAt, stringMapAt, stringsAt, type Tree, treesAt } from "../tree.ts";

/**
 * One version of an object at rest: its JSON, encoded once and shared by every reader and watcher, and the few
 * facts that are looked at without decoding it.
 */
export interface StoredObject {
  /** The resource it belongs to, whatever version it is seen through: "pods", "deployments.apps". */
  readonly bucket: string;
  /** The version of its kind in which it is kept. */
  readonly apiVersion: string;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Its resource version. */
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>>;
  /** The uids of its owners. */
  readonly owners: readonly string[];
  readonly finalizers: readonly string[];
  /** It has a deletion timestamp. */
  readonly deleting: boolean;
  /** UTF-8 JSON, without a newline. */
  readonly bytes: Uint8Array;
  /** Where in the bytes the first field after kind and apiVersion begins; 0 where those do not come first. */
  readonly afterType: number;
}

/** Encodes an object as that revision; sets metadata.resourceVersion in `tree`, which must have metadata. */
export function storeTree(bucket: string, tree: Tree, revision: number): StoredObject {
  const metadata = tree["metadata"];
  if (typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)) {
    metadata["resourceVersion"] = String(revision);
  }
  return describe(bucket, tree, revision, encode(tree));
}

/** Takes up an object that was encoded before, e.g. by an earlier process. */
export function restoreBytes(bucket: string, bytes: Uint8Array): StoredObject {
  const tree = decode(bytes);
  return describe(bucket, tree, Number(stringAt(tree, "metadata", "resourceVersion")), bytes);
}

/** The object as a tree of its own, to read or to change. */
export function treeOf(object: StoredObject): Tree {
  return decode(object.bytes);
}

/** Where an object stands among those of its bucket: in the order of namespaces and names. */
export function keyIn(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

function describe(bucket: string, tree: Tree, revision: number, bytes: Uint8Array): StoredObject {
  return {
    bucket,
    apiVersion: stringAt(tree, "apiVersion"),
    namespace: stringAt(tree, "metadata", "namespace"),
    name: stringAt(tree, "metadata", "name"),
    uid: stringAt(tree, "metadata", "uid"),
    revision,
    labels: Object.fromEntries(stringMapAt(tree, "metadata", "labels")),
    owners: treesAt(tree, "metadata", "ownerReferences").map((owner) => stringAt(owner, "uid")),
    finalizers: stringsAt(tree, "metadata", "finalizers"),
    deleting: stringAt(tree, "metadata", "deletionTimestamp") !== "",
    bytes,
    afterType: afterTypeOf(tree),
  };
}

function afterTypeOf(tree: Tree): number {
  const [first, second, third] = Object.keys(tree);
  const type = `{"kind":${JSON.stringify(tree["kind"])},"apiVersion":${JSON.stringify(tree["apiVersion"])},`;
  return first === "kind" && second === "apiVersion" && third !== undefined ? Buffer.byteLength(type) : 0;
}

/** A buffer of its own: a slice of Node's pool would keep eight kilobytes alive for each object. */
function encode(tree: Tree): Uint8Array {
  const json = JSON.stringify(tree);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  return bytes;
}

function decode(bytes: Uint8Array): Tree {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  // Only encode() makes these bytes, and only from a tree.
  return JSON.parse(json) as Tree;
}

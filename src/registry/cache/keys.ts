import { createHash } from "node:crypto";
import { type ImageName, printImageName } from "@weir/flux";

/** The key of a repository's record, by the canonical name of the repository. Same as in Flux v1. */
export function repositoryKey(repository: ImageName): string {
  return legal(`registryrepov4|${printImageName(repository)}`);
}

/** The key of a tag's record, by the canonical name of its repository. Same as in Flux v1. */
export function manifestKey(repository: ImageName, tag: string): string {
  return legal(`registryhistoryv3|${printImageName(repository)}|${tag}`);
}

/** The maximum length of a key in memcached. */
const longest = 250;

/** Flux v1 can't store items with longer keys; we use a digest of the key. */
function legal(key: string): string {
  return Buffer.byteLength(key) <= longest && !/[\0-\x20\x7f]/.test(key)
    ? key
    : `weir|${createHash("sha256").update(key).digest("hex")}`;
}

import { createHash } from "node:crypto";
import { type ImageName, printImageName } from "../../image/name.ts";

/** Of the record of a repository, given by its canonical name. Flux v1's. */
export function repositoryKey(repository: ImageName): string {
  return legal(`registryrepov4|${printImageName(repository)}`);
}

/** Of the record of one tag, given with the canonical name of its repository. Flux v1's. */
export function manifestKey(repository: ImageName, tag: string): string {
  return legal(`registryhistoryv3|${printImageName(repository)}|${tag}`);
}

/** The longest key that memcached has. */
const longest = 250;

/** Flux v1 cannot keep what has a longer key; we keep it under its digest. */
function legal(key: string): string {
  return Buffer.byteLength(key) <= longest && !/[\0-\x20\x7f]/.test(key)
    ? key
    : `weir|${createHash("sha256").update(key).digest("hex")}`;
}

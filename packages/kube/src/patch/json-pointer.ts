import { PatchError } from "./patch-error.ts";

/** The unescaped steps of an RFC 6901 pointer; empty for the whole document. Throws PatchError. */
export function parseJsonPointer(pointer: string): readonly string[] {
  if (pointer === "") {
    return [];
  }
  if (!pointer.startsWith("/")) {
    throw new PatchError("bad-patch", `path ${JSON.stringify(pointer)} must begin with /`);
  }
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The list index of a step, below `limit`; -1 is the last item. Throws PatchError. */
export function parseIndex(step: string, limit: number): number {
  const index = /^-?(0|[1-9][0-9]*)$/.test(step) ? Number(step) : Number.NaN;
  const place = index < 0 ? index + limit : index;
  if (!(place >= 0 && place < limit)) {
    throw new PatchError("bad-patch", `${JSON.stringify(step)} is not a valid index of the list`);
  }
  return place;
}

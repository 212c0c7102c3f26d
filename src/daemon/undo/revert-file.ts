/**
 * Decides what undoing a commit does to one file. Takes the file before and after the commit and as it is now, and
 * returns its new content, or why that can't be decided. Without I/O.
 */
import { type Collision, mergeTexts } from "../../manifests/merge/three-way.ts";

/** The versions of a file; undefined where it doesn't exist. */
export interface FileTexts {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly now: string | undefined;
}

/** What becomes of a file. */
export type FileRevert =
  | { readonly kind: "unchanged" }
  /** `text` is undefined if the file is to be deleted. */
  | { readonly kind: "changed"; readonly text: string | undefined }
  | { readonly kind: "collisions"; readonly collisions: readonly Collision[] }
  | { readonly kind: "refused"; readonly reason: string };

/** Takes back the change from `before` to `after`, and keeps what was changed since. */
export function revertFile({ before, after, now }: FileTexts): FileRevert {
  if (now === before) {
    return { kind: "unchanged" };
  }
  if (now === after) {
    return { kind: "changed", text: before };
  }
  if (now === undefined) {
    return { kind: "refused", reason: "it was deleted or moved afterwards" };
  }
  if (after === undefined) {
    return { kind: "refused", reason: "it was deleted, and created again with other content" };
  }
  const merge = mergeTexts({ base: after, ours: now, theirs: before ?? "" });
  switch (merge.kind) {
    case "collisions":
      return merge;
    case "too-different":
      return { kind: "refused", reason: "it has changed too much since" };
    case "merged":
      return revertTo(merge.text, { before, now });
  }
}

/** A sops file is authenticated as a whole: a mix of two versions can't be decrypted. */
function revertTo(
  text: string,
  { before, now }: { readonly before: string | undefined; readonly now: string },
): FileRevert {
  if (text === now) {
    return { kind: "unchanged" };
  }
  if (text !== before && text.includes("sops:")) {
    const reason =
      "it is encrypted with sops, and was changed again afterwards, so it could not be decrypted";
    return { kind: "refused", reason };
  }
  return { kind: "changed", text: before === undefined && text.trim() === "" ? undefined : text };
}

import { isJsonArray } from "@weir/base";
import { parseJsonObject, WireError } from "./parse-json.ts";

const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** True for a text that a registry can have as a tag. */
export function isTag(text: string): boolean {
  return tagPattern.test(text);
}

/**
 * The tags of one page; a repository without any may say null. Throws WireError for a tag that is none: it would
 * become part of a path and of a key.
 */
export function parseTagPage(bytes: Uint8Array): readonly string[] {
  const tags = parseJsonObject(bytes, "the list of tags")["tags"];
  if (tags === undefined || tags === null) {
    return [];
  }
  if (!isJsonArray(tags)) {
    throw new WireError("what should be a list of tags is none");
  }
  return tags.map((tag) => {
    if (typeof tag !== "string" || !isTag(tag)) {
      throw new WireError(
        tag === "" ? "empty tag in fetched tags" : "the list of tags names one that is none",
      );
    }
    return tag;
  });
}

/** The address of the page after this one, as it stands in the Link header; undefined for the last page. */
export function nextPage(link: string): string | undefined {
  return /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1];
}

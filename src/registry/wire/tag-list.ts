import { isJsonArray } from "@weir/base";
import { parseJsonObject, WireError } from "@weir/http";

const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** True for a text that's valid as a tag in a registry. */
export function isTag(text: string): boolean {
  return tagPattern.test(text);
}

/**
 * Parses the tags of one page; a registry may send null for a repository without tags. Throws WireError for an invalid
 * tag, since it would become part of a path and a key.
 */
export function parseTagPage(bytes: Uint8Array): readonly string[] {
  const tags = parseJsonObject(bytes, "the list of tags")["tags"];
  if (tags === undefined || tags === null) {
    return [];
  }
  if (!isJsonArray(tags)) {
    throw new WireError("the response contains no list of tags");
  }
  return tags.map((tag) => {
    if (typeof tag !== "string" || !isTag(tag)) {
      throw new WireError(
        tag === "" ? "empty tag in fetched tags" : "the list of tags contains an invalid tag",
      );
    }
    return tag;
  });
}

/** The address of the next page, as it is in the Link header; undefined for the last page. */
export function nextPage(link: string): string | undefined {
  return /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1];
}

/** What sources share for parsing their payloads. */

import { JsonReader, type JsonValue } from "@weir/base";
import { parseImageRef } from "@weir/flux";
import type { Change } from "@weir/flux/api";
import { HookRefusedError } from "./hook.ts";

/** Far longer than any image name or URL, in characters. */
const maxText = 1024;

/**
 * Parses a text as a JSON object. Throws HookRefusedError if it isn't JSON, and JsonShapeError if it's another value.
 */
export function readJson(text: string): JsonReader {
  try {
    return new JsonReader(JSON.parse(text) as JsonValue);
  } catch (error) {
    if (error instanceof SyntaxError) {
      // The original error would quote the text.
      throw new HookRefusedError("malformed", "the payload is not JSON");
    }
    throw error;
  }
}

/** Parses a body as a JSON object, which may be in the field "payload" of a form, as GitHub and Gitea can send it. */
export function readJsonOrForm(body: Buffer, contentType: string): JsonReader {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType);
  const text = body.toString("utf8");
  return readJson(isForm ? (new URLSearchParams(text).get("payload") ?? "") : text);
}

/**
 * An image that was pushed, given as "host/name:tag" or with separate tags; workloads may use another host for it.
 * Throws InvalidImageRefError or HookRefusedError.
 */
export function pushedRef(text: string, registryHost = "", tags: readonly string[] = []): Change {
  const { domain, image, tag } = parseImageRef(requiredText(text, "image"));
  return {
    kind: "image",
    name: { domain: registryHost || domain, image },
    tags: checkedTags([tag, ...tags]),
  };
}

/**
 * An image of a repository at a host ("" for none), as workloads name it. Throws InvalidImageRefError or
 * HookRefusedError.
 */
export function pushedImage(host: string, repository: string, tag: string): Change {
  const path = requiredText(repository, "repository");
  const { domain, image } = parseImageRef(host === "" ? path : `${host.replace(/\/+$/, "")}/${path}`);
  return { kind: "image", name: { domain, image }, tags: checkedTags([tag]) };
}

function checkedTags(tags: readonly string[]): readonly string[] {
  return tags.filter((tag) => tag !== "").map((tag) => requiredText(tag, "tag"));
}

/** A branch that was pushed; other refs are kept as they are. Throws HookRefusedError. */
export function pushedBranch(url: string, ref: string): Change {
  return {
    kind: "git",
    url: requiredText(url, "URL of the repository"),
    branch: requiredText(ref, "ref").replace(/^refs\/heads\//, ""),
  };
}

/** Requires a text that isn't empty and isn't unusually long. Throws HookRefusedError. */
export function requiredText(text: string, what: string): string {
  if (text === "" || text.length > maxText) {
    throw new HookRefusedError("malformed", `the ${what} is ${text === "" ? "missing" : "too long"}`);
  }
  return text;
}

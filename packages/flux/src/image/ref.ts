import { quoteGo } from "@weir/base";
import { canonicalImageName, type ImageName, printImageName } from "./name.ts";

/** An image as named in manifests. Missing parts are empty strings. */
export interface ImageRef extends ImageName {
  readonly tag: string;
  /** The hex digits of the SHA-256 digest, without "sha256:". */
  readonly sha: string;
}

/** A text isn't a valid image reference. */
export class InvalidImageRefError extends Error {
  override readonly name = "InvalidImageRefError";
  readonly input: string;

  constructor(input: string, message: string) {
    super(message);
    this.input = input;
  }
}

/** The empty reference. */
export const emptyImageRef: ImageRef = { domain: "", image: "", tag: "", sha: "" };

const malformed = "expected image name as either <image>:<tag> or just <image>: invalid image ID";

/**
 * Identifies a first path element as a domain. Like Flux v1's pattern, this one isn't anchored: two letters or digits
 * around a dot anywhere are enough.
 */
const domainPattern = /localhost|[a-zA-Z0-9][.][a-zA-Z0-9]/;

/**
 * Parses "[domain/]path[:tag][@sha256:hex]" by Flux v1's rules, which are less strict than a registry's. Throws
 * InvalidImageRefError.
 */
export function parseImageRef(input: string): ImageRef {
  const { ref, problem } = readImageRef(input);
  if (problem !== undefined) {
    throw new InvalidImageRefError(input, problem);
  }
  return ref;
}

/**
 * Parses as much of the text as possible and leaves the rest in the name, which is what Flux v1 shows for a container
 * with an invalid image.
 */
export function parseImageRefLoosely(input: string): ImageRef {
  return readImageRef(input).ref;
}

/** The text of a reference; a digest takes precedence over a tag. Empty for an empty reference. */
export function printImageRef(ref: ImageRef): string {
  const suffix = ref.sha !== "" ? `@sha256:${ref.sha}` : ref.tag !== "" ? `:${ref.tag}` : "";
  return printImageName(ref) + suffix;
}

/** The reference with all defaults filled in; without the digest, as in Flux v1. */
export function canonicalImageRef(ref: ImageRef): ImageRef {
  return { ...canonicalImageName(ref), tag: ref.tag, sha: "" };
}

/** The same image with another tag. A digest stays, so a pinned image prints as before. */
export function withTag(ref: ImageRef, tag: string): ImageRef {
  return { ...ref, tag };
}

/** True if two references are equal in every part. */
export function isSameImage(a: ImageRef, b: ImageRef): boolean {
  return a.domain === b.domain && a.image === b.image && a.tag === b.tag && a.sha === b.sha;
}

interface Reading {
  readonly ref: ImageRef;
  readonly problem?: string;
}

function readImageRef(input: string): Reading {
  if (input === "") {
    return { ref: emptyImageRef, problem: `parsing "": blank image name: invalid image ID` };
  }
  const problem = `parsing ${quoteGo(input)}: ${malformed}`;
  if (input.startsWith("/") || input.endsWith("/")) {
    return { ref: emptyImageRef, problem };
  }
  const name = splitDomain(input);
  const [path, sha = ""] = splitOnce(name.image, "@sha256:");
  if (path === "" || (sha === "" && path !== name.image)) {
    return { ref: { ...name, tag: "", sha: "" }, problem };
  }
  return readTag({ ...name, image: path, tag: "", sha }, problem);
}

function readTag(ref: ImageRef, problem: string): Reading {
  const [image = "", tag, ...more] = ref.image.split(":");
  if (more.length > 0) {
    return { ref, problem: malformed };
  }
  if (tag === undefined) {
    return { ref };
  }
  return image === "" || tag === "" ? { ref, problem } : { ref: { ...ref, image, tag } };
}

function splitDomain(input: string): ImageName {
  const slash = input.indexOf("/");
  const first = input.slice(0, Math.max(slash, 0));
  const isOnlySlash = slash >= 0 && input.indexOf("/", slash + 1) < 0;
  if (slash < 0 || (isOnlySlash && !domainPattern.test(first))) {
    return { domain: "", image: input };
  }
  return { domain: first, image: input.slice(slash + 1) };
}

function splitOnce(text: string, separator: string): readonly [before: string, after?: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** The parts of a reference to an image that people look at. */
export interface ImageText {
  /** The name without registry and path. */
  readonly name: string;
  /** The tag, or the beginning of the digest; may be empty. */
  readonly tag: string;
}

/** How many characters of a digest tell images apart. */
const digestLength = 12;

/** The last part of an image's name, and its tag or digest. */
export function imageText(ref: string): ImageText {
  const [path = "", digest] = ref.split("@", 2);
  const last = path.slice(path.lastIndexOf("/") + 1);
  const colon = last.lastIndexOf(":");
  const name = colon < 0 ? last : last.slice(0, colon);
  const tag = colon < 0 ? "" : last.slice(colon + 1);
  return { name, tag: tag === "" && digest !== undefined ? shortDigest(digest) : tag };
}

function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, "").slice(0, digestLength);
}

/** The part of a commit's hash that people read. */
export function shortRevision(revision: string): string {
  return revision.slice(0, 7);
}

/** The parts of an image reference, "" for those that are not there. */
export interface ModelRef {
  readonly domain: string;
  readonly image: string;
  readonly tag: string;
  readonly sha: string;
}

/** What Flux reads in a text: the parts, as far as it comes, and whether that is all of it. */
export interface ReadRef extends ModelRef {
  readonly ok: boolean;
}

/** pkg/image/image.go, ParseRef. */
export function readRef(text: string): ReadRef {
  const nothing = { domain: "", image: "", tag: "", sha: "", ok: false };
  if (text === "" || text.startsWith("/") || text.endsWith("/")) {
    return nothing;
  }
  const elements = text.split("/");
  const [first = "", ...others] = elements;
  const hasDomain = elements.length > 2 || (elements.length === 2 && looksLikeDomain(first));
  const domain = hasDomain ? first : "";
  const path = hasDomain ? others.join("/") : text;
  const at = path.indexOf("@sha256:");
  const [name, sha] = at < 0 ? [path, ""] : [path.slice(0, at), path.slice(at + "@sha256:".length)];
  if (at >= 0 && (name === "" || sha === "")) {
    return { ...nothing, domain, image: path };
  }
  const parts = name.split(":");
  const [image = "", tag = ""] = parts;
  if (parts.length === 1) {
    return { domain, image: name, tag: "", sha, ok: true };
  }
  return parts.length > 2 || image === "" || tag === ""
    ? { domain, image: name, tag: "", sha, ok: false }
    : { domain, image, tag, sha, ok: true };
}

/** The text of a reference: a digest hides the tag. */
export function printRef({ domain, image, tag, sha }: ModelRef): string {
  return printName({ domain, image }) + (sha !== "" ? `@sha256:${sha}` : tag !== "" ? `:${tag}` : "");
}

/** The text of a name, "" where there is no path. */
export function printName({ domain, image }: Pick<ModelRef, "domain" | "image">): string {
  return image === "" ? "" : domain === "" ? image : `${domain}/${image}`;
}

/** The name by which a registry is asked: Docker Hub's host and library are put in. */
export function canonicalName({ domain, image }: Pick<ModelRef, "domain" | "image">): string {
  const isHub = ["", "docker.io", "index.docker.io"].includes(domain);
  return isHub ? `index.docker.io/${image.includes("/") ? "" : "library/"}${image}` : `${domain}/${image}`;
}

/** A dot between two letters or digits is enough, wherever it is. */
function looksLikeDomain(element: string): boolean {
  return element.includes("localhost") || /[a-z0-9][.][a-z0-9]/i.test(element);
}

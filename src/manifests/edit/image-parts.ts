/** An image reference, split for values that keep its parts in separate fields; missing parts are "". */
export interface ImageParts {
  readonly registry: string;
  readonly name: string;
  readonly tag: string;
}

/**
 * Splits an image reference as kubeyaml does. The text before the first of two or more slashes is the registry; before
 * a single slash, only if it looks like a host. With four or more parts between colons, there's no tag.
 */
export function splitImage(reference: string): ImageParts {
  const [first = "", ...others] = reference.split("/");
  const hasRegistry = others.length > 1 || (others.length === 1 && isHost(first));
  const registry = hasRegistry ? first : "";
  const rest = hasRegistry ? others.join("/") : reference;
  const colons = rest.split(":").length - 1;
  if (colons !== 1 && colons !== 2) {
    return { registry, name: rest, tag: "" };
  }
  const at = rest.lastIndexOf(":");
  return { registry, name: rest.slice(0, at), tag: rest.slice(at + 1) };
}

/** Joins two parts, or returns the one that isn't empty. */
export function joinImage(before: string, after: string, separator: string): string {
  return [before, after].filter((part) => part !== "").join(separator);
}

/** True for `localhost`, or names joined by dots, with or without a port. */
function isHost(text: string): boolean {
  const [host = "", port, ...more] = text.split(":");
  if (more.length > 0 || (port !== undefined && !/^[0-9]+$/.test(port))) {
    return false;
  }
  const names = host.split(".");
  return host === "localhost" || (names.length > 1 && names.every(isHostName));
}

function isHostName(name: string): boolean {
  return /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(name);
}

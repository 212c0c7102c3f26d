/** An image reference, cut for values that keep its parts in fields of their own; what is missing is "". */
export interface ImageParts {
  readonly registry: string;
  readonly name: string;
  readonly tag: string;
}

/**
 * Cuts an image reference as kubeyaml does. What comes before the first of two or more slashes is the registry;
 * before a single one, only if it looks like a host. With four parts or more between colons there is no tag.
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

/** Joins two parts, or gives the one that is not empty. */
export function joinImage(before: string, after: string, separator: string): string {
  return [before, after].filter((part) => part !== "").join(separator);
}

/** `localhost`, or names joined by dots, with or without a port. */
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

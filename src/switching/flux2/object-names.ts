/** Turns text into part of a Kubernetes name: lowercase letters, digits, and dashes; "x" if nothing is left. */
export function toNamePart(text: string): string {
  const part = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replaceAll(/^-+|-+$/g, "");
  return part === "" ? "x" : part;
}

/** The length of a label, so that names fit into one. */
const maxLength = 63;

/** Gives each key a unique name: the one that it asks for, with a number if another key has it. */
export function uniqueNames(
  wanted: Iterable<readonly [key: string, name: string]>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const [key, name] of wanted) {
    if (!names.has(key)) {
      const free = freeName(name, taken);
      taken.add(free);
      names.set(key, free);
    }
  }
  return names;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) {
    return name;
  }
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const numbered = `${name.slice(0, maxLength - suffix.length)}${suffix}`;
    if (!taken.has(numbered)) {
      return numbered;
    }
  }
}

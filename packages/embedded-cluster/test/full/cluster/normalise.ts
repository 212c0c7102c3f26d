/**
 * What two clusters cannot agree on is told in words: the first uid that a scenario sees becomes "uid-1", every
 * time the same. So "the same object" and "an unchanged resource version" remain visible.
 */
export class Normaliser {
  readonly #names = new Map<string, string>();

  /** A value in which nothing depends on the cluster that gave it. */
  normalise(value: unknown): unknown {
    // First the versions of objects, so that messages that speak of them can be rewritten.
    this.#nameVersions(value);
    return this.#rewrite("", isContainer(value) && isTable(value) ? asOfLatest(value) : value);
  }

  #nameVersions(value: unknown): void {
    if (!isContainer(value)) {
      return;
    }
    const { resourceVersion } = metadataOf(value);
    if (typeof resourceVersion === "string" && resourceVersion !== "" && !isList(value)) {
      this.#name("version", resourceVersion);
    }
    for (const each of Object.values(value)) {
      this.#nameVersions(each);
    }
  }

  #rewrite(key: string, value: unknown): unknown {
    if (typeof value === "string") {
      return this.#rewriteText(key, value);
    }
    if (Array.isArray(value)) {
      const items = key === "managedFields" ? value.toSorted(byManager) : value;
      return items.filter(isTold).map((each) => this.#rewrite(key, each));
    }
    if (!isContainer(value)) {
      return chosenNumbers.has(key) && value !== 0 ? `<${key}>` : value;
    }
    const fields = Object.entries(known(value))
      .filter(([name]) => name !== templateGeneration)
      .map(([name, each]) => [name, this.#rewrite(name, each)]);
    return Object.fromEntries(fields);
  }

  #rewriteText(key: string, text: string): string {
    if (chosenTexts.has(key) && text !== "None" && text !== "") {
      return `<${key}>`;
    }
    // Times first: the minutes of one may be the digits of a version.
    return this.#withNames(key, text.replaceAll(times, "<time>"))
      .replaceAll(uids, (uid) => this.#name("uid", uid))
      .replaceAll(addresses, "<address>")
      .replaceAll(ports, ":<port>/")
      .replace(ages, "<age>");
  }

  #withNames(key: string, text: string): string {
    const known = this.#names.get(text);
    if (key !== "message") {
      return key === "resourceVersion" && known !== undefined ? known : text;
    }
    const replace = (told: string, [value, name]: readonly [string, string]): string =>
      told.replaceAll(new RegExp(`\\b${value}\\b`, "g"), name);
    return [...this.#names].reduce(replace, text);
  }

  #name(what: string, value: string): string {
    const found = this.#names.get(value);
    if (found !== undefined) {
      return found;
    }
    const count = [...this.#names.values()].filter((name) => name.startsWith(what)).length;
    const name = `${what}-${count + 1}`;
    this.#names.set(value, name);
    return name;
  }
}

/** An annotation that stands for a field of old; rows of tables lack it, by chance of how they are made. */
const templateGeneration = "deprecated.daemonset.template.generation";

type Container = Readonly<Record<string, unknown>>;

const uids = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const times = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const addresses = /\b10\.\d+\.\d+\.\d+\b(?!\/)/g;
const ports = /:3[0-2]\d{3}\//g;
const ages = /^(\d+[smhd])+$/;
/** What a server picks. */
const chosenNumbers = new Set(["nodePort", "healthCheckNodePort"]);
const chosenTexts = new Set(["clusterIP", "continue", "serverAddress"]);

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function metadataOf({ metadata }: Container): Container {
  return isContainer(metadata) ? metadata : {};
}

/** A container without what depends on all that ever happened in a cluster, and what it draws by lot. */
function known(value: Container): Container {
  const { generateName, name } = metadataOf(value);
  if (isList(value)) {
    return asOfLatest(value);
  }
  if (isBookmark(value)) {
    return { ...value, object: "<bookmark>" };
  }
  return typeof generateName === "string" && name !== undefined
    ? withMetadata(value, { name: `${generateName}<random>` })
    : value;
}

/** A list is as new as the whole cluster. */
function asOfLatest(value: Container): Container {
  return withMetadata(value, { resourceVersion: "<latest>" });
}

function withMetadata(value: Container, fields: Container): Container {
  return { ...value, metadata: { ...metadataOf(value), ...fields } };
}

function isList({ kind, items }: Container): boolean {
  return Array.isArray(items) && String(kind).endsWith("List");
}

function isTable({ kind, rows }: Container): boolean {
  return kind === "Table" && Array.isArray(rows);
}

function isBookmark(event: Container): boolean {
  return event["type"] === "BOOKMARK";
}

/** Bookmarks come when the server feels like it, but for the one that ends the initial events. */
function isTold(item: unknown): boolean {
  const object = isContainer(item) && isBookmark(item) ? item["object"] : undefined;
  return !isContainer(object) || metadataOf(object)["annotations"] !== undefined;
}

/** Managers stand in the order of their times, and so of how the seconds fell. */
function byManager(a: unknown, b: unknown): number {
  return managerOf(a) < managerOf(b) ? -1 : 1;
}

function managerOf(entry: unknown): string {
  const { manager, operation, apiVersion, subresource } = isContainer(entry) ? entry : {};
  return JSON.stringify([manager, operation, apiVersion, subresource]);
}

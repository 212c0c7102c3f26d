/**
 * What Flux v1.25.4 deletes, step by step as it does it, and without a line of Weir's: it lists every version of
 * every kind, keeps one object for each ID, and goes by marks, checksums and annotations.
 */
import { hash } from "node:crypto";
import type { Flags, ServedVersion } from "./garbage-world.ts";

/** A live object, as far as it matters. */
export interface LiveThing {
  readonly uid: string;
  readonly store: string;
  /** "" for what has none. */
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly owned: boolean;
}

/** A manifest of git whose kind is served, with the namespace that it goes to, "<cluster>" for none. */
export interface GitThing {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

interface Listed extends LiveThing {
  readonly id: string;
}

/** What a sync sees. */
export interface World {
  readonly served: readonly ServedVersion[];
  readonly lives: readonly LiveThing[];
  readonly git: readonly GitThing[];
}

/** The uids of what Flux v1 deletes in one sync. */
export function fluxCollects(
  { served, lives, git }: World,
  syncSetName: string,
  { allowedNamespaces, excludes }: Flags,
): ReadonlySet<string> {
  const found = listMarked(served, lives, allowedNamespaces, excludes);
  const recorded = new Set(git.filter((each) => isAllowed(each, allowedNamespaces)).map(idOf));
  const orphans = [...found.values()].filter(
    ({ id, labels, annotations }) =>
      labels["fluxcd.io/sync-gc-mark"] === mark(syncSetName, id) &&
      !recorded.has(id) &&
      !isKept(annotations["fluxcd.io/ignore"] ?? annotations["flux.weave.works/ignore"]),
  );
  return new Set(orphans.map(({ uid }) => uid));
}

/** True where a pattern of --k8s-unsafe-exclude-resource leaves a kind out in that version. */
export function isLeftOut({ groupVersion, kind }: ServedVersion, excludes: readonly string[]): boolean {
  return excludes.some((glob) => fits(glob, `${groupVersion}/`) || fits(glob, `${groupVersion}/${kind}`));
}

const marks = new Map<string, string>();

/** The mark of an object of a sync set. */
export function mark(syncSetName: string, id: string): string {
  const text = `${syncSetName}${id}`;
  const known = marks.get(text) ?? `sha256.${hash("sha256", text, "base64url")}`;
  marks.set(text, known);
  return known;
}

/** An ID as text. */
export function idOf({ namespace, kind, name }: GitThing): string {
  return `${namespace}:${kind.toLowerCase()}/${name}`;
}

function listMarked(
  served: readonly ServedVersion[],
  lives: readonly LiveThing[],
  allowedNamespaces: readonly string[],
  excludes: readonly string[],
): ReadonlyMap<string, Listed> {
  const found = new Map<string, Listed>();
  for (const version of served) {
    const { groupVersion, kind, namespaced, store } = version;
    const isSkipped = groupVersion === "v1" && (kind === "ComponentStatus" || kind === "Endpoints");
    if (isLeftOut(version, excludes) || isSkipped) {
      continue;
    }
    for (const live of lives) {
      const isListed =
        live.store === store &&
        "fluxcd.io/sync-gc-mark" in live.labels &&
        (!namespaced || allowedNamespaces.length === 0 || allowedNamespaces.includes(live.namespace));
      if (isListed && !live.owned) {
        const id = idOf({ namespace: namespaced ? live.namespace : "<cluster>", kind, name: live.name });
        found.set(id, { ...live, id });
      }
    }
  }
  return found;
}

function isAllowed({ namespace, kind, name }: GitThing, allowedNamespaces: readonly string[]): boolean {
  if (allowedNamespaces.length === 0) {
    return true;
  }
  if (namespace === "<cluster>") {
    return kind.toLowerCase() !== "namespace" || allowedNamespaces.includes(name);
  }
  return allowedNamespaces.includes(namespace);
}

function isKept(ignore: string | undefined): boolean {
  return ignore === "true" || ignore === "sync_only";
}

const patterns = new Map<string, RegExp>();

function fits(glob: string, text: string): boolean {
  const known = patterns.get(glob) ?? patternOf(glob);
  patterns.set(glob, known);
  return known.test(text);
}

function patternOf(glob: string): RegExp {
  const parts = glob.split("*").map((part) => part.replace(/[.^$+?()[\]{}|\\/-]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

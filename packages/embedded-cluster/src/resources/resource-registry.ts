/** All resources that are served: the built-in ones, and those of custom resource definitions as they come and go. */
import type { GroupVersionResources } from "./builtin-resources.ts";
import type { ServedResource } from "./served-resource.ts";

/** A group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly GroupVersionResources[];
}

export class ResourceRegistry {
  readonly #builtin: readonly GroupVersionResources[];
  /** By the name of the definition that brought them. */
  readonly #custom = new Map<string, readonly ServedResource[]>();
  #byPath = new Map<string, ServedResource>();
  #byKind = new Map<string, ServedResource>();
  #byBucket = new Map<string, readonly ServedResource[]>();
  #groups: readonly ServedGroup[] = [];
  #generation = 0;

  constructor(builtin: readonly GroupVersionResources[]) {
    this.#builtin = builtin;
    this.#index();
  }

  /** Counts changes: what is computed from the resources holds as long as it stays. */
  get generation(): number {
    return this.#generation;
  }

  /** The core group (name "") first, then the others in the order of discovery. */
  get groups(): readonly ServedGroup[] {
    return this.#groups;
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#byPath.get(pathKey(group, version, resource));
  }

  group(name: string): ServedGroup | undefined {
    return this.#groups.find((group) => group.name === name);
  }

  /** The resource in the version in which an object of a bucket is kept; any where that one is not served. */
  ofStored(bucket: string, apiVersion: string): ServedResource | undefined {
    const versions = this.#byBucket.get(bucket);
    return versions?.find((resource) => resource.apiVersion === apiVersion) ?? versions?.[0];
  }

  /** The served resource of a kind, e.g. of an owner reference. */
  ofKind(apiVersion: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(`${apiVersion}/${kind}`);
  }

  all(): readonly ServedResource[] {
    return [...this.#byPath.values()];
  }

  /** Serves the resources of a definition in the place of those it served before; none removes it. */
  setCustom(definition: string, resources: readonly ServedResource[]): void {
    if (resources.length === 0) {
      this.#custom.delete(definition);
    } else {
      this.#custom.set(definition, resources);
    }
    this.#index();
  }

  #index(): void {
    const groups = new Map<string, GroupVersionResources[]>();
    for (const one of this.#builtin) {
      groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
    }
    for (const [group, versions] of customGroups([...this.#custom.values()].flat())) {
      groups.set(group, [...(groups.get(group) ?? []), ...versions]);
    }
    this.#groups = [...groups].map(([name, versions]) => ({ name, versions }));
    this.#byPath = new Map(
      [...groups.values()]
        .flat()
        .flatMap(({ group, version, resources }) =>
          resources.map((resource) => [pathKey(group, version, resource.resource), resource] as const),
        ),
    );
    this.#byKind = new Map(
      // Where a kind has several resources, e.g. Scale, the first one is its own.
      [...this.#byPath.values()].reverse().map((one) => [`${one.apiVersion}/${one.kind}`, one]),
    );
    this.#byBucket = Map.groupBy(this.#byPath.values(), ({ bucket }) => bucket);
    this.#generation++;
  }
}

function pathKey(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}

function customGroups(resources: readonly ServedResource[]): Map<string, GroupVersionResources[]> {
  const versions = new Map<string, ServedResource[]>();
  for (const resource of resources) {
    const key = `${resource.group}/${resource.version}`;
    versions.set(key, [...(versions.get(key) ?? []), resource]);
  }
  const groups = new Map<string, GroupVersionResources[]>();
  for (const list of versions.values()) {
    const [first] = list;
    if (first !== undefined) {
      const { group, version } = first;
      const sorted = [...list].sort((a, b) => (a.resource < b.resource ? -1 : 1));
      groups.set(group, [...(groups.get(group) ?? []), { group, version, resources: sorted }]);
    }
  }
  for (const list of groups.values()) {
    list.sort((a, b) => compareVersions(b.version, a.version));
  }
  return groups;
}

/** Orders versions as Kubernetes prefers them: stable before beta before alpha, then the higher number. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [rank(a), rank(b)];
  for (const [index, value] of one.entries()) {
    const difference = value - (other[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  // Names that follow no pattern come last, in the order of the alphabet.
  return a < b ? 1 : a > b ? -1 : 0;
}

function rank(version: string): readonly number[] {
  const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (major === undefined) {
    return [0, 0, 0];
  }
  const stability = stage === undefined ? 3 : stage === "beta" ? 2 : 1;
  return [stability, Number(major), Number(minor ?? 0)];
}

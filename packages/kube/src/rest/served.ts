import type { ApiResource } from "../api-resource.ts";
import type { GroupKind } from "../gvk.ts";
import type { DiscoveryFailure, Served } from "./discovery-answer.ts";

/** A kind that a server serves. */
export interface ServedKind {
  /** The resource in each version, starting with the preferred version of its group. */
  readonly versions: readonly [ApiResource, ...ApiResource[]];
  /** The position of the kind in the server's order. */
  readonly place: number;
}

/** Looks up the resources of kinds in a discovery result. */
export class ServedKinds {
  readonly served: Served;
  readonly #byKind = new Map<
    string,
    { readonly versions: [ApiResource, ...ApiResource[]]; readonly place: number }
  >();

  constructor(served: Served) {
    this.served = served;
    for (const resource of served.resources) {
      this.#add(resource);
    }
  }

  /**
   * The resource of a kind in that version, or in the first version in its group's order of preference that
   * has the kind.
   */
  find(kind: GroupKind, version?: string): ApiResource | undefined {
    const versions = this.kind(kind)?.versions;
    return version === undefined ? versions?.[0] : versions?.find((resource) => resource.version === version);
  }

  kind(kind: GroupKind): ServedKind | undefined {
    return this.#byKind.get(textOf(kind));
  }

  /** All kinds in the server's order. */
  kinds(): readonly ServedKind[] {
    return [...this.#byKind.values()];
  }

  /** Two resources of one version can have the same kind: then the one that can be listed is used. */
  #add(resource: ApiResource): void {
    const versions = this.#byKind.get(textOf(resource))?.versions;
    const rival = versions?.findIndex(({ version }) => version === resource.version) ?? -1;
    if (versions === undefined) {
      this.#byKind.set(textOf(resource), { versions: [resource], place: this.#byKind.size });
    } else if (rival < 0) {
      versions.push(resource);
    } else if (versions[rival]?.verbs.includes("list") === false && resource.verbs.includes("list")) {
      versions[rival] = resource;
    }
  }
}

/**
 * The current result, with the previous result for versions that failed: if an aggregated API server is
 * briefly unavailable, its kinds don't disappear.
 */
export function keepFailed(now: Served, before: Served | undefined): Served {
  const unknown = now.failures.filter(
    (failure) => !now.resources.some((resource) => isOf(resource, failure)),
  );
  const kept =
    before?.resources.filter((resource) => unknown.some((failure) => isOf(resource, failure))) ?? [];
  return { resources: [...now.resources, ...kept], failures: now.failures };
}

function isOf(resource: ApiResource, failure: DiscoveryFailure): boolean {
  return resource.group === failure.group && resource.version === failure.version;
}

function textOf(kind: GroupKind): string {
  return `${kind.group}/${kind.kind}`;
}

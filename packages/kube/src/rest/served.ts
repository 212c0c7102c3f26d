import type { ApiResource } from "../api-resource.ts";
import type { GroupKind } from "../gvk.ts";
import type { DiscoveryFailure, Served } from "./discovery-answer.ts";

/** A kind as a server has it. */
export interface ServedKind {
  /** The resource in each version, the one that its group prefers first. */
  readonly versions: readonly [ApiResource, ...ApiResource[]];
  /** Kinds that the server tells of later have a higher number. */
  readonly place: number;
}

/** Answers which resource a kind is, from what discovery told. */
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

  /** The resource of a kind in that version, or in the one its group prefers of those that have it. */
  find(kind: GroupKind, version?: string): ApiResource | undefined {
    const versions = this.kind(kind)?.versions;
    return version === undefined ? versions?.[0] : versions?.find((resource) => resource.version === version);
  }

  kind(kind: GroupKind): ServedKind | undefined {
    return this.#byKind.get(textOf(kind));
  }

  /** All kinds in the order in which the server tells of them. */
  kinds(): readonly ServedKind[] {
    return [...this.#byKind.values()];
  }

  /** Two resources of one version may have the same kind: then the one that can be listed is meant. */
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
 * What is served, with what was known before of the versions that cannot be told now: an aggregated API server
 * that is away for a moment takes none of its kinds with it.
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

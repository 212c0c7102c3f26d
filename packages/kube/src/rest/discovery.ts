import { type Clock, isJsonObject, type JsonObject, systemClock } from "@weir/base";
import type { ApiResource } from "../api-resource.ts";
import { KubeApiError } from "../api-status.ts";
import { apiVersionOf, type GroupKind, type GroupVersionKind } from "../gvk.ts";
import {
  type GroupVersions,
  readAggregated,
  readCoreVersions,
  readGroupList,
  readResourceList,
  type Served,
} from "./discovery-answer.ts";
import type { RestClient } from "./rest.ts";
import { keepFailed, type ServedKind, ServedKinds } from "./served.ts";

/** Discovers which kinds a server serves. All methods reject if the server can't be reached. */
export interface Discovery {
  /** The resource of a kind, in its preferred version or the given one; undefined if it isn't served. */
  resourceOf(kind: GroupKind, version?: string): Promise<ApiResource | undefined>;
  resourceFor(gvk: GroupVersionKind): Promise<ApiResource | undefined>;
  /** A kind in all of its versions; undefined if it isn't served. */
  kindOf(kind: GroupKind): Promise<ServedKind | undefined>;
  /** All resources in all versions, and the versions that failed. */
  all(): Promise<Served>;
  /** All kinds in the server's order. */
  kinds(): Promise<readonly ServedKind[]>;
  /** Makes the next call ask the server again: a CRD or an API service changed. */
  invalidate(): void;
}

/** If a kind isn't found, the server is asked again, but not more often than this. */
const missIntervalMs = 500;
const aggregatedForms = ["v2", "v2beta1"].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
const accept = [...aggregatedForms, "application/json"].join(",");

/** Discovery that asks the server when it's first needed, and caches the result. */
export function createDiscovery(client: RestClient, clock: Clock = systemClock): Discovery {
  return new CachedDiscovery(client, clock);
}

class CachedDiscovery implements Discovery {
  readonly #client: RestClient;
  readonly #clock: Clock;
  #current: Promise<ServedKinds> | undefined;
  #before: Served | undefined;
  #askedAt = -Infinity;

  constructor(client: RestClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  resourceOf(kind: GroupKind, version?: string): Promise<ApiResource | undefined> {
    return this.#find((kinds) => kinds.find(kind, version));
  }

  kindOf(kind: GroupKind): Promise<ServedKind | undefined> {
    return this.#find((kinds) => kinds.kind(kind));
  }

  resourceFor(gvk: GroupVersionKind): Promise<ApiResource | undefined> {
    return this.resourceOf(gvk, gvk.version);
  }

  async all(): Promise<Served> {
    return (await this.#kinds()).served;
  }

  async kinds(): Promise<readonly ServedKind[]> {
    return (await this.#kinds()).kinds();
  }

  invalidate(): void {
    this.#current = undefined;
  }

  async #find<T>(look: (kinds: ServedKinds) => T | undefined): Promise<T | undefined> {
    const found = look(await this.#kinds());
    if (found !== undefined || this.#clock.now() - this.#askedAt < missIntervalMs) {
      return found;
    }
    this.invalidate();
    return look(await this.#kinds());
  }

  #kinds(): Promise<ServedKinds> {
    if (this.#current === undefined) {
      this.#askedAt = this.#clock.now();
      const asked = this.#ask();
      this.#current = asked;
      // A failure isn't cached: the next call asks again.
      asked.catch(() => {
        if (this.#current === asked) {
          this.#current = undefined;
        }
      });
    }
    return this.#current;
  }

  async #ask(): Promise<ServedKinds> {
    const [core, groups] = await Promise.all([
      this.#served("/api", (answer) => [readCoreVersions(answer)]),
      this.#served("/apis", readGroupList),
    ]);
    const now = {
      resources: [...core.resources, ...groups.resources],
      failures: [...core.failures, ...groups.failures],
    };
    const served = keepFailed(now, this.#before);
    this.#before = served;
    return new ServedKinds(served);
  }

  /** Servers before 1.27, and some aggregated ones, don't support aggregated discovery. */
  async #served(path: string, groupsIn: (answer: JsonObject) => readonly GroupVersions[]): Promise<Served> {
    const answer = await this.#object(path);
    if (answer["kind"] === "APIGroupDiscoveryList") {
      return readAggregated(answer);
    }
    const versions = groupsIn(answer).flatMap(({ group, versions }) =>
      versions.map((version) => ({ group, version })),
    );
    const parts = await Promise.all(versions.map(({ group, version }) => this.#version(group, version)));
    return {
      resources: parts.flatMap((part) => part.resources),
      failures: parts.flatMap((part) => part.failures),
    };
  }

  async #version(group: string, version: string): Promise<Served> {
    const path = group === "" ? `/api/${version}` : `/apis/${apiVersionOf(group, version)}`;
    try {
      return { resources: readResourceList(await this.#object(path), group, version), failures: [] };
    } catch (error) {
      if (error instanceof KubeApiError) {
        return { resources: [], failures: [{ group, version, reason: error.message }] };
      }
      throw error;
    }
  }

  async #object(path: string): Promise<JsonObject> {
    const answer = await this.#client.json({ method: "GET", path, accept });
    return isJsonObject(answer) ? answer : {};
  }
}

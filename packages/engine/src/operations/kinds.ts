import { isJsonObject, orAborted } from "@weir/base";
import { type ApiResource, apiVersionOf, type GroupVersionKind, gvkOf, type KubeObject } from "@weir/kube";
import { readResourceList } from "@weir/kube/rest";
import type { ResourceCache } from "../cache/resource-cache.ts";
import { crdHealth } from "../health/crd.ts";
import { definedKind } from "../plan/defined-kind.ts";
import type { OperationContext } from "./context.ts";
import { unknownKindMessage } from "./error-message.ts";
import { OperationError, operationError } from "./operation-error.ts";
import { readObject } from "./read.ts";

/** How long objects wait for a kind from the same sync to be served. */
const waitMs = 10_000;
const lookMs = 100;

const crdResource: ApiResource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  resource: "customresourcedefinitions",
  namespaced: false,
  verbs: ["get"],
};

/**
 * Finds the resources of kinds for one sync. If a kind isn't served but its definition is among the targets
 * of the same sync, all of its objects together wait for it for a short time.
 */
export class KindFinder {
  readonly #context: OperationContext;
  readonly #cache: Pick<ResourceCache, "resourceOf">;
  readonly #definitions: ReadonlyMap<string, KubeObject>;
  readonly #found = new Map<string, Promise<ApiResource>>();

  constructor(
    context: OperationContext,
    cache: Pick<ResourceCache, "resourceOf">,
    targets: Iterable<KubeObject>,
  ) {
    this.#context = context;
    this.#cache = cache;
    this.#definitions = definitionsAmong(targets);
  }

  /** The resource of an object. Rejects with OperationError if the server has none. */
  find(object: KubeObject, signal: AbortSignal): Promise<ApiResource> {
    const name = `${object.apiVersion}/${object.kind}`;
    const known = this.#found.get(name);
    if (known !== undefined) {
      return known;
    }
    const asked = this.#ask(object, signal).catch((error: unknown) => {
      // A missing kind stays missing for this sync; a server that didn't respond may respond the next time.
      if (!(error instanceof OperationError)) {
        this.#found.delete(name);
      }
      throw operationError(error, { verb: "recognizing", objects: [object], signal });
    });
    this.#found.set(name, asked);
    return asked;
  }

  async #ask(object: KubeObject, signal: AbortSignal): Promise<ApiResource> {
    const gvk = gvkOf(object);
    const served = await orAborted(this.#cache.resourceOf(gvk, gvk.version), signal);
    const found = served ?? (await this.#awaitServed(gvk, signal));
    if (found === undefined) {
      throw new OperationError(unknownKindMessage(object), "NotFound");
    }
    return found;
  }

  async #awaitServed(gvk: GroupVersionKind, signal: AbortSignal): Promise<ApiResource | undefined> {
    const { clock } = this.#context;
    const definition = this.#definitions.get(`${gvk.group}/${gvk.kind}`);
    const until = clock.now() + waitMs;
    while (definition !== undefined && clock.now() < until) {
      const live = await readObject(this.#context, crdResource, definition, signal);
      const health = live === undefined ? undefined : crdHealth(live).status;
      // Without a live definition, or with a name that's already taken, the kind won't be served.
      if (health === undefined || health === "Degraded") {
        return undefined;
      }
      const resource = health === "Healthy" ? await this.#served(gvk, signal) : undefined;
      if (resource !== undefined) {
        return resource;
      }
      await clock.sleep(lookMs, signal);
    }
    return undefined;
  }

  /** Asks the group itself: it reflects new kinds sooner than complete discovery does. */
  async #served(gvk: GroupVersionKind, signal: AbortSignal): Promise<ApiResource | undefined> {
    const { group, version, kind } = gvk;
    const path = `/apis/${apiVersionOf(group, version)}`;
    const answer = await this.#context.client.json({ method: "GET", path, signal }).catch(() => undefined);
    const resources = isJsonObject(answer) ? readResourceList(answer, group, version) : [];
    return resources.find((resource) => resource.kind === kind);
  }
}

/** The custom resource definitions by the kinds that they define. */
function definitionsAmong(targets: Iterable<KubeObject>): ReadonlyMap<string, KubeObject> {
  const definitions = new Map<string, KubeObject>();
  for (const target of targets) {
    const kind = definedKind(target);
    if (kind !== undefined) {
      definitions.set(kind, target);
    }
  }
  return definitions;
}

import { messageOf } from "@weir/base";
import { apiVersionOf, type GroupVersionKind } from "@weir/kube";
import type { Discovery } from "@weir/kube/rest";
import type { KindScope, ScopePort } from "../manifests/scope.ts";

/** Finds the scope of kinds through the API server's discovery. */
export class DiscoveredScopes implements ScopePort {
  readonly defaultNamespace: string;
  readonly #discovery: Discovery;

  constructor(discovery: Discovery, defaultNamespace: string) {
    this.#discovery = discovery;
    this.defaultNamespace = defaultNamespace;
  }

  /** The scope of a kind in exactly this version. Rejects if the server can't be reached. */
  async scopeOf(gvk: GroupVersionKind): Promise<KindScope> {
    try {
      const resource = await this.#discovery.resourceFor(gvk);
      return resource === undefined ? "unknown" : resource.namespaced ? "namespaced" : "cluster";
    } catch (error) {
      const kind = `${gvk.kind}.${apiVersionOf(gvk.group, gvk.version)}`;
      throw new Error(`error looking up API resources for ${kind}: ${messageOf(error)}`, { cause: error });
    }
  }
}

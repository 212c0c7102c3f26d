import type { Logger } from "@weir/base";
import { clusterScope, makeResourceId, type ResourceId } from "@weir/flux";
import type { ManifestSet } from "./assemble.ts";
import type { Manifest } from "./manifest.ts";

/** Logs once that a resource is left out because its kind is unknown, and once that it's back. */
export class ScopeLog {
  readonly #logger: Logger;
  readonly #defaultNamespace: string;
  readonly #missing = new Map<ResourceId, Manifest>();

  constructor(logger: Logger, defaultNamespace: string) {
    this.#logger = logger;
    this.#defaultNamespace = defaultNamespace;
  }

  /** Compares a set with what was logged before. */
  report({ unscoped, resources }: Pick<ManifestSet, "unscoped" | "resources">): void {
    for (const [id, manifest] of this.#missing) {
      const found = idsOf(manifest, this.#defaultNamespace).find((one) => resources.has(one));
      if (found !== undefined) {
        this.#logger.log({ info: `found scope of resource ${found}, back in business!` });
        this.#missing.delete(id);
      }
    }
    for (const manifest of unscoped) {
      if (!this.#missing.has(manifest.id)) {
        this.#missing.set(manifest.id, manifest);
        this.#warn(manifest);
      }
    }
  }

  #warn({ content: { apiVersion, kind, name } }: Manifest): void {
    const resource = `${kind.toLowerCase()}/${name}`;
    this.#logger.log({
      warn: `cannot find scope of resource ${resource}: resource not found for API ${apiVersion}, kind ${kind}`,
      impact: `resource ${resource} will be excluded until its scope is available`,
    });
  }
}

/** The IDs that a manifest may turn out to have. */
function idsOf({ id, content: { kind, name } }: Manifest, defaultNamespace: string): readonly ResourceId[] {
  return [id, makeResourceId(clusterScope, kind, name), makeResourceId(defaultNamespace, kind, name)];
}

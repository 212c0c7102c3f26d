import { isJsonObject, type JsonObject, type Logger } from "@weir/base";
import type { ClusterCache } from "@weir/engine";
import {
  mergeCredentials,
  noCredentials,
  parseImageRefLoosely,
  printImageName,
  type RegistryCredentials,
} from "@weir/flux";
import type { KubeObject } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import { PullSecrets, tellOnce } from "../cluster-state/pull-secrets.ts";
import { writtenContainers } from "../manifests/workload.ts";
import { workloadGroupKinds } from "./workloads.ts";

/** Lists the images that the cluster's workloads use, with their pull secrets. */
export class ClusterImages {
  readonly #options: ClusterImagesOptions;
  readonly #tell: (secret: string, problem: string) => void;

  constructor(options: ClusterImagesOptions) {
    this.#options = options;
    this.#tell = tellOnce(options.logger);
  }

  /**
   * By name as spelled in the workload; workloads that share an image share their credentials. Like Flux v1's
   * ImagesToFetch.
   */
  async imageCredentials(signal: AbortSignal): Promise<ReadonlyMap<string, RegistryCredentials>> {
    const secrets = new PullSecrets(this.#options.client, this.#tell, signal);
    const found = new Map<string, RegistryCredentials>();
    for (const object of await this.#workloads(signal)) {
      const names = imageNamesOf(object);
      const own =
        names.length === 0
          ? noCredentials
          : await secrets.ofPods(object.metadata.namespace ?? "", podSpecOf(object));
      for (const name of names) {
        found.set(name, mergeCredentials(found.get(name) ?? noCredentials, own));
      }
    }
    return found;
  }

  async #workloads(signal: AbortSignal): Promise<readonly KubeObject[]> {
    const { cache, allowedNamespaces } = this.#options;
    await cache.holdKinds(workloadGroupKinds, signal);
    const namespaces = allowedNamespaces.size === 0 ? [undefined] : [...allowedNamespaces];
    return workloadGroupKinds.flatMap((kind) => namespaces.flatMap((each) => [...cache.list(kind, each)]));
  }
}

export interface ClusterImagesOptions {
  readonly cache: ClusterCache;
  readonly client: RestClient;
  /** Empty for all. */
  readonly allowedNamespaces: ReadonlySet<string>;
  readonly logger: Logger;
}

/** The names of images, without tags; invalid ones are left out. */
function imageNamesOf(object: KubeObject): readonly string[] {
  const { containers, initContainers } = writtenContainers(object);
  const written = [...containers, ...initContainers];
  const names = written.map(({ image }) => printImageName(parseImageRefLoosely(image)));
  return [...new Set(names)].filter((name) => name !== "");
}

/** A HelmRelease doesn't describe its pods, so they get the secrets of the default service account. */
function podSpecOf({ kind, spec }: KubeObject): JsonObject {
  const path = kind === "CronJob" ? ["jobTemplate", "spec", "template", "spec"] : ["template", "spec"];
  return path.reduce((at, key) => objectAt(at[key]), objectAt(spec));
}

function objectAt(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

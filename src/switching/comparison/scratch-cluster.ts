import { type Environment, isJsonObject, messageOf } from "@weir/base";
import { startEmbeddedCluster } from "@weir/embedded-cluster";
import { gvkOf, isApiReason, type KubeObject, resourcePath, scrubSecrets } from "@weir/kube";
import { createRestClient, credentialsOf, parseKubeConfig } from "@weir/kube/client";
import { createDiscovery, type Discovery, type RestClient } from "@weir/kube/rest";
import { isDefinition, isNamespace } from "./object-roles.ts";

/** An object that the API server doesn't accept. */
export interface RefusedObject {
  readonly object: KubeObject;
  readonly error: string;
}

/**
 * An API server in this process, without controllers: it fills in defaults and refuses what a cluster would, and nothing
 * in it moves by itself. It listens on the loopback interface only, and ends when it's disposed.
 */
export class ScratchCluster implements AsyncDisposable {
  readonly client: RestClient;
  readonly #stop: () => Promise<void>;

  private constructor(client: RestClient, stop: () => Promise<void>) {
    this.client = client;
    this.#stop = stop;
  }

  static async start(env: Environment, signal: AbortSignal): Promise<ScratchCluster> {
    const cluster = await startEmbeddedCluster({ controllerManager: false, signal });
    const credentials = credentialsOf(parseKubeConfig(cluster.kubeconfig, "offline"), { env });
    const client = createRestClient({ credentials, userAgent: "fluxctl", timeoutMs: 60_000 });
    return new ScratchCluster(client, async () => {
      await client.close();
      await cluster.stop();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  /**
   * Stores objects, or replaces those that exist: first definitions of kinds and namespaces, on which the others depend.
   * Resolves to those that are refused.
   */
  async store(objects: readonly KubeObject[], signal: AbortSignal): Promise<readonly RefusedObject[]> {
    const refused: RefusedObject[] = [];
    for (const isNext of [isDefinition, isNamespace, isOther]) {
      const discovery = createDiscovery(this.client);
      for (const object of objects.filter(isNext)) {
        const error = await this.#storeOne(object, discovery, signal);
        if (error !== undefined) {
          refused.push({ object, error: scrubSecrets(error, [object]) });
        }
      }
    }
    return refused;
  }

  async #storeOne(
    object: KubeObject,
    discovery: Discovery,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    try {
      const resource = await discovery.resourceFor(gvkOf(object));
      if (resource === undefined) {
        return `no matches for kind "${object.kind}" in version "${object.apiVersion}"`;
      }
      const { name = "", namespace = "" } = object.metadata;
      const path = resourcePath(resource, namespace);
      await this.client
        .json({ method: "POST", path, query: asFluxd, body: object, signal })
        .catch(async (error: unknown) => {
          if (!isApiReason(error, "AlreadyExists")) {
            throw error;
          }
          await this.#replace(resourcePath(resource, namespace, name), object, signal);
        });
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return messageOf(error);
    }
  }

  async #replace(path: string, object: KubeObject, signal: AbortSignal): Promise<void> {
    const live = await this.client.json({ method: "GET", path, signal });
    const old = isJsonObject(live) ? live["metadata"] : undefined;
    const resourceVersion = isJsonObject(old) ? old["resourceVersion"] : undefined;
    const body = { ...object, metadata: { ...object.metadata, resourceVersion } };
    await this.client.json({ method: "PUT", path, query: asFluxd, body, signal });
  }
}

/** The field manager of what a sync has applied. */
const asFluxd = { fieldManager: "kubectl-client-side-apply" };

function isOther(object: KubeObject): boolean {
  return !isDefinition(object) && !isNamespace(object);
}

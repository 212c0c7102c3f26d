import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import { isRefused, type RestClient } from "@weir/kube/rest";
import { at, textAt } from "./json-at.ts";
import { type SeenObject, type SeenObjects, tellObjects } from "./tell-objects.ts";
import type { Told } from "./told.ts";

/** A collection to watch, and what to report about each object. */
interface Look {
  readonly kind: string;
  readonly path: string;
  tell(object: Item): string;
}

type Item = Readonly<Record<string, JsonValue | undefined>>;

const looks: readonly Look[] = [
  { kind: "Namespace", path: "/api/v1/namespaces", tell: () => "" },
  {
    kind: "CustomResourceDefinition",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    tell: () => "",
  },
  { kind: "ConfigMap", path: "/api/v1/configmaps", tell: () => "" },
  { kind: "Service", path: "/api/v1/services", tell: () => "" },
  { kind: "Deployment", path: "/apis/apps/v1/deployments", tell: deploymentState },
  {
    kind: "CronJob",
    path: "/apis/batch/v1/cronjobs",
    tell: (object) => textAt(object, "spec", "schedule"),
  },
  {
    kind: "Dashboard",
    path: "/apis/observe.example.com/v1/dashboards",
    tell: (object) => JSON.stringify(at(object, "spec", "title")),
  },
];

const systemNamespaces = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** Watches the demo's cluster with the kubeconfig that fluxd wrote. */
export class ClusterWatcher {
  readonly #client: RestClient;
  #seen: SeenObjects = new Map();

  private constructor(client: RestClient) {
    this.#client = client;
  }

  static async connect(kubeconfig: string): Promise<ClusterWatcher> {
    const credentials = await loadKubeConfig({ kubeconfig, env: process.env });
    return new ClusterWatcher(createRestClient({ credentials, userAgent: "weir-demo" }));
  }

  /** What is new, changed, or deleted since the last call; nothing while the API server doesn't answer. */
  async look(): Promise<readonly Told[]> {
    const now = await this.#objects().catch(() => this.#seen);
    const told = tellObjects(this.#seen, now);
    this.#seen = now;
    return told;
  }

  /** One object, or undefined if it doesn't exist. */
  async get(path: string): Promise<Item | undefined> {
    try {
      const object = await this.#client.json({ method: "GET", path });
      return isJsonObject(object) ? object : undefined;
    } catch {
      return undefined;
    }
  }

  async scale(path: string, replicas: number): Promise<void> {
    await this.#client.json({
      method: "PATCH",
      path,
      contentType: "application/merge-patch+json",
      body: { spec: { replicas } },
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #objects(): Promise<SeenObjects> {
    // All at the same time, so that nothing is reported before the objects that it needs.
    const lists = await Promise.all(
      looks.map(async (each) => ({ each, items: await this.#list(each.path) })),
    );
    const objects = lists.flatMap(({ each, items }) =>
      items
        .filter((item) => !isOfTheSystem(item))
        .map((item): [string, SeenObject] => [
          `${each.kind} ${nameOf(item)}`,
          { state: each.tell(item), uid: textAt(item, "metadata", "uid") },
        ]),
    );
    return new Map(objects);
  }

  /** Rejects if the API server doesn't answer; a kind that isn't served has no objects. */
  async #list(path: string): Promise<readonly Item[]> {
    try {
      const list = await this.#client.json({ method: "GET", path });
      const items = isJsonObject(list) ? list["items"] : undefined;
      return isJsonArray(items) ? items.filter(isJsonObject) : [];
    } catch (error) {
      if (isRefused(error)) {
        return [];
      }
      throw error;
    }
  }
}

function deploymentState(object: Item): string {
  const image = textAt(object, "spec", "template", "spec", "containers", 0, "image");
  const ready = Number(at(object, "status", "readyReplicas") ?? 0);
  return `${image}, ${ready} of ${Number(at(object, "spec", "replicas"))} ready`;
}

function nameOf(item: Item): string {
  const namespace = at(item, "metadata", "namespace");
  const name = textAt(item, "metadata", "name");
  return typeof namespace === "string" ? `${namespace}/${name}` : name;
}

function isOfTheSystem(item: Item): boolean {
  const place = at(item, "metadata", "namespace") ?? at(item, "metadata", "name");
  return typeof place === "string" && systemNamespaces.includes(place);
}

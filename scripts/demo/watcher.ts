import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import type { Narrator } from "./narrator.ts";

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

/** Watches the demo's cluster with the kubeconfig that fluxd wrote, and reports changes. */
export class ClusterWatcher {
  readonly #client: RestClient;
  readonly #narrator: Narrator;
  #seen = new Map<string, string>();

  private constructor(client: RestClient, narrator: Narrator) {
    this.#client = client;
    this.#narrator = narrator;
  }

  static async connect(kubeconfig: string, narrator: Narrator): Promise<ClusterWatcher> {
    const credentials = await loadKubeConfig({ kubeconfig, env: process.env });
    return new ClusterWatcher(createRestClient({ credentials, userAgent: "weir-demo" }), narrator);
  }

  /** Reports what is new, changed, or deleted since the last call. */
  async look(): Promise<void> {
    // All at the same time, so that nothing is reported before the objects that it needs.
    const lists = await Promise.all(
      looks.map(async (each) => ({ each, items: await this.#list(each.path) })),
    );
    const now = new Map<string, string>();
    for (const { each, items } of lists) {
      for (const item of items) {
        if (!isOfTheSystem(item)) {
          now.set(`${each.kind} ${nameOf(item)}`, each.tell(item));
        }
      }
    }
    this.#tell(now);
    this.#seen = now;
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

  async #list(path: string): Promise<readonly Item[]> {
    const list = await this.get(path);
    const items = list?.["items"];
    return isJsonArray(items) ? items.filter(isJsonObject) : [];
  }

  #tell(now: ReadonlyMap<string, string>): void {
    for (const [name, state] of now) {
      const before = this.#seen.get(name);
      if (before === undefined) {
        this.#narrator.saw("+", `${name}${state === "" ? "" : `: ${state}`}`);
      } else if (before !== state) {
        this.#narrator.saw("~", `${name}: ${state}`);
      }
    }
    for (const name of this.#seen.keys()) {
      if (!now.has(name)) {
        this.#narrator.saw("-", name);
      }
    }
  }
}

/** A nested value of an object; undefined if the path doesn't exist. */
export function at(
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): JsonValue | undefined {
  let found = value;
  for (const step of path) {
    found = isJsonArray(found) ? found[Number(step)] : isJsonObject(found) ? found[step] : undefined;
  }
  return found;
}

function textAt(value: JsonValue, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
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

import { isJsonObject } from "@weir/base";
import { annotationOf, type KubeObject } from "@weir/kube";
import { type KubeEvent, type KubeEyes, until } from "@weir/testing";
import { storyLabel } from "./thing.ts";

/**
 * Does for the objects of the stories what kubelets and controllers do: ends pods, and reports Deployments as rolled
 * out. It records each pod that was ever created.
 */
export class SimulatedControllers implements AsyncDisposable {
  readonly #kube: KubeEyes;
  readonly #ended = new AbortController();
  readonly #running: Promise<unknown>;
  /** The UIDs of pods by "namespace/name", in the order of their creation. */
  readonly #pods = new Map<string, Set<string>>();

  constructor(kube: KubeEyes) {
    this.#kube = kube;
    const selector = `labelSelector=${storyLabel}`;
    this.#running = Promise.all([
      this.#follow(`/api/v1/pods?${selector}`, (event) => this.#pod(event)),
      this.#follow(`/apis/apps/v1/deployments?${selector}`, (event) => this.#deployment(event)),
    ]);
  }

  /** How many pods with that name were created; everything that exists now is counted. */
  async podsOf(namespace: string, name: string): Promise<number> {
    const sentinel = "sentinel";
    const spec = { containers: [{ name: "main", image: "example.test/sentinel:1" }] };
    const metadata = { name: sentinel, namespace, labels: { [storyLabel]: "yes" } };
    const path = `/api/v1/namespaces/${namespace}/pods`;
    if (!this.#pods.has(`${namespace}/${sentinel}`)) {
      await this.#kube.create(path, { apiVersion: "v1", kind: "Pod", metadata, spec });
      // Events arrive in order.
      await until("the last pod to be seen", () => this.#pods.has(`${namespace}/${sentinel}`));
    }
    return this.#pods.get(`${namespace}/${name}`)?.size ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #follow(path: string, act: (event: KubeEvent) => Promise<void>): Promise<void> {
    for await (const event of this.#kube.watch(path, this.#ended.signal)) {
      // Somebody else may have been faster, or the object may be gone.
      act(event).catch(() => undefined);
    }
  }

  async #pod({ type, object }: KubeEvent): Promise<void> {
    const { name = "", namespace = "", uid = "" } = object.metadata;
    if (type !== "ADDED") {
      return;
    }
    const place = `${namespace}/${name}`;
    const pods = this.#pods.get(place) ?? new Set();
    this.#pods.set(place, pods.add(uid));
    const hasFailed = pods.size <= Number(annotationOf(object, "example.test/fails") ?? "0");
    const status = { phase: hasFailed ? "Failed" : "Succeeded" };
    await this.#kube.patch(`/api/v1/namespaces/${namespace}/pods/${name}/status`, {
      metadata: { uid },
      status,
    });
  }

  async #deployment({ type, object }: KubeEvent): Promise<void> {
    const { name = "", namespace = "", uid = "", generation = 0 } = object.metadata;
    if (type === "DELETED" || statusOf(object)["observedGeneration"] === generation) {
      return;
    }
    const status = {
      observedGeneration: generation,
      replicas: 1,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    };
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}/status`;
    await this.#kube.patch(path, { metadata: { uid }, status });
  }
}

function statusOf({ status }: KubeObject): Readonly<Record<string, unknown>> {
  return isJsonObject(status) ? status : {};
}

/** Tells which pods serve a Service: in Endpoints, and in the EndpointSlices that follow them. */

import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import { type Controller, keyOf, partsOfKey } from "../../controllers/controller.ts";
import { controllerReference, type Owned, read } from "../../controllers/owned.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { type StoredObject, treeOf } from "../../storage/stored-object.ts";
import { equalNodes, nodeAt, stringAt, stringMapAt, type Tree, treeAt, treesAt } from "../../tree.ts";
import { isFinished, isReady } from "../pod/pod-facts.ts";

const slices = "endpointslices.discovery.k8s.io";

const serviceLabel = "kubernetes.io/service-name";

const mostPerSlice = 1000;

export class EndpointsController implements Controller {
  readonly name = "endpoints";
  readonly #writer: ClusterWriter;

  constructor(writer: ClusterWriter) {
    this.#writer = writer;
  }

  keysOf(event: StoreEvent): readonly string[] {
    const { object, previous } = event;
    if (object.bucket === "services") {
      return [keyOf(object)];
    }
    return object.bucket === "pods" ? this.#selecting(object, previous) : [];
  }

  reconcile(key: string): undefined {
    const { namespace, name } = partsOfKey(key);
    const { store } = this.#writer.context;
    const stored = store.get("services", namespace, name);
    if (stored === undefined) {
      const left = store.get("endpoints", namespace, name);
      if (left !== undefined) {
        this.#writer.delete(left);
      }
      return;
    }
    const service = read(stored);
    const selector = stringMapAt(service.tree, "spec", "selector");
    if (stored.deleting || selector.size === 0 || stringAt(service.tree, "spec", "type") === "ExternalName") {
      return;
    }
    const pods = store
      .bucket("pods")
      .list(namespace)
      .filter(({ labels }) => matches(selector, labels))
      .map(read)
      .filter(({ tree }) => stringAt(tree, "status", "podIP") !== "" && !isFinished(tree));
    this.#putEndpoints(service, pods);
    this.#putSlice(service, pods);
  }

  /** The services of a namespace that select a pod, or did. */
  #selecting(pod: StoredObject, previous: StoredObject | undefined): readonly string[] {
    return this.#writer.context.store
      .bucket("services")
      .list(pod.namespace)
      .filter((service) => {
        const selector = stringMapAt(treeOf(service), "spec", "selector");
        const isEither = matches(selector, pod.labels) || matches(selector, previous?.labels ?? {});
        return selector.size > 0 && isEither;
      })
      .map(keyOf);
  }

  #putEndpoints(service: Owned, pods: readonly Owned[]): void {
    const { namespace, name } = service.stored;
    const addresses = (isServing: boolean): Tree[] =>
      pods.filter(({ tree }) => isReady(tree) === isServing).map(({ tree }) => addressOf(tree));
    const ports = portsOf(service.tree, pods[0]?.tree);
    const [ready, notReady] = [addresses(true), addresses(false)];
    const subset = {
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
      ports,
    };
    const subsets = pods.length === 0 ? undefined : [subset];
    this.#put("endpoints", namespace, name, { subsets }, () => ({
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: { namespace, name, labels: { ...treeAt(service.tree, "metadata", "labels") } },
      subsets,
    }));
  }

  #putSlice(service: Owned, pods: readonly Owned[]): void {
    const { namespace, name } = service.stored;
    const { store } = this.#writer.context;
    const managed = "endpointslice.kubernetes.io/managed-by";
    const manager = "endpointslice-controller.k8s.io";
    const found = store
      .bucket(slices)
      .list(namespace)
      .find(({ labels }) => labels[serviceLabel] === name && labels[managed] === manager);
    const content = {
      endpoints: pods.slice(0, mostPerSlice).map(({ stored, tree }) => endpointOf(stored, tree)),
      ports: portsOf(service.tree, pods[0]?.tree),
    };
    this.#put(slices, namespace, found?.name, content, () => ({
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: {
        namespace,
        generateName: `${name}-`,
        labels: { ...treeAt(service.tree, "metadata", "labels"), [serviceLabel]: name, [managed]: manager },
        ownerReferences: [controllerReference(service.tree)],
      },
      addressType: "IPv4",
      ...content,
    }));
  }

  #put(bucket: string, namespace: string, name: string | undefined, content: Tree, make: () => Tree): void {
    const stored = name === undefined ? undefined : this.#writer.context.store.get(bucket, namespace, name);
    if (stored === undefined) {
      this.#writer.create(make());
      return;
    }
    this.#writer.update(stored, "", (tree) => {
      for (const [field, value] of Object.entries(content)) {
        if (!equalNodes(tree[field], value)) {
          tree[field] = value;
        }
      }
    });
  }
}

function matches(selector: ReadonlyMap<string, string>, labels: Readonly<Record<string, string>>): boolean {
  return [...selector].every(([key, value]) => labels[key] === value);
}

function referenceTo(pod: Tree): Tree {
  return {
    kind: "Pod",
    namespace: stringAt(pod, "metadata", "namespace"),
    name: stringAt(pod, "metadata", "name"),
    uid: stringAt(pod, "metadata", "uid"),
  };
}

function addressOf(pod: Tree): Tree {
  return {
    ip: stringAt(pod, "status", "podIP"),
    nodeName: stringAt(pod, "spec", "nodeName"),
    targetRef: referenceTo(pod),
  };
}

function endpointOf(stored: StoredObject, pod: Tree): Tree {
  const ready = isReady(pod);
  return {
    addresses: [stringAt(pod, "status", "podIP")],
    conditions: { ready: ready && !stored.deleting, serving: ready, terminating: stored.deleting },
    nodeName: stringAt(pod, "spec", "nodeName"),
    targetRef: referenceTo(pod),
  };
}

/** The ports of a service as its pods have them: a target by name is that of the container port. */
function portsOf(service: Tree, pod: Tree | undefined): Tree[] {
  return treesAt(service, "spec", "ports").map((port) => ({
    ...(stringAt(port, "name") === "" ? {} : { name: stringAt(port, "name") }),
    port: numberOf(nodeAt(port, "targetPort"), pod) ?? nodeAt(port, "port") ?? 0,
    protocol: stringAt(port, "protocol") || "TCP",
  }));
}

function numberOf(target: Tree[string], pod: Tree | undefined): number | undefined {
  if (typeof target === "number") {
    return target;
  }
  const ports = treesAt(pod, "spec", "containers").flatMap((container) => treesAt(container, "ports"));
  const named = ports.find((port) => stringAt(port, "name") === target);
  const number = named?.["containerPort"];
  return typeof number === "number" ? number : undefined;
}

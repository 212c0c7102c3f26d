import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import type { Controller } from "../../controllers/controller.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { treeOf } from "../../storage/stored-object.ts";
import { ensureTree, equalNodes, stringAt, type Tree, treeAt, treesAt } from "../../tree.ts";

const ingresses = "ingresses.networking.k8s.io";

/** The one address of the outside: from a range that is kept for documents, for nothing listens there. */
const address = "192.0.2.10";

/** Gives load balancers and ingresses the address that a cloud would give them. */
export class LoadBalancerController implements Controller {
  readonly name = "load-balancer";
  readonly #writer: ClusterWriter;

  constructor(writer: ClusterWriter) {
    this.#writer = writer;
  }

  keysOf({ object, type }: StoreEvent): readonly string[] {
    const isOurs = object.bucket === "services" || object.bucket === ingresses;
    return isOurs && type !== "DELETED" ? [`${object.bucket}/${object.namespace}/${object.name}`] : [];
  }

  reconcile(key: string): undefined {
    const [bucket = "", namespace = "", name = ""] = key.split("/");
    const stored = this.#writer.context.store.get(bucket, namespace, name);
    if (stored === undefined || stored.deleting) {
      return;
    }
    const wanted = bucket === ingresses ? [{ ip: address }] : addressesOf(treeOf(stored));
    this.#writer.update(stored, "status", (tree) => {
      const balancer = ensureTree(ensureTree(tree, "status"), "loadBalancer");
      if (!equalNodes(treesAt(balancer, "ingress"), [...wanted])) {
        balancer["ingress"] = [...wanted];
      }
    });
  }
}

function addressesOf(service: Tree): readonly Tree[] {
  const isBalancer = stringAt(treeAt(service, "spec"), "type") === "LoadBalancer";
  return isBalancer ? [{ ip: address, ipMode: "VIP" }] : [];
}

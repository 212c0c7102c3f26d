import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import type { Controller } from "../../controllers/controller.ts";
import type { StoreEvent } from "../../storage/bucket.ts";

/** Every namespace has a service account "default". */
export class ServiceAccountController implements Controller {
  readonly name = "service-account";
  readonly #writer: ClusterWriter;

  constructor(writer: ClusterWriter) {
    this.#writer = writer;
  }

  keysOf({ type, object }: StoreEvent): readonly string[] {
    if (object.bucket === "namespaces" && type === "ADDED") {
      return [object.name];
    }
    return object.bucket === "serviceaccounts" && type === "DELETED" ? [object.namespace] : [];
  }

  reconcile(namespace: string): undefined {
    const { store } = this.#writer.context;
    const found = store.get("namespaces", "", namespace);
    if (found !== undefined && !found.deleting && !store.get("serviceaccounts", namespace, "default")) {
      this.#writer.create({
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { namespace, name: "default" },
      });
    }
  }
}

import type { ApiContext } from "../api/api-context.ts";
import { timestamp } from "../api/api-context.ts";
import { ClusterWriter } from "../controllers/cluster-writer.ts";
import { isTree, type Tree } from "../tree.ts";
import { builtinApiServices } from "./api-services.ts";
import { systemObjects } from "./system-objects.ts";

/** Makes what every cluster has, as far as it is not there. */
export function bootstrap(context: ApiContext): void {
  const writer = new ClusterWriter(context, "kube-apiserver");
  const now = timestamp(context.clock);
  for (const object of [...systemObjects(now), ...builtinApiServices(context.registry, now)]) {
    createWithStatus(writer, object);
  }
}

/** Makes an object with its status, which clients cannot in one go. Does nothing where the name is taken. */
export function createWithStatus(writer: ClusterWriter, object: Tree): void {
  const made = writer.create(object);
  const { status } = object;
  if (made !== undefined && isTree(status)) {
    writer.update(made, "status", (tree) => {
      tree["status"] = status;
    });
  }
}

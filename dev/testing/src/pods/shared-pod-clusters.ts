import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { EtcdSnapshot } from "../etcd-snapshot.ts";
import { borrow, type Lendable } from "../lender.ts";
import { until } from "../until.ts";
import { type PodCluster, startPodCluster, writeImages } from "./pod-cluster.ts";
import type { PodImage } from "./pod-image.ts";

/** The socket of the run's lender of pod clusters, where there is one. */
export const podClustersVariable = "WEIR_TEST_POD_CLUSTERS";

type Lent = Pick<PodCluster, "url" | "etcdUrl" | "token" | "ca" | "kubeconfigPath" | "folder">;

/** Gives a pod cluster to nobody else until it is stopped; starts one where the run lends none. */
export async function borrowPodCluster(images: readonly PodImage[]): Promise<PodCluster> {
  const path = process.env[podClustersVariable];
  if (path === undefined) {
    return startPodCluster({ images });
  }
  const { lent: answer, giveBack } = await borrow(path);
  const lent = answer as Lent;
  await writeImages(lent.folder, images);
  return {
    ...lent,
    useImages: (changed) => writeImages(lent.folder, changed),
    stop: giveBack,
    [Symbol.asyncDispose]: giveBack,
  };
}

/** A pod cluster that becomes as new when it is reset: nothing is stored that was not, and no pod runs. */
export async function lendPodCluster(): Promise<Lendable> {
  const cluster = await startPodCluster();
  const stored = await EtcdSnapshot.take(cluster.etcdUrl);
  const { url, etcdUrl, token, ca, kubeconfigPath, folder } = cluster;
  return {
    lent: { url, etcdUrl, token, ca, kubeconfigPath, folder } satisfies Lent,
    async reset() {
      await stored.restore();
      await until("the pods to end", async () => (await podsOnNode(folder)) === 0);
    },
    stop: () => cluster.stop(),
  };
}

/** How many pods have files on the node. */
async function podsOnNode(folder: string): Promise<number> {
  const names = await readdir(join(folder, "node", "pods")).catch(() => []);
  return names.length;
}

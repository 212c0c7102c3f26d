/**
 * The entry point `@weir/embedded-cluster/client-node`: a cluster for the tests of programs that use
 * @kubernetes/client-node, which only this entry point needs.
 */
import { KubeConfig } from "@kubernetes/client-node";
import {
  type EmbeddedClusterOptions,
  type EmbeddedCluster as PlainCluster,
  startEmbeddedCluster as startPlain,
} from "./server.ts";

/** A cluster that runs. */
export interface EmbeddedCluster extends PlainCluster {
  /** A KubeConfig for it, a new one each time. */
  kubeConfig(): KubeConfig;
}

/** Starts a cluster. Rejects where the port is taken, the folder cannot be used, or the signal is aborted. */
export async function startEmbeddedCluster(options?: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const cluster = await startPlain(options);
  return {
    ...cluster,
    kubeConfig: () => {
      const config = new KubeConfig();
      config.loadFromString(cluster.kubeconfig);
      return config;
    },
  };
}

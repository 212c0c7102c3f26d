import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Environment, type Logger, messageOf } from "@weir/base";
import { credentialsOf, parseKubeConfig } from "@weir/kube/client";
import type { ClusterCredentials } from "@weir/kube/rest";
import { StartupError } from "./startup-checks.ts";

/**
 * Starts the cluster in this process, until `cleanup` stops it, and provides its kubeconfig: as a file in the folder,
 * or on standard output if there's no folder. Rejects with StartupError.
 */
export async function startOwnCluster(
  folder: string | undefined,
  { env, logger, cleanup }: ConnectContext,
): Promise<ClusterCredentials> {
  // Loaded only here, so that it costs nothing with a real cluster.
  const { startEmbeddedCluster } = await import("@weir/embedded-cluster");
  const options = { logger, ...(folder === undefined ? {} : { dir: folder }) };
  const cluster = await startEmbeddedCluster(options).catch((error: unknown) => {
    throw unusableFolder(folder, error);
  });
  cleanup.defer(() => cluster.stop());
  if (folder === undefined) {
    logger.log({
      info: "the embedded cluster is kept in memory; use this kubeconfig to connect to it",
      url: cluster.url,
    });
    process.stdout.write(cluster.kubeconfig);
  } else {
    const kubeconfig = join(folder, "kubeconfig");
    await writePrivately(kubeconfig, cluster.kubeconfig);
    logger.log({ info: "the embedded cluster is kept in a folder", folder, kubeconfig, url: cluster.url });
  }
  return credentialsOf(parseKubeConfig(cluster.kubeconfig, "embedded-cluster"), { env });
}

export interface ConnectContext {
  readonly env: Environment;
  readonly logger: Logger;
  /** Stops what was started for the connection. */
  readonly cleanup: AsyncDisposableStack;
}

function unusableFolder(folder: string | undefined, error: unknown): StartupError {
  const remedy =
    folder === undefined
      ? ""
      : "; give --embedded-cluster a folder that fluxd may write to and no other fluxd uses";
  return new StartupError({ err: `cannot start the embedded cluster: ${messageOf(error)}${remedy}` });
}

/** Writes a file that only its owner can read, whatever was there before. The file never appears half written. */
async function writePrivately(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, text, { mode: 0o600, flag: "wx" });
  await rename(unfinished, path);
}

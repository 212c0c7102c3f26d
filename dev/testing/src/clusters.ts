import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { removeFolder } from "@weir/base/node";
import { dialOf, KubeEyes } from "./kube.ts";
import { lacks } from "./machine.ts";
import { realServers } from "./real-servers.ts";
import { borrowControlPlane } from "./shared-control-planes.ts";

/** A cluster that the tests of a file share. */
export interface TestCluster {
  readonly kind: "embedded" | "real";
  /** Reads the cluster, and changes it without Weir's code. */
  readonly kube: KubeEyes;
  readonly kubeconfigPath: string;
}

interface RunningCluster {
  readonly kubeconfigPath: string;
  stop(): Promise<void>;
}

/** Tests where the API server's behaviour is in question: on the embedded cluster, or on a real control plane. */
export function describeOnEachCluster(title: string, tests: (cluster: TestCluster) => void): void {
  if (realServers) {
    describe(`${title} (real control plane)`, { skip: lacks("Go") }, () =>
      onCluster("real", startReal, tests),
    );
  } else {
    describe(`${title} (embedded cluster)`, () => onCluster("embedded", startEmbedded, tests));
  }
}

/** Runs tests on the embedded cluster only: those of people at terminals, for whom the API server makes no difference. */
export function describeOnEmbeddedCluster(
  title: string,
  options: { readonly skip?: string | false },
  tests: (cluster: TestCluster) => void,
): void {
  describe(title, options, () => onCluster("embedded", startEmbedded, tests));
}

function onCluster(
  kind: TestCluster["kind"],
  start: () => Promise<RunningCluster>,
  tests: (cluster: TestCluster) => void,
): void {
  const cluster = new LateCluster(kind);
  before(async () => cluster.open(await start()));
  after(() => cluster.close());
  tests(cluster);
}

/** Tests are declared before their cluster runs; its properties are available when they run. */
class LateCluster implements TestCluster {
  readonly kind: TestCluster["kind"];
  #running: RunningCluster | undefined;
  #kube: KubeEyes | undefined;

  constructor(kind: TestCluster["kind"]) {
    this.kind = kind;
  }

  get kube(): KubeEyes {
    return present(this.#kube);
  }

  get kubeconfigPath(): string {
    return present(this.#running).kubeconfigPath;
  }

  async open(running: RunningCluster): Promise<void> {
    this.#running = running;
    const { url, token } = await dialOf(running.kubeconfigPath);
    this.#kube = new KubeEyes(url, token);
  }

  async close(): Promise<void> {
    await this.#kube?.[Symbol.asyncDispose]();
    await this.#running?.stop();
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("the cluster of this test isn't running");
  }
  return value;
}

async function startReal(): Promise<RunningCluster> {
  return borrowControlPlane();
}

async function startEmbedded(): Promise<RunningCluster> {
  const folder = await mkdtemp(join(tmpdir(), "weir-embedded-"));
  // Like the real one, it runs without controllers, so that only the test changes anything.
  const { startEmbeddedCluster } = await import("@weir/embedded-cluster");
  const cluster = await startEmbeddedCluster({ controllerManager: false });
  const kubeconfigPath = join(folder, "kubeconfig");
  await writeFile(kubeconfigPath, cluster.kubeconfig, { mode: 0o600 });
  return {
    kubeconfigPath,
    async stop() {
      await cluster.stop();
      await removeFolder(folder);
    },
  };
}

/**
 * Control planes and pod clusters for the test files of one run, one after the other: to start one takes longer than
 * most tests. The run loads this as its `--test-global-setup`; files borrow by `borrowControlPlane` and
 * `borrowPodCluster`. Each gets one that holds nothing of the files before it, for itself alone.
 */
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { EtcdSnapshot } from "./etcd-snapshot.ts";
import { KubeEyes } from "./kube.ts";
import { borrow, type Lendable, Lender } from "./lender.ts";
import { lendPodCluster, podClustersVariable } from "./pods/shared-pod-clusters.ts";
import { until } from "./until.ts";

/** The socket of the lender, where there is one. */
const controlPlanesVariable = "WEIR_TEST_CONTROL_PLANES";

/** A control plane that other files may have used and will use. */
export type BorrowedControlPlane = Lent & Pick<ControlPlane, "stop"> & AsyncDisposable;

/** Borrows a control plane until it's stopped; starts one if the run has no lender. */
export async function borrowControlPlane(): Promise<BorrowedControlPlane> {
  const path = process.env[controlPlanesVariable];
  if (path === undefined) {
    return startControlPlane();
  }
  const { lent: answer, giveBack } = await borrow(path);
  const lent = answer as Lent;
  return { ...lent, stop: giveBack, [Symbol.asyncDispose]: giveBack };
}

type Lent = Pick<ControlPlane, "url" | "token" | "ca" | "kubeconfigPath">;

const lenders: Lender[] = [];

/** Called by node:test before the first file. */
export async function globalSetup(): Promise<void> {
  for (const [variable, make] of [
    [controlPlanesVariable, () => SharedPlane.start()],
    [podClustersVariable, lendPodCluster],
  ] as const) {
    const lender = new Lender(make);
    lenders.push(lender);
    process.env[variable] = await lender.listen();
  }
}

/** Called by node:test after the last file. */
export async function globalTeardown(): Promise<void> {
  await Promise.all(lenders.map((lender) => lender.close()));
}

/** A control plane, and how it was when it was new. */
class SharedPlane implements Lendable {
  readonly #plane: ControlPlane;
  readonly #kube: KubeEyes;
  readonly #stored: EtcdSnapshot;
  readonly #groups: readonly string[];

  private constructor(plane: ControlPlane, kube: KubeEyes, stored: EtcdSnapshot, groups: readonly string[]) {
    this.#plane = plane;
    this.#kube = kube;
    this.#stored = stored;
    this.#groups = groups;
  }

  static async start(): Promise<SharedPlane> {
    const plane = await startControlPlane();
    const kube = new KubeEyes(plane.url, plane.token);
    return new SharedPlane(plane, kube, await EtcdSnapshot.take(plane.etcdUrl), await groupsOf(kube));
  }

  get lent(): Lent {
    const { url, token, ca, kubeconfigPath } = this.#plane;
    return { url, token, ca, kubeconfigPath };
  }

  /** Kinds that a test defined are served for a moment after their definitions are deleted. */
  async reset(): Promise<void> {
    await this.#stored.restore();
    const isOwn = (group: string): boolean => this.#groups.includes(group);
    await until("all other kinds to be gone", async () => (await groupsOf(this.#kube)).every(isOwn));
  }

  async stop(): Promise<void> {
    await this.#kube[Symbol.asyncDispose]();
    await this.#plane.stop();
  }
}

/** The groups whose kinds are served, or at least described. */
async function groupsOf(kube: KubeEyes): Promise<readonly string[]> {
  const served = (await kube.get("/apis")) as unknown as {
    readonly groups: readonly { readonly name: string }[];
  };
  const described = (await kube.get("/openapi/v3")) as unknown as { readonly paths: object };
  const paths = Object.keys(described.paths).filter((path) => path.startsWith("apis/"));
  return [...served.groups.map(({ name }) => name), ...paths.flatMap((path) => path.split("/")[1] ?? [])];
}

/**
 * Control planes for the test files of one run, one after the other: to start one takes longer than most tests. The
 * run loads this as its `--test-global-setup`; files borrow by `borrowControlPlane`. Each gets one that holds nothing
 * of the files before it, for itself alone.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { EtcdSnapshot } from "./etcd-snapshot.ts";
import { KubeEyes } from "./kube.ts";
import { TempFolder } from "./temp-folder.ts";
import { until } from "./until.ts";

/** The socket of the lender, where there is one. */
const lenderVariable = "WEIR_TEST_CONTROL_PLANES";

/** A control plane that others may have used, and will use. */
export type BorrowedControlPlane = Lent & Pick<ControlPlane, "stop"> & AsyncDisposable;

/** Gives one to nobody else until it is stopped; starts one where the run lends none. */
export async function borrowControlPlane(): Promise<BorrowedControlPlane> {
  const path = process.env[lenderVariable];
  if (path === undefined) {
    return startControlPlane();
  }
  const socket = connect(path);
  const [line] = (await once(createInterface(socket), "line")) as [string];
  const lent = JSON.parse(line) as Lent | { readonly error: string };
  if ("error" in lent) {
    throw new Error(lent.error);
  }
  const stop = async (): Promise<void> => {
    socket.end();
    await once(socket, "close");
  };
  return { ...lent, stop, [Symbol.asyncDispose]: stop };
}

type Lent = Pick<ControlPlane, "url" | "token" | "ca" | "kubeconfigPath">;

let lender: Lender | undefined;

/** Called by node:test before the first file. */
export async function globalSetup(): Promise<void> {
  lender = new Lender();
  process.env[lenderVariable] = await lender.listen();
}

/** Called by node:test after the last file. */
export async function globalTeardown(): Promise<void> {
  await lender?.close();
}

/** Lends a control plane to each connection until that ends. */
class Lender {
  readonly #folder = new TempFolder();
  readonly #server: Server = createServer((socket) => this.#keep(this.#lend(socket)));
  readonly #free: SharedPlane[] = [];
  readonly #all = new Set<SharedPlane>();
  readonly #lending = new Set<Promise<void>>();

  async listen(): Promise<string> {
    const path = join(this.#folder.path, "lender");
    this.#server.listen(path);
    await once(this.#server, "listening");
    return path;
  }

  /** For when all files have ended. */
  async close(): Promise<void> {
    this.#server.close();
    await Promise.all(this.#lending);
    await Promise.all([...this.#all].map((plane) => plane.stop()));
    this.#folder[Symbol.dispose]();
  }

  #keep(lending: Promise<void>): void {
    this.#lending.add(lending);
    void lending.finally(() => this.#lending.delete(lending));
  }

  async #lend(socket: Socket): Promise<void> {
    socket.on("error", () => undefined);
    socket.resume();
    const over = new Promise((resolve) => socket.once("close", resolve));
    try {
      const plane = this.#free.pop() ?? (await this.#start());
      socket.write(`${JSON.stringify(plane.lent)}\n`);
      await over;
      await this.#takeBack(plane);
    } catch (error) {
      socket.end(`${JSON.stringify({ error: String(error) })}\n`);
    }
  }

  async #start(): Promise<SharedPlane> {
    const plane = await SharedPlane.start();
    this.#all.add(plane);
    return plane;
  }

  /** One that cannot be made as new is given to nobody any more. */
  async #takeBack(plane: SharedPlane): Promise<void> {
    try {
      await plane.reset();
      this.#free.push(plane);
    } catch {
      this.#all.delete(plane);
      await plane.stop();
    }
  }
}

/** A control plane, and how it was when it was new. */
class SharedPlane {
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

  /** Kinds that a test defined are served for a moment after their definitions are gone. */
  async reset(): Promise<void> {
    await this.#stored.restore();
    const isOwn = (group: string): boolean => this.#groups.includes(group);
    await until("all other kinds to be gone", async () => (await groupsOf(this.#kube)).every(isOwn), 20);
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

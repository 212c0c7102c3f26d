import { mkdtemp, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditFiles, doors } from "../control-plane-arguments.ts";
import { controlPlaneAssets } from "../control-plane-assets.ts";
import { adminKubeconfig, adminToken, writeCredentials } from "../control-plane-credentials.ts";
import { IsolatedScript } from "../isolated-script.ts";
import { KubeEyes } from "../kube.ts";
import { HopelessError, until } from "../until.ts";
import { auditPolicy } from "./audit-log.ts";
import { clusterScript, endsOf, insidePorts } from "./cluster-script.ts";
import { Door } from "./door.ts";
import { type PodImage, pauseImage } from "./pod-image.ts";

/** A cluster with a node, which runs pods as processes of this machine in a network of their own. */
export interface PodCluster extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** The certificate that signs the server's, as PEM. */
  readonly ca: string;
  readonly kubeconfigPath: string;
  readonly etcdUrl: string;
  /** Where its files are; the logs of containers are in `node/logs`. */
  readonly folder: string;
  /** From now on, containers run what these say; images that none of them matches run nothing, and are ready. */
  useImages(images: readonly PodImage[]): Promise<void>;
  stop(): Promise<void>;
}

/** How often a program may end before the others are ready for it. */
const mostEnds = 10;

const programs = ["etcd", "kube-apiserver", "kube-controller-manager", "process-kubelet"];

/** Starts a cluster with a node; resolves when pods can be made. All of it ends with this process. */
export async function startPodCluster(
  options: { readonly images?: readonly PodImage[]; readonly signal?: AbortSignal } = {},
): Promise<PodCluster> {
  const assets = await controlPlaneAssets(programs, options.signal);
  const folder = await mkdtemp(join(tmpdir(), "weir-pods-"));
  writeCredentials(folder);
  const inside = `https://127.0.0.1:${insidePorts.api}`;
  await writeFile(join(folder, "kubeconfig-inside"), JSON.stringify(adminKubeconfig(inside)));
  await writeFile(join(folder, auditFiles.policy), JSON.stringify(auditPolicy));
  await writeFile(join(folder, "script.sh"), clusterScript(assets, folder));
  await writeImages(folder, options.images ?? []);
  const script = new IsolatedScript(folder);
  const opened = await Promise.all([doors.api, doors.etcd].map((name) => Door.open(join(folder, name))));
  const cluster = new LocalPodCluster(folder, script, opened);
  try {
    await cluster.ready(options.signal);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Replaces what the node knows of images at once. */
export async function writeImages(folder: string, images: readonly PodImage[]): Promise<void> {
  const path = join(folder, "images.json");
  await writeFile(`${path}.new`, JSON.stringify({ images: [...images, pauseImage] }));
  await rename(`${path}.new`, path);
}

class LocalPodCluster implements PodCluster {
  readonly token = adminToken;
  readonly url: string;
  readonly etcdUrl: string;
  readonly kubeconfigPath: string;
  readonly folder: string;
  readonly #script: IsolatedScript;
  readonly #doors: readonly Door[];
  #ca = "";

  constructor(folder: string, script: IsolatedScript, doors: readonly Door[]) {
    this.folder = folder;
    this.#script = script;
    this.#doors = doors;
    const [api, etcd] = doors.map(({ port }) => port);
    this.url = `https://127.0.0.1:${api}`;
    this.etcdUrl = `http://127.0.0.1:${etcd}`;
    this.kubeconfigPath = join(folder, "kubeconfig");
  }

  get ca(): string {
    return this.#ca;
  }

  async ready(signal?: AbortSignal): Promise<void> {
    await writeFile(this.kubeconfigPath, JSON.stringify(adminKubeconfig(this.url)));
    await using kube = new KubeEyes(this.url, this.token);
    const ready = until("the pod cluster", async () => {
      this.#check();
      return signal?.aborted === true || ((await hasReadyNode(kube)) && (await hasAccount(kube)));
    });
    await ready.catch((error: unknown) => {
      throw new Error(`the pod cluster does not start:\n${this.#logs()}`, { cause: error });
    });
    signal?.throwIfAborted();
    this.#ca = await readFile(join(this.folder, "certs", "apiserver.crt"), "utf8");
  }

  useImages(images: readonly PodImage[]): Promise<void> {
    return writeImages(this.folder, images);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#doors.map((door) => door[Symbol.asyncDispose]()));
    await this.#script.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Throws if it has ended, or a program of it ends again and again. */
  #check(): void {
    const failing = programs.find((name) => endsOf(this.folder, name) > mostEnds);
    if (this.#script.ended || failing !== undefined) {
      throw new HopelessError(`${failing ?? "the script of the cluster"} has ended`);
    }
  }

  /** The end of what each of its programs wrote. */
  #logs(): string {
    return ["script", ...programs].map((name) => `${name}:\n${this.#script.tail(name)}`).join("\n");
  }
}

async function hasReadyNode(kube: KubeEyes): Promise<boolean> {
  const list = (await kube.get("/api/v1/nodes")) as unknown as { readonly items: readonly Node[] };
  return list.items.some(({ status }) =>
    status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True"),
  );
}

interface Node {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Pods are refused before the account of their namespace is there. */
async function hasAccount(kube: KubeEyes): Promise<boolean> {
  const home = "/api/v1/namespaces/default";
  const account = await kube.get(`${home}/serviceaccounts/default`);
  const ca = await kube.get(`${home}/configmaps/kube-root-ca.crt`);
  return account !== undefined && ca !== undefined;
}

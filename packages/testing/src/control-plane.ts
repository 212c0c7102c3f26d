import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiServerArguments, etcdArguments, managerArguments } from "./control-plane-arguments.ts";
import { assetsFolder } from "./control-plane-assets.ts";
import { adminKubeconfig, adminToken, writeCredentials } from "./control-plane-credentials.ts";
import { freePorts, type Ports } from "./free-ports.ts";
import { EndedError, KeptProcess } from "./kept-process.ts";
import { until } from "./until.ts";

export { missing } from "./control-plane-assets.ts";

/** What a test may ask of its control plane. */
export interface ControlPlaneOptions {
  /** Also runs kube-controller-manager: ReplicaSets, garbage collection and the end of namespaces happen. */
  readonly controllerManager?: boolean;
  /** Further flags of kube-apiserver. */
  readonly apiServerFlags?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A running API server with an etcd of its own. */
export interface ControlPlane extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** The certificate that signs the server's, as PEM. */
  readonly ca: string;
  readonly kubeconfigPath: string;
  readonly etcdUrl: string;
  /** Takes the API server away, with all connections to it; etcd keeps what it holds. */
  stopApiServer(): Promise<void>;
  /** Starts it again under the same address; resolves when it is ready. */
  startApiServer(): Promise<void>;
  stop(): Promise<void>;
}

/** Another program may take a port in the moment between finding it free and using it. */
const attempts = 3;

/** Starts a control plane on free ports of the loopback; resolves when its default namespace is there. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const needed = [
    "etcd",
    "kube-apiserver",
    ...(options.controllerManager ? ["kube-controller-manager"] : []),
  ];
  const assets = await assetsFolder(needed, options.signal);
  for (let attempt = 1; ; attempt += 1) {
    options.signal?.throwIfAborted();
    const plane = new LocalControlPlane(assets, await freePorts(), options.apiServerFlags ?? []);
    try {
      await plane.start(options.controllerManager ?? false);
      return plane;
    } catch (error) {
      await plane.stop();
      if (!(error instanceof EndedError) || attempt === attempts) {
        throw error;
      }
    }
  }
}

/** Makes a namespace that no other test uses; resolves to its name. */
export async function freshNamespace(plane: Pick<ControlPlane, "url" | "ca">): Promise<string> {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { generateName: "test-" } };
  const { status, text } = await call(plane, "POST", "/api/v1/namespaces", namespace);
  if (status !== 201) {
    throw new Error(`cannot make a namespace: ${text}`);
  }
  const made = JSON.parse(text) as { readonly metadata: { readonly name: string } };
  return made.metadata.name;
}

class LocalControlPlane implements ControlPlane {
  readonly token = adminToken;
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly etcdUrl: string;
  readonly #assets: string;
  readonly #ports: Ports;
  readonly #folder = mkdtempSync(join(tmpdir(), "weir-control-plane-"));
  readonly #apiServerFlags: readonly string[];
  readonly #others: KeptProcess[] = [];
  #apiServer: KeptProcess | undefined;

  constructor(assets: string, ports: Ports, apiServerFlags: readonly string[]) {
    this.#assets = assets;
    this.#ports = ports;
    this.#apiServerFlags = apiServerFlags;
    this.url = `https://127.0.0.1:${ports.api}`;
    this.etcdUrl = `http://127.0.0.1:${ports.client}`;
    this.kubeconfigPath = this.#path("kubeconfig");
  }

  get ca(): string {
    return readFileSync(this.#path("certs", "apiserver.crt"), "utf8");
  }

  async start(controllerManager: boolean): Promise<void> {
    writeCredentials(this.#folder);
    writeFileSync(this.kubeconfigPath, JSON.stringify(adminKubeconfig(this.url)));
    this.#others.push(this.#run("etcd", etcdArguments(this.#path("etcd"), this.#ports)));
    await this.startApiServer();
    if (controllerManager) {
      this.#others.push(this.#run("kube-controller-manager", managerArguments(this.#folder, this.#ports)));
    }
  }

  async startApiServer(): Promise<void> {
    const args = [...apiServerArguments(this.#folder, this.#ports), ...this.#apiServerFlags];
    const server = this.#run("kube-apiserver", args);
    this.#apiServer = server;
    await until("the API server to be ready", async () => {
      if (server.ended) {
        return true;
      }
      const ready = await call(this, "GET", "/readyz");
      const namespace = await call(this, "GET", "/api/v1/namespaces/default");
      return ready.status === 200 && namespace.status === 200;
    });
    server.check();
  }

  async stopApiServer(): Promise<void> {
    await this.#apiServer?.stop();
    this.#apiServer = undefined;
  }

  async stop(): Promise<void> {
    await this.stopApiServer();
    await Promise.all(this.#others.map((process) => process.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #run(name: string, args: readonly string[]): KeptProcess {
    return new KeptProcess(join(this.#assets, name), args, this.#path(`${name}.log`));
  }

  #path(...names: readonly string[]): string {
    return join(this.#folder, ...names);
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One request by Node's own client: what starts the servers does not rest on what is tested against them. */
function call(
  plane: Pick<ControlPlane, "url" | "ca">,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${plane.url}${path}`,
      { method, headers, ca: plane.ca, agent: false },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk: string) => (text += chunk));
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
        incoming.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "@weir/base/node";
import {
  apiServerArguments,
  etcdArguments,
  managerArguments,
  type Ports,
} from "./control-plane-arguments.ts";
import { controlPlaneAssets } from "./control-plane-assets.ts";
import { adminKubeconfig, adminToken, writeCredentials } from "./control-plane-credentials.ts";
import { freePort } from "./free-port.ts";
import { KeptProcess } from "./kept-process.ts";
import { until } from "./until.ts";

export { missing } from "./control-plane-assets.ts";

/** The options of a control plane. */
export interface ControlPlaneOptions {
  /**
   * Also runs kube-controller-manager, for ReplicaSets, garbage collection, and the deletion of namespaces.
   */
  readonly controllerManager?: boolean;
  /** Additional flags for kube-apiserver. */
  readonly apiServerFlags?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A running API server with its own etcd. */
export interface ControlPlane extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** The CA certificate of the server, as PEM. */
  readonly ca: string;
  readonly kubeconfigPath: string;
  readonly etcdUrl: string;
  /** Stops the API server, which closes all of its connections; etcd keeps its data. */
  stopApiServer(): Promise<void>;
  /** Starts the API server again at the same address; resolves when it's ready. */
  startApiServer(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a control plane on free loopback ports; resolves when its default namespace exists. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const needed = [
    "etcd",
    "kube-apiserver",
    ...(options.controllerManager ? ["kube-controller-manager"] : []),
  ];
  const assets = await controlPlaneAssets(needed, options.signal);
  options.signal?.throwIfAborted();
  const plane = new LocalControlPlane(assets, await freePorts(), options.apiServerFlags ?? []);
  try {
    await plane.start(options.controllerManager ?? false);
    return plane;
  } catch (error) {
    await plane.stop();
    throw error;
  }
}

async function freePorts(): Promise<Ports> {
  return {
    client: await freePort(),
    peer: await freePort(),
    api: await freePort(),
    manager: await freePort(),
  };
}

/** Creates a namespace that no other test uses; resolves to its name. */
export async function freshNamespace(plane: Pick<ControlPlane, "url" | "ca">): Promise<string> {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { generateName: "test-" } };
  const { status, text } = await call(plane, "POST", "/api/v1/namespaces", namespace);
  if (status !== 201) {
    throw new Error(`cannot create a namespace: ${text}`);
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
      [server, ...this.#others].forEach((process) => process.check());
      const ready = await call(this, "GET", "/readyz");
      const namespace = await call(this, "GET", "/api/v1/namespaces/default");
      return ready.status === 200 && namespace.status === 200;
    });
  }

  async stopApiServer(): Promise<void> {
    await this.#apiServer?.stop();
    this.#apiServer = undefined;
  }

  async stop(): Promise<void> {
    await this.stopApiServer();
    await Promise.all(this.#others.map((process) => process.stop()));
    await removeFolder(this.#folder);
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

/**
 * Sends one request with Node.js's own client: starting the servers must not depend on the code that is
 * tested against them.
 */
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

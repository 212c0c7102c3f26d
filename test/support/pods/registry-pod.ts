import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, KeptProcess, TempFolder, until } from "@weir/testing";
import { type PushTarget, pushImage } from "../registry-push.ts";
import type { PodWorld } from "./pod-world.ts";

/** The one user that a registry answers. */
export interface RegistryLogin {
  readonly user: string;
  readonly password: string;
  /** The password's bcrypt hash. */
  readonly hash: string;
}

/** An image registry in a pod behind a Service; the test pushes to it from outside. */
export class RegistryPod implements AsyncDisposable {
  /** What clients in the cluster call it: with a dot, since Flux takes no other name for a host's. */
  readonly host: string;
  readonly #folder: TempFolder;
  readonly #forward: KeptProcess;
  readonly #target: PushTarget;

  private constructor({ namespace, folder, forward, port, login }: Forwarded) {
    this.host = `registry.${namespace}:5000`;
    this.#folder = folder;
    this.#forward = forward;
    this.#target = {
      url: `http://127.0.0.1:${port}`,
      headers: login === undefined ? {} : { authorization: `Basic ${encodeLogin(login)}` },
    };
  }

  /** Starts one in a namespace, which is made where it is missing; resolves when it takes connections. */
  static async start(
    { kubectl, cluster }: PodWorld,
    namespace: string,
    login?: RegistryLogin,
  ): Promise<RegistryPod> {
    await kubectl.apply([{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }]);
    await kubectl.apply(manifests(namespace, login));
    await kubectl.rolledOut({ namespace, name: "deployment/registry" });
    const folder = new TempFolder();
    const log = join(folder.path, "port-forward.log");
    const access = [`--kubeconfig=${cluster.kubeconfigPath}`, "-n", namespace];
    const forward = new KeptProcess(
      findProgram("kubectl") ?? "kubectl",
      ["port-forward", ...access, "deployment/registry", ":5000"],
      log,
    );
    const port = await until("the port that leads to the registry", async () => {
      forward.check();
      return /127\.0\.0\.1:(\d+)/.exec(await readFile(log, "utf8"))?.[1];
    });
    return new RegistryPod({ namespace, folder, forward, port, login });
  }

  /** Pushes an image of that day of 2020, such as "06-01". */
  async push(repository: string, tag: string, day: string): Promise<void> {
    await pushImage(this.#target, { repository, tag, created: `2020-${day}T08:00:00Z` });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#forward.stop();
    this.#folder[Symbol.dispose]();
  }
}

interface Forwarded {
  readonly namespace: string;
  readonly folder: TempFolder;
  readonly forward: KeptProcess;
  readonly port: string;
  readonly login: RegistryLogin | undefined;
}

/** The base64 of "user:password", as HTTP and Docker's configuration have it. */
export function encodeLogin({ user, password }: RegistryLogin): string {
  return Buffer.from(`${user}:${password}`).toString("base64");
}

function manifests(namespace: string, login: RegistryLogin | undefined): readonly object[] {
  const metadata = { name: "registry", namespace };
  const labels = { name: "registry" };
  const auth = { REGISTRY_AUTH: "htpasswd", REGISTRY_AUTH_HTPASSWD_REALM: "images" };
  const env = { ...auth, REGISTRY_AUTH_HTPASSWD_PATH: "/etc/registry/users" };
  const container = {
    name: "registry",
    image: "registry:2",
    env: login === undefined ? [] : Object.entries(env).map(([name, value]) => ({ name, value })),
    // Without a login, as "/v2/" would need one.
    readinessProbe: { httpGet: { path: "/", port: 5000 } },
    volumeMounts: [
      { name: "images", mountPath: "/var/lib/registry" },
      { name: "users", mountPath: "/etc/registry" },
    ],
  };
  const users = login === undefined ? "" : `${login.user}:${login.hash}\n`;
  return [
    { apiVersion: "v1", kind: "Secret", metadata, stringData: { users } },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [container],
            volumes: [
              { name: "images", emptyDir: {} },
              { name: "users", secret: { secretName: metadata.name } },
            ],
          },
        },
      },
    },
    { apiVersion: "v1", kind: "Service", metadata, spec: { selector: labels, ports: [{ port: 5000 }] } },
  ];
}

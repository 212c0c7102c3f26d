import { basename, dirname } from "node:path";
import { type ControlPlane, freePort, KubeEyes, startControlPlane, TempFolder, until } from "@weir/testing";
import { Fluxd } from "../../../test/support/fluxd.ts";
import { MemcachedServer } from "../../../test/support/registry-memcached.ts";
import { TestRepository } from "../../../test/support/repository.ts";
import { HostileGit } from "./hostile-git.ts";
import { HostileUpstream } from "./hostile-upstream.ts";
import { KubernetesProxy } from "./kubernetes-proxy.ts";
import { SmallDisk } from "./small-disk.ts";

/** The content of the repository before and after each attack. */
const harmless = {
  "web.yaml": `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default, annotations: { fluxcd.io/automated: "true" } }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "localhost:1/app:1.0.0" }] }
`,
  "secret.yaml": "{ apiVersion: v1, kind: Secret, metadata: { name: plain, namespace: default } }",
};

/** The environment of a fluxd, which can become hostile. */
interface Surroundings {
  readonly repository: TestRepository;
  readonly git: HostileGit;
  readonly plane: ControlPlane;
  readonly kube: KubeEyes;
  readonly kubernetes: KubernetesProxy;
  readonly memcached: MemcachedServer;
  readonly upstream: HostileUpstream;
  /** The disk with fluxd's clones. */
  readonly disk: SmallDisk;
  readonly fluxd: Fluxd;
  /** The address of fluxd's webhook listener, "127.0.0.1:port". */
  readonly webhooks: string;
}

/** A fluxd and its environment, which ends together with this. */
export class World implements AsyncDisposable {
  readonly around: Surroundings;
  readonly #parts: AsyncDisposableStack;
  #turn = 0;

  private constructor(around: Surroundings, parts: AsyncDisposableStack) {
    this.around = around;
    this.#parts = parts;
  }

  static async start(): Promise<World> {
    await using parts = new AsyncDisposableStack();
    const surroundings = await surround(parts);
    await surroundings.fluxd.ready();
    return new World(surroundings, parts.move());
  }

  /** Pushes a harmless commit in place of the current content; resolves when it's applied to the cluster. */
  async recover(after: string): Promise<void> {
    this.#turn += 1;
    const turn = String(this.#turn);
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "turn", namespace: "default" },
      data: { turn },
    };
    await this.around.repository.push({ ...harmless, "turn.yaml": JSON.stringify(object) }, `after ${after}`);
    await this.notify();
    await until(
      `fluxd to be well again after ${after}`,
      async () => {
        const live = await this.around.kube.get("/api/v1/namespaces/default/configmaps/turn");
        return (live?.["data"] as { readonly turn?: string } | undefined)?.turn === turn;
      },
      120,
    );
  }

  notify(): Promise<void> {
    return this.around.fluxd.notify(this.around.git.url(basename(this.around.repository.bare)));
  }

  /** Makes fluxd sync the repository; resolves to the first log line after that that matches. */
  async saidAfter(act: () => Promise<void>, pattern: RegExp): Promise<string> {
    const before = this.around.fluxd.log.length;
    await act();
    const line = await until(
      `a line like ${String(pattern)}`,
      () => {
        return this.around.fluxd.log
          .slice(before)
          .split("\n")
          .find((each) => pattern.test(each));
      },
      60,
    );
    return /\berr="?((?:[^"\\]|\\.)*)/.exec(line)?.[1]?.slice(0, 160) ?? line.slice(0, 160);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}

/** Starts everything, and adds it to `parts`. */
async function surround(parts: AsyncDisposableStack): Promise<Surroundings> {
  const folder = parts.use(new TempFolder());
  const disk = parts.use(new SmallDisk(dirname(folder.write("disk/.keep", "")), 512));
  const repository = parts.use(await TestRepository.create(harmless));
  const git = parts.use(await HostileGit.start(dirname(repository.bare)));
  const plane = parts.use(await startControlPlane());
  const kube = parts.use(new KubeEyes(plane.url, plane.token));
  const kubernetes = parts.use(await KubernetesProxy.start(plane));
  const memcached = parts.use(await MemcachedServer.start());
  const upstream = parts.use(await HostileUpstream.start());
  const webhooks = `127.0.0.1:${await freePort()}`;
  folder.write("key", "a key that nobody knows");
  const config = "fluxRecvVersion: 1\nendpoints:\n- { source: GitHub, keyPath: key }\n";
  const fluxd = await Fluxd.start({
    gitUrl: git.url(basename(repository.bare)),
    kubeconfigPath: folder.write("kubeconfig", JSON.stringify(kubeconfigFor(kubernetes.url))),
    env: { TMPDIR: disk.temporary },
    flags: [
      "--sync-garbage-collection",
      "--git-timeout=30s",
      "--automation-interval=5s",
      "--registry-disable-scanning=false",
      `--memcached-hostname=${memcached.host}`,
      `--memcached-port=${memcached.port}`,
      "--memcached-service=",
      `--connect=${upstream.url}`,
      "--token=canary",
      `--listen-webhooks=${webhooks}`,
      `--webhooks-config=${folder.write("webhooks.yaml", config)}`,
    ],
  });
  return {
    repository,
    git,
    plane,
    kube,
    kubernetes,
    memcached,
    upstream,
    webhooks,
    disk,
    fluxd: parts.use(fluxd),
  };
}

/** A kubeconfig for a server that needs no credentials. */
function kubeconfigFor(server: string): object {
  return {
    "current-context": "test",
    clusters: [{ name: "test", cluster: { server } }],
    contexts: [{ name: "test", context: { cluster: "test" } }],
  };
}

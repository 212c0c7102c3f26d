import assert from "node:assert/strict";
import { readFile, rename, writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { it } from "node:test";
import { configMapPath, describeOnEachCluster, dialOf, freePort, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMap } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

describeOnEachCluster("outages", (cluster) => {
  it("of the git upstream at the start: said once, and all goes on when it is there", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("late-upstream") });
    await rename(repository.bare, `${repository.bare}.away`);
    await using fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath });
    await fluxd.ready();

    await fluxd.logged(/err=.*upstream\.git/);
    const listed = await fluxctl(fluxd, "list-workloads");
    assert.equal(listed.code, 0, "what lives in the cluster can be listed without git");

    await rename(`${repository.bare}.away`, repository.bare);
    await fluxd.notify(repository.url);
    await fluxd.synced(repository);
    assert.ok(await cluster.kube.get(configMapPath("late-upstream")));
  });

  it("of the git upstream in the middle: what is synced stays, and a later push is seen", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("gone-upstream") });
    await using fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath });
    await fluxd.synced(repository);

    await rename(repository.bare, `${repository.bare}.away`);
    const failed = await fluxctl(fluxd, "sync");
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /upstream\.git/);
    assert.ok(await cluster.kube.get(configMapPath("gone-upstream")));

    await rename(`${repository.bare}.away`, repository.bare);
    const head = await repository.push({ "a.yaml": configMap("gone-upstream", "v2") }, "back again");
    await fluxd.notify(repository.url);
    await until("the sync", async () => (await repository.synced()) === head);
    assert.deepEqual((await cluster.kube.get(configMapPath("gone-upstream")))?.data, { key: "v2" });
  });

  it("of the API server at the start and in the middle: waited for, said, and gone on with", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("late-server") });
    const { url } = await dialOf(cluster.kubeconfigPath);
    await using road = await Road.to(new URL(url));
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: await kubeconfigThrough(road, cluster.kubeconfigPath),
    });

    await fluxd.logged(new RegExp(`err=.*127\\.0\\.0\\.1:${String(road.port)}`));
    await road.open();
    await fluxd.synced(repository);

    await road.close();
    const head = await repository.push({ "a.yaml": configMap("late-server", "v2") }, "while it is away");
    await fluxd.notify(repository.url);
    await fluxd.logged(/HEAD=/);
    await road.open();
    await fluxd.notify(repository.url);
    await until("the sync", async () => {
      const object = await cluster.kube.get(configMapPath("late-server"));
      return JSON.stringify(object?.data) === '{"key":"v2"}';
    });
    await until("the tag", async () => (await repository.synced()) === head);
  });
});

/** A way to a server that can be closed and opened again: bytes are passed on, nothing else. */
class Road implements AsyncDisposable {
  readonly port: number;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  private constructor(target: URL, port: number) {
    this.#target = target;
    this.port = port;
  }

  /** Closed at first. */
  static async to(target: URL): Promise<Road> {
    return new Road(target, await freePort());
  }

  open(): Promise<void> {
    const server = createServer((client) => {
      const upstream = connect(Number(this.#target.port), this.#target.hostname);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          this.#sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
      client.pipe(upstream).pipe(client);
    });
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.port, "127.0.0.1", () => {
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    if (server) {
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** A kubeconfig beside the given one, since files that it names stand there. */
async function kubeconfigThrough(road: Road, path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  const { url } = await dialOf(path);
  const file = `${path}-${road.port}`;
  const through = new URL(url);
  through.port = String(road.port);
  await writeFile(file, text.replace(url, through.toString().replace(/\/$/, "")), { mode: 0o600 });
  return file;
}

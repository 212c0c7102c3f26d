import assert from "node:assert/strict";
import { dirname } from "node:path";
import { before, describe, it } from "node:test";
import { isJsonObject } from "@weir/base";
import {
  configMapPath,
  deploymentPath,
  describeOnEachCluster,
  describeOnEmbeddedCluster,
  lacks,
  type TestCluster,
  until,
} from "@weir/testing";
import { goProgram } from "@weir/toolchain";
import { exampleFiles, exampleFlags } from "../../support/example-repository.ts";
import { Fluxd, type FluxdOptions, fluxctl } from "../../support/fluxd.ts";
import { TestRepository } from "../../support/repository.ts";

/** The image that each example names. */
const image = "ghcr.io/stefanprodan/podinfo:6.5.3";

describeOnEachCluster("the examples", (cluster) => {
  /** Starts fluxd on an example as its README says, and waits for the first sync. */
  async function sync(example: string, options: Partial<FluxdOptions> = {}): Promise<Synced> {
    const repository = await TestRepository.create(exampleFiles(example));
    const { kubeconfigPath } = cluster;
    const flags = exampleFlags(example);
    const fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath, flags, ...options });
    const synced = new Synced(repository, fluxd);
    await synced.first();
    return synced;
  }

  it("apply plain manifests, delete what git no longer has, and lock a workload in git", async () => {
    await using synced = await sync("plain");
    assert.equal(imageOf(await cluster.kube.get(deploymentPath("web", "shop"))), image);
    assert.ok(await cluster.kube.get(configMapPath("web", "shop")));

    const locked = await fluxctl(synced.fluxd, "lock", "-n", "shop", "-w", "deployment/web");
    await synced.repository.pull();
    await synced.repository.push({ "web/config.yaml": null }, "remove the configuration");
    const done = await fluxctl(synced.fluxd, "sync");

    assert.deepEqual([locked.code, done.code], [0, 0], locked.stderr + done.stderr);
    assert.match(await synced.inGit("web/deployment.yaml"), /fluxcd\.io\/locked: ['"]true['"]/);
    await until("the deletion", async () => !(await cluster.kube.get(configMapPath("web", "shop"))));
    assert.ok(await cluster.kube.get(deploymentPath("web", "shop")));
  });

  describe("with generators", () => {
    it("build an overlay of kustomize, and lock in the patch", { skip: lacks("kubectl") }, async () => {
      await using synced = await sync("kustomize");

      await checkGenerated(synced, cluster);
      assert.doesNotMatch(await synced.inGit("base/web.yaml"), /locked/);
    });

    describe("of helm", { skip: lacks("Go") }, () => {
      let path = "";
      before(async () => {
        path = `${dirname(await goProgram("helm"))}:${process.env["PATH"] ?? ""}`;
      });

      it("render a chart, and lock in the patch", async () => {
        await using synced = await sync("helm", { env: { PATH: path } });

        await checkGenerated(synced, cluster);
      });
    });
  });

  it("apply the manifests of a monorepo, and nothing else of it", async () => {
    await using synced = await sync("monorepo");
    const workloads = (await fluxctl(synced.fluxd, "list-workloads", "-a", "-o", "name")).stdout;

    for (const name of ["cart", "search"]) {
      assert.equal(
        imageOf(await cluster.kube.get(deploymentPath(name, name))),
        `registry.example.com/${name}:1.0.0`,
      );
    }
    assert.match(workloads, /cart:deployment\/cart\nsearch:deployment\/search\n/);

    const broken = { "services/cart/deploy/cart.yaml": "kind: {", "services/cart/src/more.yaml": "kind: {" };
    await synced.repository.push(broken, "break the cart");
    const quarantined = await fluxctl(synced.fluxd, "sync");

    assert.equal(quarantined.code, 0, quarantined.stderr);
    await synced.fluxd.logged("skipping files that fail to load");
    assert.doesNotMatch(synced.fluxd.log, /more\.yaml/);
    assert.ok(await cluster.kube.get(deploymentPath("cart", "cart")));
  });

  describeOnEmbeddedCluster("with a second cluster", {}, (second) => {
    it("sync one repository to both, each with its own configuration and tag", async () => {
      await using repository = await TestRepository.create(exampleFiles("clusters"));
      const start = (flags: readonly string[], { kubeconfigPath }: TestCluster): Promise<Fluxd> =>
        Fluxd.start({ gitUrl: repository.url, kubeconfigPath, flags });
      await using running = new AsyncDisposableStack();
      running.use(await start(exampleFlags("clusters", "Flags in staging"), cluster));
      running.use(await start(exampleFlags("clusters", "Flags in production"), second));

      await until("both syncs", async () => {
        const tags = await Promise.all(
          ["flux-staging", "flux-production"].map((tag) => repository.synced(tag)),
        );
        return tags.every((commit) => commit !== "");
      });

      assert.deepEqual(await messageIn(cluster), { PODINFO_UI_MESSAGE: "Welcome to the shop (staging)" });
      assert.deepEqual(await messageIn(second), { PODINFO_UI_MESSAGE: "Welcome to the shop (production)" });
      assert.equal(await repository.upstream("tag"), "flux-production\nflux-staging");
    });
  });
});

/** A repository with an example, and the fluxd that syncs it. */
class Synced implements AsyncDisposable {
  readonly repository: TestRepository;
  readonly fluxd: Fluxd;

  constructor(repository: TestRepository, fluxd: Fluxd) {
    this.repository = repository;
    this.fluxd = fluxd;
  }

  async first(): Promise<void> {
    await until("the first sync", async () => (await this.repository.synced()) !== "").catch(
      (error: unknown) => {
        throw new Error(`the log is:\n${this.fluxd.log}`, { cause: error });
      },
    );
  }

  inGit(path: string): Promise<string> {
    return this.repository.upstream("show", `master:${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fluxd[Symbol.asyncDispose]();
    await this.repository[Symbol.asyncDispose]();
  }
}

/** The output of the generator, patched, is in the cluster; what fluxctl changes goes into the patch. */
async function checkGenerated(synced: Synced, { kube }: TestCluster): Promise<void> {
  const web = await kube.get(deploymentPath("web", "shop"));
  assert.equal(imageOf(web), image);
  assert.equal(isJsonObject(web?.spec) && web.spec["replicas"], 3);
  assert.equal(web?.metadata.annotations?.["fluxcd.io/automated"], "true");

  const locked = await fluxctl(synced.fluxd, "lock", "-n", "shop", "-w", "deployment/web");

  assert.equal(locked.code, 0, locked.stderr);
  assert.match(await synced.inGit("production/flux-patch.yaml"), /fluxcd\.io\/locked: ['"]true['"]/);
}

function imageOf(deployment: object | undefined): string | undefined {
  return /"image":"([^"]*)"/.exec(JSON.stringify(deployment ?? {}))?.[1];
}

async function messageIn({ kube }: TestCluster): Promise<unknown> {
  return (await kube.get(configMapPath("web", "shop")))?.data;
}

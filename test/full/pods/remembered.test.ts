import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { configMapPath, until } from "@weir/testing";
import { configMap, namespace } from "../../support/manifests.ts";
import { usualImages } from "../../support/pods/images.ts";
import { InstalledFluxd } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

const secretPath = "/api/v1/namespaces/flux/secrets/flux-git-deploy";

describe("what a fluxd in a pod remembers", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let fluxd: InstalledFluxd;
  before(async () => {
    world = started.use(await PodWorld.start());
    await world.cluster.useImages(usualImages());
    fluxd = started.use(
      await InstalledFluxd.start(world, {
        files: { "demo.yaml": namespace("demo") + "---\n" + configMap("config", "v1", "demo") },
        install: ["--registry-disable-scanning", "--memcached=false"],
        fluxd: [
          "--git-poll-interval=1s",
          "--sync-interval=1s",
          "--sync-garbage-collection",
          "--sync-prune-limit=0",
        ],
      }),
    );
  });
  after(() => started.disposeAsync());

  async function valueInCluster(): Promise<string | undefined> {
    const live = await world.kube.get(configMapPath("config", "demo"));
    return (live?.["data"] as Readonly<Record<string, string>> | undefined)?.["key"];
  }

  async function stored(what: "suspended" | "history" | "allowed-deletions"): Promise<string | undefined> {
    return (await world.kube.get(secretPath))?.metadata.annotations?.[`weir.dev/${what}`];
  }

  /** Ends fluxd without letting it do anything; resolves when another one runs. */
  async function kill(): Promise<void> {
    const pods = ["pods", "-n", "flux", "-l", "name=flux"];
    const old = await world.kubectl.must(["get", ...pods, "-o", "name"]);
    await world.kubectl.must(["delete", ...pods, "--grace-period=0", "--force"]);
    await until("another fluxd", async () => {
      const now = await world.kubectl.must(["get", ...pods, "-o", "name"]);
      return now !== "" && now !== old;
    });
    await world.kubectl.rolledOut({ namespace: "flux", name: "deployment/flux" });
  }

  it("is what was suspended, until somebody resumes", async () => {
    const { exit, stderr } = await fluxd.run("suspend", "sync", "--user=Ann", "--reason=migration");
    assert.equal(exit, 0, stderr);
    assert.doesNotMatch(stderr, /Warning/);
    assert.match((await stored("suspended")) ?? "", /"reason":"migration","user":"Ann"/);

    await fluxd.repository.push(
      { "demo.yaml": namespace("demo") + "---\n" + configMap("config", "v2", "demo") },
      "2",
    );
    await kill();
    // Its mirror is ready and has the new head, so that only the suspension keeps it from syncing.
    const status = await until("the status of the next fluxd", async () => {
      const { stdout } = await fluxd.run("status");
      return /1 commit behind/.test(stdout) && stdout;
    });

    assert.match(status, /^syncing is suspended by Ann because: migration; /);
    assert.equal((await fluxd.run("sync")).exit, 1);
    assert.equal(await valueInCluster(), "v1");
    await fluxd.fluxctl("resume");
    await until("the sync", async () => (await valueInCluster()) === "v2");
    assert.equal(await stored("suspended"), undefined);
  });

  it("is what it changed in the cluster", async () => {
    const revision = await fluxd.repository.push(
      { "demo.yaml": namespace("demo") + "---\n" + configMap("config", "v3", "demo") },
      "3",
    );
    // It's written at most once a minute.
    await until("the sync to be stored", async () => (await stored("history"))?.includes(revision));
    await kill();

    const history = await until("the history", async () => {
      const { exit, stdout } = await fluxd.run("history", "-o", "json", "--kind=sync");
      return exit === 0 && stdout;
    });

    const { entries } = JSON.parse(history) as { readonly entries: readonly object[] };
    const [last] = entries;
    assert.deepEqual({ ...last, revision, resources: ["demo:configmap/config"], message: "1 changed" }, last);
  });

  it("is what somebody has allowed it to delete, once", async () => {
    const kept = namespace("demo") + "---\n" + configMap("config", "v3", "demo");
    const leaving = ["one", "other"].map((name) => `---\n${configMap(name, "v1", "demo")}`).join("");
    const exists = async (name: string) => (await world.kube.get(configMapPath(name, "demo"))) !== undefined;
    await fluxd.repository.push({ "demo.yaml": kept + leaving }, "4");
    await until("both to be there", async () => (await exists("one")) && (await exists("other")));
    const revision = await fluxd.repository.push({ "demo.yaml": kept }, "5");
    await until("both to be held back", async () =>
      (await fluxd.run("confirm")).stdout.includes("demo:configmap/other"),
    );
    await fluxd.fluxctl("suspend", "sync");

    const { exit, stderr } = await fluxd.run("confirm", "--prune", revision);
    await kill();
    await until("the next fluxd", async () =>
      (await fluxd.run("status")).stdout.includes("syncing is suspended"),
    );
    await fluxd.fluxctl("resume", "sync");

    assert.equal(exit, 0, stderr);
    assert.doesNotMatch(stderr, /Warning|, now/);
    assert.match(stderr, /syncing is suspended[^]*run `fluxctl resume sync`/);
    await until("both to go", async () => !(await exists("one")) && !(await exists("other")));
    await until("the allowance to go", async () => (await stored("allowed-deletions")) === undefined);
  });

  it("can be suspended only if it's allowed to remember that", async () => {
    await world.kubectl.must([
      "patch",
      "clusterrolebinding",
      "flux",
      "--type=json",
      '-p=[{"op":"replace","path":"/subjects/0/name","value":"nobody"}]',
    ]);

    const refused = await until("the refusal", async () => {
      const result = await fluxd.run("suspend", "sync");
      return result.exit === 1 && result;
    });

    assert.match(
      refused.stderr,
      /cannot suspend: the next fluxd would not know about it, because there is no Secret flux\/flux-git-deploy, or fluxd isn't allowed to read it/,
    );
  });
});

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { lacks, until } from "@weir/testing";
import type { FluxctlResult } from "../../support/fluxctl.ts";
import { deployment } from "../../support/manifests.ts";
import { GitServerPod } from "../../support/pods/git-server-pod.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { TestTerminal } from "../../support/terminal.ts";

const namespace = "flux";

describe("fluxctl, which finds the pod of fluxd by itself", {
  skip: PodWorld.lacks() || lacks("tmux"),
}, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let git: GitServerPod;
  let terminal: TestTerminal;
  before(async () => {
    world = started.use(await PodWorld.start());
    git = started.use(
      await GitServerPod.start(world.kubectl, { namespace, files: { "app.yaml": deployment("app") } }),
    );
    await world.install(git, { namespace, args: ["--registry-disable-scanning"] });
    const env = { KUBECONFIG: world.cluster.kubeconfigPath, FLUX_FORWARD_NAMESPACE: namespace };
    terminal = started.use(await TestTerminal.start({ env, columns: 200 }));
  });
  after(() => started.disposeAsync());

  /** Runs a command with the flag for the namespace of fluxd. */
  function fluxctl(...args: readonly string[]): Promise<FluxctlResult> {
    return world.fluxctl(...args, `--k8s-fwd-ns=${namespace}`);
  }

  /** A pod that runs, is ready, and serves nothing. */
  async function startPod(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
    const containers = [{ name: "main", image: "pause:1" }];
    await world.kubectl.apply([
      { apiVersion: "v1", kind: "Pod", metadata: { name, namespace, labels }, spec: { containers } },
    ]);
    await world.kubectl.must(["wait", `pod/${name}`, "-n", namespace, "--for=condition=Ready"]);
  }

  async function endPod(name: string): Promise<void> {
    await world.kubectl.must(["delete", "pod", name, "-n", namespace, "--now"]);
  }

  it("shows the key, and syncs when the git server has it", async () => {
    const identity = await fluxctl("identity");
    await git.authorize(identity.stdout);
    await until("fluxd to have access", async () => (await fluxctl("sync")).exit === 0);
    const commit = await git.repository.push({ "app.yaml": deployment("app", "example.test/app:2") }, "bump");

    const synced = await fluxctl("sync");

    assert.equal(synced.exit, 0, synced.stderr);
    assert.equal(await git.repository.synced("flux"), commit);
  });

  it("lists what runs", async () => {
    const listed = await until("the deployment to be ready", async () => {
      const { stdout } = await fluxctl("list-workloads");
      return /app:2 +ready/.test(stdout) && stdout;
    });

    assert.equal(
      listed,
      "WORKLOAD                CONTAINER  IMAGE               RELEASE  POLICY\n" +
        "default:deployment/app  main       example.test/app:2  ready    \n",
    );
  });

  it("takes the namespace and the labels from the environment, too", async () => {
    const env = { FLUX_FORWARD_NAMESPACE: namespace, FLUX_FORWARD_LABELS: "name=flux" };

    const { exit, stderr } = await world.fluxctlIn(env, "list-workloads");

    assert.equal(exit, 0, stderr);
  });

  it("doesn't choose between two pods, unless labels tell them apart", async () => {
    await world.kubectl.must(["label", "pod", "--selector=name=flux", "-n", namespace, "release=main"]);
    await startPod("another", { name: "flux", release: "test" });

    const ambiguous = await fluxctl("list-workloads");
    const labelled = await fluxctl("list-workloads", "--k8s-fwd-labels=name=flux,release=main");

    assert.deepEqual([ambiguous.exit, ambiguous.stdout], [1, ""]);
    assert.match(
      ambiguous.stderr,
      /^Error: .*: found more than one pod for selector: labels "name in \(flux,fluxd,weave-flux-agent\)"\n/,
    );
    await terminal.enter("fluxctl list-workloads");
    assert.match(await terminal.finished(), / another, flux-\w+-\w+\b/);
    assert.equal(labelled.exit, 0, labelled.stderr);
    await endPod("another");
  });

  it("tells a person that the pod doesn't respond", async () => {
    await startPod("silent", { app: "flux" });

    await terminal.enter("fluxctl list-workloads");

    assert.match(await terminal.finished(), /^fluxctl found the pod, but fluxd does not respond\./m);
    assert.notEqual(await terminal.status(), 0);
    await endPod("silent");
  });
});

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { configMapPath, TempFolder, until } from "@weir/testing";
import { lacksHelm } from "../support/chart/helm.ts";
import { helmIn } from "../support/chart/installed.ts";
import { chartFolder } from "../support/chart/render.ts";
import { configMap } from "../support/manifests.ts";
import { GitServerPod } from "../support/pods/git-server-pod.ts";
import { PodWorld } from "../support/pods/pod-world.ts";

const namespace = "gitops";
const here = ["--namespace", namespace];

describe("a new release of the chart, without root", { skip: PodWorld.lacks() || lacksHelm() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let git: GitServerPod;
  before(async () => {
    world = started.use(await PodWorld.start());
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    const metadata = { name: namespace, labels };
    await world.kubectl.apply([{ apiVersion: "v1", kind: "Namespace", metadata }]);
    git = started.use(
      await GitServerPod.start(world.kubectl, { namespace: "git", files: { "app.yaml": configMap("app") } }),
    );
  });
  after(() => started.disposeAsync());

  /** Runs a command in fluxd's container. */
  function run(...args: readonly string[]): Promise<string> {
    return world.kubectl.must(["exec", "-n", namespace, "deployment/gitops-flux", "--", ...args]);
  }

  it("runs where only restricted pods are admitted, and syncs with the key that it made", async () => {
    using folder = new TempFolder();
    const values = folder.write("values.json", JSON.stringify(valuesFor(git)));

    await helmIn(world.cluster, "install", "gitops", chartFolder, ...here, "--values", values);
    await world.kubectl.rolledOut({ namespace, name: "deployment/gitops-flux" });
    await world.kubectl.rolledOut({ namespace, name: "deployment/gitops-flux-memcached" });
    const { stdout: key, exit, stderr } = await world.fluxctl("identity", `--k8s-fwd-ns=${namespace}`);
    assert.equal(exit, 0, stderr);
    await git.authorize(key);

    await until("the sync", async () => (await git.repository.synced("flux-sync")) !== "");
    assert.ok(await world.kube.get(configMapPath("app")));
  });

  it("reads the settings of ssh and git that values give", async () => {
    assert.match(await run("ssh", "-G", "other.example.com"), /^port 2222$/m);
    assert.equal((await run("git", "config", "user.nickname")).trim(), "robot");
  });

  it("passes helm test", async () => {
    const told = await helmIn(world.cluster, "test", "gitops", ...here, "--logs");

    assert.match(told, /Phase: +Succeeded/);
  });

  it("keeps its key and its gitconfig over an upgrade, and warns of values that it doesn't know", async () => {
    const identity = (): Promise<{ readonly stdout: string }> =>
      world.fluxctl("identity", `--k8s-fwd-ns=${namespace}`);
    const { stdout: key } = await identity();
    const args = ["--reuse-values", "--set=git.brnach=main,git.pollInterval=1m,git.config.data="];

    const notes = await helmIn(world.cluster, "upgrade", "gitops", chartFolder, ...here, ...args);
    await world.kubectl.rolledOut({ namespace, name: "deployment/gitops-flux" });

    assert.match(notes, /no values of these names, so they have no effect: git\.brnach\n/);
    assert.equal((await identity()).stdout, key);
    assert.equal((await run("git", "config", "user.nickname")).trim(), "robot");
  });

  it("runs as the user that podSecurityContext names, without podSecurity, and reads its key", async () => {
    using folder = new TempFolder();
    const values = folder.write(
      "values.json",
      JSON.stringify({
        podSecurity: "",
        podSecurityContext: {
          runAsUser: 1000,
          runAsNonRoot: true,
          seccompProfile: { type: "RuntimeDefault" },
        },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        memcached: { enabled: false },
      }),
    );

    await helmIn(
      world.cluster,
      ...["upgrade", "gitops", chartFolder, ...here, "--reuse-values", "--values", values],
    );
    await world.kubectl.rolledOut({ namespace, name: "deployment/gitops-flux" });

    // Whoever calls `kubectl exec` is root, on this node.
    const owners = await run("sh", "-c", "stat --format=%u /tmp/flux-gitclone*");
    assert.deepEqual([...new Set(owners.trim().split("\n"))], ["1000"]);
    await until("write access to git", async () => {
      const { stdout, exit, stderr } = await world.fluxctl("check", `--k8s-fwd-ns=${namespace}`);
      assert.equal(exit, 0, stderr);
      return /^passed +git write /m.test(stdout);
    });
  });
});

function valuesFor({ url, knownHosts }: GitServerPod): object {
  return {
    podSecurity: "restricted",
    git: {
      url,
      config: { enabled: true, secretName: "our-git-config", data: "[user]\n\tnickname = robot\n" },
    },
    ssh: { known_hosts: knownHosts, config: "Host other.example.com\n  Port 2222\n" },
    // There is no way out of the cluster, and so to no registry.
    registry: { excludeImage: "*" },
  };
}

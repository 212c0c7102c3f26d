import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { KubeObject } from "@weir/kube";
import { configMapPath, lacks, TempFolder, until } from "@weir/testing";
import { parse, stringify } from "yaml";
import { ownRootImage } from "../../src/own-image/own-image.ts";
import { packageVersion } from "../support/chart/package-version.ts";
import { parseObjects } from "../support/chart/render.ts";
import { inOrder } from "../support/chart/same-objects.ts";
import { runFluxctl } from "../support/fluxctl.ts";
import { configMap } from "../support/manifests.ts";
import { GitServerPod } from "../support/pods/git-server-pod.ts";
import { knownHostsConfigMap } from "../support/pods/known-hosts.ts";
import { PodWorld } from "../support/pods/pod-world.ts";

const deploy = join(import.meta.dirname, "../../deploy");

describe("the components of deploy/", { skip: lacks("kubectl") }, () => {
  const all = ["--memcached-network-policy", "--create-namespace"];
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [[], all],
    [["restricted"], [...all, "--pod-security=restricted"]],
    [["without-memcached"], [...all, "--memcached=false"]],
    [
      ["without-memcached", "restricted"],
      [...all, "--pod-security=restricted", "--memcached=false"],
    ],
    [
      ["restricted", "without-memcached"],
      [...all, "--pod-security=restricted", "--memcached=false"],
    ],
  ];
  for (const [components, flags] of cases) {
    it(`make what fluxctl install makes: ${components.join(", ")}`, async () => {
      const built = await build({
        resources: ["deploy"],
        components: components.map((name) => `deploy/components/${name}`),
      });

      assert.deepEqual(inOrder(built), inOrder(await installed(flags)));
    });
  }
});

describe("the kustomization in deploy/README.md", { skip: PodWorld.lacks() }, () => {
  const namespace = "flux";
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let git: GitServerPod;
  before(async () => {
    world = started.use(await PodWorld.start());
    git = started.use(
      await GitServerPod.start(world.kubectl, { namespace: "git", files: { "app.yaml": configMap("app") } }),
    );
  });
  after(() => started.disposeAsync());

  it("installs a fluxd that syncs where only restricted pods are admitted", async () => {
    using folder = new TempFolder();
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    const metadata = { name: namespace, labels };
    await world.kubectl.apply([{ apiVersion: "v1", kind: "Namespace", metadata }]);
    writeOverlay(folder, withGit(readmeKustomization(), git));
    folder.write("known-hosts.yaml", JSON.stringify(knownHostsConfigMap(namespace, git.knownHosts)));

    await world.kubectl.must(["apply", "-k", folder.path]);
    await world.kubectl.rolledOut({ namespace, name: "deployment/flux" });
    const { stdout: key, exit, stderr } = await world.fluxctl("identity", `--k8s-fwd-ns=${namespace}`);
    assert.equal(exit, 0, stderr);
    await git.authorize(key);

    await until("the sync", async () => (await git.repository.synced("flux")) !== "");
    assert.ok(await world.kube.get(configMapPath("app")));
  });
});

interface Kustomization {
  readonly resources: readonly string[];
  readonly components: readonly string[];
  readonly patches?: readonly object[];
}

/** The example that names the components. */
function readmeKustomization(): string {
  const readme = readFileSync(join(deploy, "README.md"), "utf8");
  const blocks = readme.split(/\n(?! {4}|\n)[^\n]*/).filter((block) => block.includes("components:"));
  assert.equal(blocks.length, 1, "one example names components");
  return (blocks[0] ?? "").replaceAll(/^ {4}/gm, "");
}

/** The example with the git server of the test: its URL and branch, and its host key. */
function withGit(text: string, git: GitServerPod): Kustomization {
  const url = "git@github.com:your-name/your-repository";
  assert.ok(text.includes(`--git-url=${url}\n`) && text.includes("--git-branch=main\n"));
  const changed = text.replace(url, git.url).replace("--git-branch=main", "--git-branch=master");
  const { resources, components, patches = [] } = parse(changed) as Kustomization;
  const pod = "/spec/template/spec";
  const volume = { name: "ssh-config", configMap: { name: "flux-ssh-config" } };
  const mount = { name: "ssh-config", mountPath: "/etc/fluxd/known-hosts" };
  const patch = [
    { op: "add", path: `${pod}/volumes/-`, value: volume },
    { op: "add", path: `${pod}/containers/0/volumeMounts/-`, value: mount },
  ];
  const target = { kind: "Deployment", name: "flux" };
  const label = {
    op: "add",
    path: "/metadata/labels",
    value: { "pod-security.kubernetes.io/enforce": "restricted" },
  };
  return {
    resources: [...resources, "known-hosts.yaml"],
    components,
    patches: [
      ...patches,
      { target, patch: JSON.stringify(patch) },
      { target: { kind: "Namespace" }, patch: JSON.stringify([label]) },
    ],
  };
}

function writeOverlay(folder: TempFolder, kustomization: Kustomization): void {
  cpSync(deploy, join(folder.path, "deploy"), { recursive: true });
  folder.write("kustomization.yaml", stringify(kustomization));
}

async function build(kustomization: Kustomization): Promise<readonly KubeObject[]> {
  using folder = new TempFolder();
  writeOverlay(folder, kustomization);
  const { stdout } = await promisify(execFile)("kubectl", ["kustomize", folder.path]);
  return parseObjects(stdout);
}

/** What `fluxctl install` prints with the values of deploy/. */
async function installed(flags: readonly string[]): Promise<readonly KubeObject[]> {
  const values = [
    "--namespace=flux",
    "--git-url=git@github.com:your-name/your-repository",
    "--git-branch=main",
    "--git-email=flux@example.com",
    `--image=${ownRootImage(packageVersion())}`,
  ];
  const { exit, stdout, stderr } = await runFluxctl(["install", ...values, ...flags], {
    HOME: "/nonexistent",
  });
  assert.equal(exit, 0, stderr);
  return parseObjects(stdout);
}

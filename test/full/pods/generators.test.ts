import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { dedent, deploymentPath } from "@weir/testing";
import { namespace } from "../../support/manifests.ts";
import { app, appImages, runs } from "../../support/pods/app.ts";
import { usualImages } from "../../support/pods/images.ts";
import { InstalledFluxd, type InstalledOptions } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { RegistryPod } from "../../support/pods/registry-pod.ts";

const image = "registry.flux:5000/app";
const workloads = {
  patched: app({ name: "patched", image: `${image}:1.0` }),
  commanded: app({ name: "commanded", image: `${image}:1.0` }),
};
const files = {
  "base/kustomization.yaml": "resources: [demo.yaml, app.yaml]\n",
  "base/demo.yaml": namespace("demo"),
  "base/app.yaml": workloads.patched,
  "production/kustomization.yaml": dedent(`
    resources: [../base]
    replicas:
      - name: patched
        count: 2
  `),
  "production/.flux.yaml": dedent(`
    version: 1
    patchUpdated:
      generators:
        - command: kubectl kustomize .
      patchFile: flux-patch.yaml
  `),
  "commanded/kustomization.yaml": dedent(`
    resources: [app.yaml]
    images:
      - name: ${image}
        newTag: "1.0"
  `),
  "commanded/app.yaml": workloads.commanded,
  "commanded/.flux.yaml": dedent(`
    version: 1
    commandUpdated:
      generators:
        - command: kubectl kustomize .
      updaters:
        - containerImage:
            command: sed -i "s/newTag:.*/newTag:\\ \\"$FLUX_TAG\\"/" kustomization.yaml
          policy:
            command: >-
              kubectl annotate --local -f app.yaml -o yaml
              "fluxcd.io/$FLUX_POLICY=$FLUX_POLICY_VALUE" > new.yaml && mv new.yaml app.yaml
  `),
};

describe("manifests that kustomize generates", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let fluxd: InstalledFluxd;
  let registry: RegistryPod;
  const inGit = (path: string): Promise<string> => fluxd.repository.upstream("show", `master:${path}`);
  const annotationsOf = async (name: string): Promise<Readonly<Record<string, string>>> => {
    await fluxd.synced();
    return (await world.kube.get(deploymentPath(name, "demo")))?.metadata.annotations ?? {};
  };

  before(async () => {
    world = started.use(await PodWorld.start());
    await world.cluster.useImages([...appImages(image, ["1.0", "1.1"]), ...usualImages()]);
    registry = started.use(await RegistryPod.start(world, "flux"));
    await registry.push("app", "1.0", "06-01");
    await registry.push("app", "1.1", "06-02");
    const options: InstalledOptions = {
      files,
      running: [namespace("demo"), ...Object.values(workloads)].join("---\n"),
      install: ["--manifest-generation", "--git-path=production,commanded"],
      fluxd: [`--registry-insecure-host=${registry.host}`],
    };
    fluxd = started.use(await InstalledFluxd.start(world, options));
    await fluxd.scanned("1.1");
  });
  after(() => started.disposeAsync());

  it("run in pods, with what the overlay says", async () => {
    await Promise.all(Object.keys(workloads).map((name) => runs(world.kubectl, "1.0", name)));

    const pods = await world.kubectl.must(["get", "pods", "-n", "demo", "-l", "app=patched", "-o", "name"]);
    assert.equal(pods.trim().split("\n").length, 2);
  });

  it("get policies and images by the patch file, with patchUpdated", async () => {
    await fluxd.fluxctl("policy", "--workload=demo:deployment/patched", "--tag=main=1.*");
    assert.equal((await annotationsOf("patched"))["fluxcd.io/tag.main"], "glob:1.*");

    await fluxd.fluxctl("release", "--workload=demo:deployment/patched", `--update-image=${image}:1.1`);

    await runs(world.kubectl, "1.1", "patched");
    assert.equal(
      `${await inGit("production/flux-patch.yaml")}\n`,
      dedent(`
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          annotations:
            fluxcd.io/tag.main: glob:1.*
          name: patched
          namespace: demo
        spec:
          template:
            spec:
              $setElementOrder/containers:
              - name: main
              containers:
              - image: ${image}:1.1
                name: main
      `),
    );
    assert.equal(await inGit("base/app.yaml"), workloads.patched.trimEnd());
  });

  it("get policies and images by commands, with commandUpdated", async () => {
    await fluxd.fluxctl("policy", "--workload=demo:deployment/commanded", "--tag=main=1.*");
    assert.equal((await annotationsOf("commanded"))["fluxcd.io/tag.main"], "glob:1.*");

    await fluxd.fluxctl("release", "--workload=demo:deployment/commanded", `--update-image=${image}:1.1`);

    await runs(world.kubectl, "1.1", "commanded");
    assert.match(await inGit("commanded/kustomization.yaml"), /newTag: "1.1"$/);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exportToFlux2, type Flux2Export } from "../../../../src/switching/flux2/export.ts";
import type { ExportedWorkload } from "../../../../src/switching/flux2/install.ts";
import { exportedInstall, exportedWorkload } from "../../../support/flux2-install.ts";

const automated = { automated: "true" };

describe("automated workloads", () => {
  it("get a policy and a marker for each container, and share the repository of an image", () => {
    const exported = exportOf([
      exportedWorkload({ id: "b:deployment/web", policies: automated, tags: ["1", "2"] }),
      exportedWorkload({ id: "a:daemonset/web", policies: { ...automated, "tag.main": "semver:^1" } }),
    ]);

    assert.deepEqual(namesOf(exported), [
      "GitRepository/shop",
      "Kustomization/shop",
      "ImageRepository/org-web",
      "ImagePolicy/a-web-main",
      "ImagePolicy/b-web-main",
      "ImageUpdateAutomation/shop",
    ]);
    assert.deepEqual(
      exported.markers.map(({ workload, comment }) => `${workload} ${comment}`),
      [
        'a:daemonset/web # {"$imagepolicy": "flux-system:a-web-main"}',
        'b:deployment/web # {"$imagepolicy": "flux-system:b-web-main"}',
      ],
    );
  });

  it("come in the same order and with the same names, however they are listed", () => {
    const workloads = ["a:deployment/b-c", "a-b:deployment/c", "a:daemonset/b-c"].map((id) =>
      exportedWorkload({ id, policies: automated }),
    );

    assert.deepEqual(exportOf(workloads), exportOf(workloads.toReversed()));
    assert.equal(new Set(namesOf(exportOf(workloads))).size, namesOf(exportOf(workloads)).length);
  });

  it("keep a policy suspended that might choose another image than Flux v1", () => {
    const exported = exportOf([exportedWorkload({ policies: automated, tags: ["c0ffee", "b0b"] })]);

    assert.deepEqual(specOf(exported, "ImagePolicy"), {
      suspend: true,
      imageRepositoryRef: { name: "org-web" },
      policy: { alphabetical: { order: "asc" } },
    });
  });

  it("scan with the Secret that their images are pulled with", () => {
    const exported = exportOf([
      exportedWorkload({
        policies: automated,
        pullSecrets: ["two", "one"],
        image: "1.dkr.ecr.eu-west-1.amazonaws.com/a:1",
      }),
    ]);

    assert.deepEqual(specOf(exported, "ImageRepository"), {
      image: "1.dkr.ecr.eu-west-1.amazonaws.com/a",
      interval: "5m",
      secretRef: { name: "one" },
    });
    assert.deepEqual(
      exported.secrets.map(({ name }) => name),
      ["shop-git-auth", "two", "one"],
    );
  });

  for (const [image, provider] of [
    ["1.dkr.ecr.eu-west-1.amazonaws.com/a:1", "aws"],
    ["eu.gcr.io/p/a:1", "gcp"],
    ["europe-docker.pkg.dev/p/r/a:1", "gcp"],
    ["shop.azurecr.io/a:1", "azure"],
    ["quay.io/shop/a:1", undefined],
    ["nginx:1", undefined],
  ] as const) {
    it(`scan ${image} with provider ${String(provider)}`, () => {
      const spec = specOf(exportOf([exportedWorkload({ policies: automated, image })]), "ImageRepository");

      assert.equal((spec as { provider?: string }).provider, provider);
    });
  }
});

describe("workloads without an equivalent", () => {
  const reported: readonly (readonly [
    title: string,
    workload: Parameters<typeof exportedWorkload>[0],
    reason: RegExp,
  ])[] = [
    ["locked", { policies: { ...automated, locked: "true", locked_msg: "broken" } }, /locked \(broken\)/],
    ["ignored", { policies: { ...automated, ignore: "true" } }, /doesn't read fluxcd\.io\/ignore/],
    ["synced only", { policies: { ignore: "sync_only" } }, /would prune/],
    ["of the Helm operator", { id: "a:helmrelease/b", policies: automated }, /Helm operator/],
    ["not automated, with a tag pattern", { policies: { "tag.main": "glob:*" } }, /isn't automated/],
    ["excluded from scans", { policies: automated, image: "k8s.gcr.io/pause:1" }, /doesn't scan/],
    ["with a broken tag pattern", { policies: { ...automated, "tag.main": "semver:x y" } }, /is invalid/],
    [
      "pinned",
      { policies: automated, image: `example.test/a@sha256:${"a".repeat(64)}` },
      /pinned to a digest/,
    ],
  ];
  for (const [title, workload, reason] of reported) {
    it(`are reported, and get neither policy nor marker: ${title}`, () => {
      const exported = exportOf([exportedWorkload(workload)]);

      assert.deepEqual(namesOf(exported), ["GitRepository/shop", "Kustomization/shop"]);
      assert.deepEqual(exported.markers, []);
      assert.ok(
        exported.leftOut.some((each) => reason.test(each.reason)),
        JSON.stringify(exported.leftOut),
      );
    });
  }

  it("reports fluxd's own Deployment in the repository, which Flux v2 would start again", () => {
    const own = exportedWorkload({ id: "flux:deployment/flux" });

    const subjects = (workload: ExportedWorkload): readonly string[] =>
      exportOf([workload]).leftOut.map(({ subject }) => subject);

    assert.ok(subjects(own).includes("flux:deployment/flux"));
    assert.ok(!subjects({ ...own, isInGit: false }).includes("flux:deployment/flux"));
  });
});

function exportOf(workloads: readonly ExportedWorkload[]): Flux2Export {
  const install = exportedInstall(["--git-url=git@github.com:org/shop"], workloads);
  return exportToFlux2(install, { namespace: "flux-system", gitUrl: "" });
}

function namesOf({ objects }: Flux2Export): readonly string[] {
  return objects.map(({ object: { kind, metadata } }) => `${kind}/${metadata.name}`);
}

function specOf({ objects }: Flux2Export, kind: string): object | undefined {
  return objects.find(({ object }) => object.kind === kind)?.object.spec;
}

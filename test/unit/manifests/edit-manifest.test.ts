import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef } from "@weir/flux";
import { dedent } from "@weir/testing";
import { withImage, withPolicies } from "../../../src/manifests/edit-manifest.ts";
import { oneManifest } from "../../support/parsed-manifests.ts";

const deployment = dedent(`
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    annotations:
      flux.weave.works/locked: "true"
  spec:
    template:
      spec:
        containers:
        - name: app   # the one
          image: org/app:1
`);
const release = dedent(`
  ---
  apiVersion: helm.fluxcd.io/v1
  kind: HelmRelease
  metadata:
    name: web
    namespace: demo
    annotations:
      repository.fluxcd.io/app: custom.repo
      tag.fluxcd.io/app: custom.version
  spec:
    values:
      custom:
        repo: org/app
        version: "1"
      db:
        image: org/db:1
`);

describe("withImage", () => {
  it("sets the image of a container", () => {
    assert.equal(edited(deployment, "app", "org/app:2"), deployment.replace("org/app:1", "org/app:2"));
  });

  it("sets the fields that annotations point at", () => {
    assert.equal(
      edited(release, "app", "quay.io/org/app:2"),
      release.replace("repo: org/app", "repo: quay.io/org/app").replace('"1"', '"2"'),
    );
  });

  it("sets an image of a HelmRelease that no annotation points at", () => {
    assert.equal(edited(release, "db", "org/db:2"), release.replace("org/db:1", "org/db:2"));
  });

  it("refuses what has no images", () => {
    assert.throws(() => edited("{apiVersion: v1, kind: Service, metadata: {name: a}}", "app", "x"), {
      name: "FluxError",
      kind: "user",
      message: 'updating resource kind "service" not supported',
    });
  });
});

describe("withPolicies", () => {
  const resource = oneManifest(deployment).resourceIn("default");

  it("changes annotations, also where the manifest leaves the usual namespace out", () => {
    const text = withPolicies(Buffer.from(deployment), resource, {
      update: { add: { tag_all: "semver:1" }, remove: { locked: "true" } },
    });

    assert.equal(text, deployment.replace('flux.weave.works/locked: "true"', "fluxcd.io/tag.app: semver:1"));
  });

  it("does not find a manifest that goes elsewhere only by --k8s-default-namespace, as Flux v1", () => {
    const elsewhere = oneManifest(deployment).resourceIn("elsewhere");

    assert.throws(
      () =>
        withPolicies(Buffer.from(deployment), elsewhere, {
          update: { add: { automated: "true" }, remove: null },
        }),
      { name: "ManifestNotFoundError", message: "manifest not found" },
    );
  });

  it("refuses an update that says nothing", () => {
    assert.throws(
      () => withPolicies(Buffer.from(deployment), resource, { update: { add: {}, remove: null } }),
      {
        name: "NoPolicyChangesError",
        message: "no policies of default:deployment/web were given to be changed",
      },
    );
  });

  it("refuses what has no containers", () => {
    const service = oneManifest("{apiVersion: v1, kind: Service, metadata: {name: a}}").resourceIn("demo");

    assert.throws(
      () => withPolicies(Buffer.from(""), service, { update: { add: { automated: "true" }, remove: null } }),
      {
        name: "NotAWorkloadError",
        message: "resource demo:service/a does not have containers",
      },
    );
  });
});

function edited(text: string, container: string, image: string): string {
  const manifest = oneManifest(text);
  const resource = manifest.resourceIn(
    manifest.content.namespace === "" ? "default" : manifest.content.namespace,
  );
  return withImage(Buffer.from(text), resource, { container, image: parseImageRef(image) });
}

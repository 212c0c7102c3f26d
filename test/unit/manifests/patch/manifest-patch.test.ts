import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { applyManifestPatch, createManifestPatch } from "../../../../src/manifests/patch/manifest-patch.ts";
import { configMap, deployment } from "../../../support/manifests.ts";
import { parsedFile } from "../../../support/parsed-manifests.ts";

const release = dedent(`
  apiVersion: helm.fluxcd.io/v1
  kind: HelmRelease
  metadata:
    name: chart
  spec:
    values:
      list:
      - name: a
      - name: b
`);

describe("createManifestPatch", () => {
  it("says what differs, by resource, with what names the resource", () => {
    const original = parsedFile(`${deployment("web")}---\n${configMap("conf")}---\n${configMap("same")}`);
    const modified = parsedFile(
      `${configMap("same")}---\n${deployment("web", "org/app:2")}---\n${configMap("conf", "v2")}`,
    );

    assert.equal(
      createManifestPatch(original.manifests, modified.manifests),
      dedent(`
        ---
        apiVersion: v1
        data:
          key: v2
        kind: ConfigMap
        metadata:
          name: conf
          namespace: default
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          namespace: default
        spec:
          template:
            spec:
              $setElementOrder/containers:
              - name: main
              containers:
              - image: org/app:2
                name: main
      `),
    );
  });

  it("leaves out what only one of the two has", () => {
    const patch = createManifestPatch(
      parsedFile(configMap("a")).manifests,
      parsedFile(configMap("b")).manifests,
    );

    assert.equal(patch, "");
  });

  it("replaces the lists of kinds that it does not know", () => {
    const patch = createManifestPatch(
      parsedFile(release).manifests,
      parsedFile(release.replace("    - name: b\n", "")).manifests,
    );

    assert.match(patch, /values:\n {4}list:\n {4}- name: a\n$/);
  });

  it("names the resource that cannot be compared", () => {
    const [one, other] = [1, 2].map(() => parsedFile(`${configMap("odd")}  number: .inf\n`).manifests);
    assert.ok(one && other);

    assert.throws(() => createManifestPatch(one, other), {
      name: "ManifestPatchError",
      message: "cannot obtain patch for resource default:configmap/odd: json: unsupported value: +Inf",
    });
    assert.equal(createManifestPatch(one, one), "");
  });
});

describe("applyManifestPatch", () => {
  it("gives all manifests by ID, and the new text of those that have a patch", () => {
    const original = parsedFile(`${configMap("b")}---\n${configMap("a")}`);
    const [b, a] = original.manifests;
    const patch = parsedFile(configMap("b", "patched"));

    assert.deepEqual(applyManifestPatch(original.manifests, patch.manifests), [
      { manifest: a, text: undefined },
      { manifest: b, text: patch.manifests[0]?.content.bytes },
    ]);
  });

  it("takes a null in a list of a patch for a deletion, where the kind is not known", () => {
    const patch = release.replace("- name: a\n", "- {name: a, gone: null, deep: {gone: null}}\n    - null\n");

    const [{ text } = { text: "" }] = applyManifestPatch(
      parsedFile(release).manifests,
      parsedFile(patch).manifests,
    );

    assert.match(text ?? "", /list:\n {4}- deep: \{\}\n {6}name: a\n {4}- null\n {4}- name: b\n$/);
  });

  it("refuses what is there twice", () => {
    const twice = parsedFile(`${configMap("a")}---\n${configMap("a", "v2")}`).manifests;
    const once = twice.slice(1);

    for (const [original, patches] of [
      [twice, once],
      [once, twice],
    ] as const) {
      assert.throws(() => applyManifestPatch(original, patches), {
        name: "DuplicateManifestError",
        message: "duplicate definition of 'default:configmap/a' (in app.yaml)",
      });
    }
  });

  it("refuses a patch for what is not there", () => {
    const patch = parsedFile(release);

    assert.throws(() => applyManifestPatch(parsedFile(configMap("a")).manifests, patch.manifests), {
      name: "ManifestPatchError",
      message: "patch refers to missing resource (:helmrelease/chart)",
    });
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { kubeObject } from "@weir/testing";
import { hideChecksums } from "../../../src/engine-adapter/hidden-checksums.ts";

function secret(checksum: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: Secret
    metadata: { name: s, annotations: { fluxcd.io/sync-checksum: ${checksum}, note: x } }
  `;
}

describe("hideChecksums", () => {
  it("shows of the checksums of a Secret only whether they differ", () => {
    const [eight, nine] = [secret("'++++++++'"), secret("'+++++++++'")];

    assert.deepEqual(hideChecksums(secret("abc"), secret("abc")), [eight, eight]);
    assert.deepEqual(hideChecksums(secret("abc"), secret("def")), [eight, nine]);
    assert.deepEqual(hideChecksums(undefined, secret("def")), [undefined, eight]);
    assert.deepEqual(hideChecksums(secret("abc"), undefined), [eight, undefined]);
  });

  it("leaves everything else as it is", () => {
    const bare = kubeObject`
      apiVersion: v1
      kind: Secret
      metadata: { name: s }
    `;
    const map = { ...secret("abc"), kind: "ConfigMap" };

    assert.deepEqual(hideChecksums(bare, map), [bare, map]);
  });
});

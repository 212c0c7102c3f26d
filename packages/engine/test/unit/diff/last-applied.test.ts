import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GoJsonError } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { PatchError } from "@weir/kube/patch";
import { kubeObject } from "@weir/testing";
import {
  lastAppliedAnnotation,
  lastAppliedOf,
  lastAppliedText,
  withLastApplied,
} from "../../../src/diff/last-applied.ts";

describe("withLastApplied", () => {
  it("writes what kubectl writes, byte for byte", () => {
    const object = kubeObject`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: conf
        namespace: default
        labels:
          example.test/sync-gc-mark: sha256.SvBlr-6B03S3QonA6sThPeTn5GA6_HkFw7_p2petZ7g
        annotations:
          example.test/sync-checksum: 836ddde98b3724d5a535bda4c8236fee250d3a9a
      data:
        key: v1
    `;

    assert.equal(
      lastAppliedText(withLastApplied(object)),
      `{"apiVersion":"v1","data":{"key":"v1"},"kind":"ConfigMap","metadata":{"annotations":{"example.test/sync-checksum":"836ddde98b3724d5a535bda4c8236fee250d3a9a"},"labels":{"example.test/sync-gc-mark":"sha256.SvBlr-6B03S3QonA6sThPeTn5GA6_HkFw7_p2petZ7g"},"name":"conf","namespace":"default"}}\n`,
    );
  });

  it("writes an empty map if there are no annotations, and keeps nulls and escapes", () => {
    const object = kubeObject`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: conf
        creationTimestamp: null
      data:
        "10": <a> & b
        "9": "1"
    `;

    assert.equal(
      lastAppliedText(withLastApplied(object)),
      String.raw`{"apiVersion":"v1","data":{"10":"\u003ca\u003e \u0026 b","9":"1"},"kind":"ConfigMap","metadata":{"annotations":{},"creationTimestamp":null,"name":"conf"}}` +
        "\n",
    );
  });

  it("adds to the annotations and changes nothing else", () => {
    const object = kubeObject`
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: conf, annotations: {a: b}}
    `;
    const before = structuredClone(object);

    const applied = withLastApplied(object);

    assert.deepEqual(object, before);
    assert.deepEqual(applied, {
      ...object,
      metadata: { name: "conf", annotations: { a: "b", [lastAppliedAnnotation]: lastAppliedText(applied) } },
    });
  });

  it("replaces an annotation that the manifest already has", () => {
    const object: KubeObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "conf", annotations: { [lastAppliedAnnotation]: '{"stale":true}' } },
    };

    const applied = withLastApplied(object);

    assert.deepEqual(lastAppliedOf(applied), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "conf", annotations: {} },
    });
    assert.deepEqual(withLastApplied(applied), applied);
  });

  it("takes annotations that are none for none", () => {
    const object: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { annotations: null } };

    assert.deepEqual(lastAppliedOf(withLastApplied(object)), { ...object, metadata: { annotations: {} } });
  });

  it("refuses values that JSON cannot represent", () => {
    const object: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: {}, data: { a: Number.NaN } };

    assert.throws(() => withLastApplied(object), GoJsonError);
  });
});

describe("lastAppliedOf", () => {
  it("is null for an object that was not applied", () => {
    assert.equal(lastAppliedOf(annotated(undefined)), null);
    assert.equal(lastAppliedOf(annotated("")), null);
  });

  for (const text of ["{", "[]", "null", '"text"']) {
    it(`refuses ${text} without a word of it`, () => {
      assert.throws(
        () => lastAppliedOf(annotated(text)),
        (error) => error instanceof PatchError && error.cause === undefined && !error.message.includes(text),
      );
    });
  }
});

function annotated(text: string | undefined): KubeObject {
  const annotations: Record<string, string> = text === undefined ? {} : { [lastAppliedAnnotation]: text };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "conf", annotations } };
}

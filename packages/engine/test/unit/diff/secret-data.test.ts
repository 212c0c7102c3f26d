import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { kubeObject } from "@weir/testing";
import { lastAppliedAnnotation } from "../../../src/diff/last-applied.ts";
import { hideSecretData } from "../../../src/diff/secret-data.ts";

const eight = "+".repeat(8);
const nine = "+".repeat(9);

describe("hideSecretData", () => {
  it("hides values, and shows which of them differ", () => {
    const before = secret({ same: "c2FtZQ==", changed: "b2xk", gone: "Z29uZQ==" });
    const after = secret({ same: "c2FtZQ==", changed: "bmV3ZXI=", added: "YWRkZWQ=" });

    const [shownBefore, shownAfter] = hideSecretData(before, after);

    assert.deepEqual(shownBefore?.data, { same: eight, changed: eight, gone: eight });
    assert.deepEqual(shownAfter?.data, { same: eight, changed: nine, added: eight });
  });

  it("shows no likeness between keys", () => {
    const [shown] = hideSecretData(secret({ a: "eA==", b: "eA==", c: "eQ==" }), undefined);

    assert.deepEqual(shown?.data, { a: eight, b: eight, c: eight });
  });

  it("hides text and the last-applied configuration too", () => {
    const object: KubeObject = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", annotations: { [lastAppliedAnnotation]: '{"data":"hunter2"}', other: "x" } },
      stringData: { password: "hunter2" },
    };

    assert.deepEqual(hideSecretData(undefined, object), [
      undefined,
      {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "s", annotations: { [lastAppliedAnnotation]: eight, other: "x" } },
        stringData: { password: eight },
      },
    ]);
  });

  it("hides a value that is not a map as expected", () => {
    const odd: KubeObject = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {},
      data: "hunter2",
      stringData: ["hunter2"],
    };

    assert.ok(!JSON.stringify(hideSecretData(odd, undefined)).includes("hunter2"));
    assert.deepEqual(hideSecretData({ ...odd, data: null }, undefined)[0]?.data, null);
  });

  it("takes a key named __proto__ as any other", () => {
    const data = JSON.parse('{"__proto__":"hunter2"}') as Record<string, string>;

    assert.equal(
      JSON.stringify(hideSecretData(secret(data), undefined)[0]?.data),
      `{"__proto__":"${eight}"}`,
    );
  });

  it("leaves other kinds as they are, and changes nothing in place", () => {
    const map = kubeObject`
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: a}
      data: {a: b}
    `;
    const foreign = { ...map, apiVersion: "example.com/v1", kind: "Secret" };
    const object = secret({ a: "eA==" });

    hideSecretData(object, object);

    assert.deepEqual(hideSecretData(map, foreign), [map, foreign]);
    assert.deepEqual(object, secret({ a: "eA==" }));
  });
});

function secret(data: Record<string, string>): KubeObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data };
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lastAppliedAnnotation } from "@weir/engine";
import type { KubeObject } from "@weir/kube";
import { SecretHasher } from "../../../../src/switching/comparison/secret-hasher.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function secret(data: Readonly<Record<string, string>>, given: Partial<KubeObject> = {}): KubeObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data, ...given };
}

describe("hashes of Secrets", () => {
  it("are equal for equal values only, whether they're written as data or as strings", async () => {
    const hasher = new SecretHasher("salt");

    const { data, stringData } = await hasher.object(
      secret({ a: base64("one"), b: base64("one"), c: base64("two") }, { stringData: { d: "one" } }),
    );

    const { a, b, c } = data as Readonly<Record<string, string>>;
    const { d } = stringData as Readonly<Record<string, string>>;
    assert.equal(a, b);
    assert.notEqual(a, c);
    assert.equal(a, base64(d ?? ""));
  });

  it("differ with another salt", async () => {
    const object = secret({ a: base64("one") });

    assert.notDeepEqual(
      await new SecretHasher("x").object(object),
      await new SecretHasher("y").object(object),
    );
  });

  it("are JSON, which the API server demands of the credentials for a registry", async () => {
    const type = "kubernetes.io/dockerconfigjson";
    const object = secret({ ".dockerconfigjson": base64("{}") }, { type });

    const { data } = await new SecretHasher("salt").object(object);

    const text = (data as Readonly<Record<string, string>>)[".dockerconfigjson"] ?? "";
    assert.equal(typeof JSON.parse(Buffer.from(text, "base64").toString()), "object");
  });

  it("replace the values in annotations too, and the checksum with which they could be guessed", async () => {
    const applied = JSON.stringify(secret({ a: base64("canary-value") }));
    const annotations = {
      [lastAppliedAnnotation]: applied,
      "fluxcd.io/sync-checksum": "canary-checksum",
      other: "stays",
    };
    const metadata = { name: "s", annotations };
    const hasher = new SecretHasher("salt");

    const hashed = await hasher.object(secret({ a: base64("canary-value") }, { metadata }));

    const text = JSON.stringify(hashed);
    assert.doesNotMatch(text, new RegExp(`canary|${base64("canary-value")}`));
    assert.match(text, /stays/);
  });

  it("leave out an annotation in another form, which could contain anything", async () => {
    const metadata = { name: "s", annotations: { [lastAppliedAnnotation]: '["canary"]' } };

    assert.doesNotMatch(JSON.stringify(await new SecretHasher().object(secret({}, { metadata }))), /canary/);
  });

  it("leave what isn't base64 for the API server to refuse, and other kinds as they are", async () => {
    const hasher = new SecretHasher();
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: "b" } };

    assert.deepEqual((await hasher.object(secret({ a: "%%%" }))).data, { a: "%%%" });
    assert.equal(await hasher.object(configMap), configMap);
  });
});

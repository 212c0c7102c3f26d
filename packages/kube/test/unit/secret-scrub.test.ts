import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import fc from "fast-check";
import type { KubeObject } from "../../src/object.ts";
import { scrubSecrets } from "../../src/secret-scrub.ts";

const secret = kubeObject`
  apiVersion: v1
  kind: Secret
  metadata: { name: credentials, namespace: demo }
  type: Opaque
  data: { password: Y29ycmVjdCBob3JzZQ== }
  stringData: { token: hunter2-hunter2, pin: "1234" }
`;

describe("scrubSecrets", () => {
  it("leaves a text alone that quotes nothing secret", () => {
    const text = 'Error from server (Forbidden): secrets "credentials" is forbidden: no access to demo';

    assert.equal(scrubSecrets(text, [secret]), text);
  });

  it("hides a value in base64", () => {
    assert.equal(
      scrubSecrets('Invalid value: "Y29ycmVjdCBob3JzZQ==": too long', [secret]),
      'Invalid value: "<hidden>": too long',
    );
  });

  it("hides what a value in base64 stands for", () => {
    assert.equal(scrubSecrets("denied: correct horse is weak", [secret]), "denied: <hidden> is weak");
  });

  it("hides what a value is in base64", () => {
    assert.equal(scrubSecrets("got aHVudGVyMi1odW50ZXIy back", [secret]), "got <hidden> back");
  });

  it("is done at once with a long text that repeats itself", () => {
    const text = "x".repeat(200_000);

    assert.equal(scrubSecrets(text, [secret]), text);
    assert.equal(scrubSecrets(text, [{ ...secret, data: { x: "x".repeat(1_000) } }]), "<hidden>");
  });

  it("hides parts of values, as the context of a decoding error has them", () => {
    assert.equal(
      scrubSecrets('illegal base64 data at input byte 4, error found in ...|"token":"hunter2-hu|...', [
        secret,
      ]),
      'illegal base64 data at input byte 4, error found in ...|"token":"<hidden>|...',
    );
  });

  it("hides each of several quotes", () => {
    assert.equal(
      scrubSecrets("hunter2-hunter2 and then hunter2-hunter2!", [undefined, secret]),
      "<hidden> and then <hidden>!",
    );
  });

  it("hides a short value where it stands in quotes", () => {
    assert.equal(scrubSecrets('pin: Invalid value: "1234"', [secret]), 'pin: Invalid value: "<hidden>"');
  });

  it("hides what was put where it does not belong", () => {
    const misplaced = kubeObject`
      apiVersion: v1
      kind: Secret
      metadata: { name: credentials }
      spec: { nested: [{ password: correct horse }] }
    `;

    assert.equal(scrubSecrets('unknown value "correct horse"', [misplaced]), 'unknown value "<hidden>"');
  });

  it("does not mind other kinds", () => {
    const config = kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { key: a-long-value } }`;
    const custom = kubeObject`{ apiVersion: x.test/v1, kind: Secret, metadata: { name: a }, data: { key: a-long-value } }`;

    assert.equal(scrubSecrets("a-long-value", [config, custom]), "a-long-value");
  });

  it("never lets six characters of a value through, wherever they stand", () => {
    const value = fc.string({ minLength: 6, maxLength: 30 }).filter((text) => text.trim().length >= 6);

    fc.assert(
      fc.property(value, fc.string(), fc.string(), fc.nat(24), (held, before, after, from) => {
        const object: KubeObject = {
          apiVersion: "v1",
          kind: "Secret",
          metadata: { name: "a" },
          stringData: { held },
        };
        const start = Math.min(from, held.length - 6);
        const piece = held.slice(start, start + 6);
        fc.pre(!"<hidden>".includes(piece) && !`${before}${after}`.includes(piece));

        const scrubbed = scrubSecrets(`${before}${piece}${after}`, [object]);

        assert.ok(!scrubbed.includes(piece), scrubbed);
      }),
    );
  });
});

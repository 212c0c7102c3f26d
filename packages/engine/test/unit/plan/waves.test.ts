import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { mirroredWaves, waveOf } from "../../../src/plan/waves.ts";
import { said, thing } from "../../support/engine-objects.ts";

describe("waveOf", () => {
  for (const [text, wave] of [
    ["5", 5],
    ["-3", -3],
    ["+2", 2],
    ["0", 0],
    ["", 0],
    ["soon", 0],
    ["1.5", 0],
    ["99999999999999999999", 0],
  ] as const) {
    it(`takes "${text}" for ${wave}`, () => {
      assert.equal(waveOf(thing("v1 ConfigMap", "a", said({ "sync-wave": text })), true), wave);
    });
  }

  it("is 0 if the object has none", () => {
    assert.equal(waveOf(thing("v1 ConfigMap", "a"), true), 0);
  });
});

describe("waveOf with Helm's weight", () => {
  const weight = { "helm.sh/hook-weight": "-4" };

  it("is the weight if there is no wave, or none that can be read", () => {
    const odd = { ...weight, "argocd.argoproj.io/sync-wave": "soon" };

    assert.equal(waveOf(thing("batch/v1 Job", "a", { annotations: weight }), true), -4);
    assert.equal(waveOf(thing("batch/v1 Job", "a", { annotations: odd }), true), -4);
  });

  it("is the wave if there is one, even 0", () => {
    const both = { ...weight, "argocd.argoproj.io/sync-wave": "0" };

    assert.equal(waveOf(thing("batch/v1 Job", "a", { annotations: both }), true), 0);
  });

  it("has no meaning if Helm's annotations have none", () => {
    assert.equal(waveOf(thing("batch/v1 Job", "a", { annotations: weight }), false), 0);
  });
});

describe("mirroredWaves", () => {
  it("lets the waves in use change places", () => {
    assert.deepEqual(
      [...mirroredWaves([5, 0, 1, 0])],
      [
        [0, 5],
        [1, 1],
        [5, 0],
      ],
    );
  });

  it("gives every wave back when done twice", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (waves) => {
        const once = mirroredWaves(waves);

        for (const wave of waves) {
          assert.equal(once.get(once.get(wave) ?? Number.NaN), wave);
        }
      }),
    );
  });
});

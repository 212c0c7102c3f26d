import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ExpectedKinds } from "../../../src/cache/expected-kinds.ts";

const secrets = { group: "", kind: "Secret" };
const deployments = { group: "apps", kind: "Deployment" };

/** True if the promise has settled once everything that can run has run. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.finally(() => (over = true));
  await setImmediate();
  return over;
}

function expecting(...kinds: readonly (typeof secrets)[]): ExpectedKinds {
  const expected = new ExpectedKinds(100);
  expected.begin("a");
  kinds.forEach((kind) => expected.add("a", kind));
  return expected;
}

describe("the kinds of expected targets", () => {
  it("are held until all of their units are done", () => {
    const expected = expecting(secrets);
    expected.begin("b");

    assert.deepEqual([expected.add("b", secrets), expected.add("b", secrets)], [true, false]);
    assert.deepEqual([expected.holds(secrets), expected.holds(deployments)], [true, false]);
    assert.deepEqual(expected.end("a"), []);
    assert.equal(expected.holds(secrets), true);
    assert.deepEqual(expected.end("b"), [secrets]);
    assert.equal(expected.holds(secrets), false);
  });

  it("are none for a unit that doesn't expect targets, or no longer", () => {
    const expected = expecting();
    expected.end("a");

    assert.deepEqual([expected.add("a", secrets), expected.add("b", secrets)], [false, false]);
    assert.equal(expected.holds(secrets), false);
  });

  it("wait with all their lists when there's no more room, until the targets are known", async () => {
    const expected = expecting(secrets, deployments);

    assert.equal(await isOver(expected.afterPage(secrets, 60)), true);
    const [one, other] = [expected.afterPage(secrets, 60), expected.afterPage(deployments, 1)];

    assert.deepEqual(await Promise.all([isOver(one), isOver(other)]), [false, false]);
    assert.deepEqual([expected.holds(secrets), expected.holds(deployments)], [false, false]);
    expected.end("a");
    await Promise.all([one, other]);
  });

  it("give their room back when they're no longer expected", async () => {
    const expected = expecting(secrets);
    expected.begin("b");
    expected.add("b", deployments);
    const waiting = expected.afterPage(secrets, 101);

    expected.end("a");
    await waiting;

    assert.equal(expected.holds(deployments), true);
  });

  it("don't wait if somebody waits for their list", async () => {
    const expected = expecting(secrets, deployments);
    const [one, other] = [expected.afterPage(secrets, 101), expected.afterPage(deployments, 1)];

    expected.hurry([secrets]);
    await one;

    assert.equal(await isOver(expected.afterPage(secrets, 1)), true);
    assert.equal(await isOver(other), false);
    assert.equal(expected.holds(secrets), false);
    expected.end("a");
    await other;
  });

  it("let other lists continue", async () => {
    const expected = expecting(secrets);

    assert.equal(await isOver(expected.afterPage(deployments, 1_000)), true);
    assert.equal(expected.holds(secrets), true);
  });
});

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { ResourceKey } from "@weir/kube";
import fc from "fast-check";
import { Claims } from "../../../src/fleet/claims.ts";

function key(name: string): ResourceKey {
  return { group: "", kind: "ConfigMap", namespace: "demo", name };
}

describe("Claims", () => {
  let claims: Claims;

  beforeEach(() => {
    claims = new Claims();
  });

  it("warn both of two units that have the same object", () => {
    assert.deepEqual([...claims.replace("one", [key("a"), key("b")])], []);
    assert.deepEqual([...claims.replace("two", [key("b"), key("c")])], ["one"]);

    assert.deepEqual(
      ["one", "two"].map((unit) => claims.warningsOf(unit)),
      [
        [
          'unit "two" has the same objects: ConfigMap demo/b; each change of one unit is undone by the other, so remove them from one',
        ],
        [
          'unit "one" has the same objects: ConfigMap demo/b; each change of one unit is undone by the other, so remove them from one',
        ],
      ],
    );
  });

  it("name a few of many objects, and each other unit on its own", () => {
    const keys = ["e", "d", "c", "b", "a"].map(key);
    claims.replace("one", keys);
    claims.replace("three", keys.slice(0, 1));
    claims.replace("two", keys);

    const warnings = claims.warningsOf("one").map((warning) => warning.split(";")[0]);

    assert.deepEqual(warnings, [
      'unit "three" has the same objects: ConfigMap demo/e',
      'unit "two" has the same objects: ConfigMap demo/a, ConfigMap demo/b, ConfigMap demo/c, and 2 more',
    ]);
  });

  it("warn nobody any more when one gives the object up", () => {
    claims.replace("one", [key("a")]);
    claims.replace("two", [key("a")]);

    assert.deepEqual([...claims.replace("two", [])], ["one"]);

    assert.deepEqual(claims.warningsOf("one"), []);
    assert.equal(claims.isOfOther("two", key("a")), true);
    assert.equal(claims.isOfOther("one", key("a")), false);
  });

  it("depend only on what each unit has now, not on the order in which that became known", () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c"));
    const unit = fc.constantFrom("one", "two", "three");
    const steps = fc.array(fc.record({ unit, names }));

    fc.assert(
      fc.property(steps, (taken) => {
        const [claims, last] = [new Claims(), new Map<string, readonly string[]>()];
        for (const step of taken) {
          claims.replace(step.unit, step.names.map(key));
          last.set(step.unit, step.names);
        }
        const direct = new Claims();
        for (const [each, kept] of [...last].sort()) {
          direct.replace(each, kept.map(key));
        }
        for (const each of ["one", "two", "three"]) {
          assert.deepEqual(claims.warningsOf(each), direct.warningsOf(each));
          for (const name of ["a", "b", "c"]) {
            const others = [...last].filter(([other, kept]) => other !== each && kept.includes(name));
            assert.equal(claims.isOfOther(each, key(name)), others.length > 0);
          }
        }
      }),
    );
  });
});

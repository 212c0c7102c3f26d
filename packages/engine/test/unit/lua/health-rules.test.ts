import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { TempFolder } from "@weir/testing";
import { fc } from "@weir/testing/property";
import { healthOf } from "../../../src/health/health.ts";
import { overrideFor } from "../../../src/health/overrides.ts";
import { LuaFolderError, type LuaOptions, luaHealthRules, readLuaScripts } from "../../../src/lua/index.ts";

const live: KubeObject = {
  apiVersion: "example.com/v1",
  kind: "Database",
  metadata: { name: "a" },
  status: { phase: "Up", text: "größer" },
};

/** The health of an object by a script of its kind. */
function judge(source: string, options?: LuaOptions): ReturnType<typeof healthOf> {
  const rules = luaHealthRules(new Map([["example.com/Database", source]]), options);
  return healthOf(live, rules["example.com/Database"]?.health);
}

describe("luaHealthRules", () => {
  it("judges an object by the script of its kind", () => {
    const source =
      'local hs = {} if obj.status.phase == "Up" then hs.status = "Healthy" hs.message = obj.status.text end return hs';

    assert.deepEqual(judge(source), { status: "Healthy", message: "größer" });
  });

  it("leaves an object to the built-in rules if the script returns nothing", () => {
    assert.equal(judge("return nil"), undefined);
    assert.equal(judge("return {}"), undefined);
    assert.equal(judge("x = 1"), undefined);
  });

  const broken: readonly (readonly [string, string])[] = [
    ["return 5", "it returned a number instead of a table"],
    ["return { status = 'Fine' }", "it returned an invalid status"],
    ["return { message = 'x' }", "it returned an invalid status"],
    ["return { status = 'Healthy', message = {} }", "it returned an invalid message"],
    ["return obj.spec.x", "line 1: attempt to index a nil value (field 'spec')"],
    ["if then", "line 1: unexpected symbol near 'then'"],
    ["error('so: ä')", "line 1: so: ä"],
    ["error({})", "an error without a message"],
    [`--${"x".repeat(300_000)}`, "line 1: it is longer than 262144 bytes"],
  ];
  for (const [source, problem] of broken) {
    it(`is unknown, and names the kind, for ${source.slice(0, 40)}`, () => {
      assert.deepEqual(judge(source), {
        status: "Unknown",
        message: `the health script of example.com/Database failed: ${problem}`,
      });
    });
  }

  it("stops a script that exceeds a limit", () => {
    assert.deepEqual(judge("while true do end", { limits: { steps: 500 } }), {
      status: "Unknown",
      message: "the health script of example.com/Database failed: it needs more than 500 steps",
    });
    assert.match(
      judge("return ('x'):rep(100)", { limits: { bytes: 50 } })?.message ?? "",
      /more than 50 bytes/,
    );
  });

  it("keeps nothing from one evaluation to the next", () => {
    const source =
      "count = (count or 0) + 1 obj.status.phase = 'Down' return { status = 'Healthy', message = tostring(count) }";
    const rules = luaHealthRules(new Map([["example.com/Database", source]]));
    const rule = rules["example.com/Database"]?.health;

    assert.equal(rule?.(live)?.message, "1");
    assert.equal(rule(live)?.message, "1");
    assert.equal((live.status as { readonly phase: string }).phase, "Up");
  });

  it("takes the time from a clock", () => {
    const source = "return { status = 'Healthy', message = os.date('!%H:%M', os.time()) }";

    assert.equal(judge(source, { clock: { now: () => 3_660_000 } })?.message, "01:01");
  });

  it("is unknown for any object that a script can't judge, and never throws", () => {
    const source =
      "local s = obj.status.conditions[1] return { status = s.status, message = s.message .. '!' }";
    const rule = luaHealthRules(new Map([["Thing", source]]))["/Thing"]?.health;
    fc.assert(
      fc.property(fc.object({ withNullPrototype: true }), (object) => {
        assert.equal(rule?.(object as unknown as KubeObject)?.status, "Unknown");
      }),
    );
  });

  it("takes folders as in Argo CD, with wildcards", () => {
    const says = (message: string): string => `return { status = "Healthy", message = "${message}" }`;
    const rules = luaHealthRules(
      new Map([
        ["_.crossplane.io/_", says("any")],
        ["_.aws.crossplane.io/_", says("aws")],
        ["s3.aws.crossplane.io/Bucket", says("bucket")],
        ["example.com/_", says("example")],
        ["Pod", says("pod")],
      ]),
    );
    const messageOf = (group: string, kind: string): string | undefined =>
      overrideFor(rules, { group, kind }).health?.(live)?.message;

    assert.equal(messageOf("pkg.crossplane.io", "Provider"), "any");
    assert.equal(messageOf("ec2.aws.crossplane.io", "VPC"), "aws");
    assert.equal(messageOf("s3.aws.crossplane.io", "Bucket"), "bucket");
    assert.equal(messageOf("crossplane.io", "Provider"), undefined);
    assert.equal(messageOf("example.com", "Anything"), "example");
    assert.equal(messageOf("sub.example.com", "Anything"), undefined);
    assert.equal(messageOf("", "Pod"), "pod");
    assert.equal(messageOf("apps", "Pod"), undefined);
  });

  for (const folder of ["a/b/c", "", "example._/Kind", "a_b.com/Kind", "example.com/", "/Kind"]) {
    it(`refuses the folder ${JSON.stringify(folder)}`, () => {
      assert.throws(
        () => luaHealthRules(new Map([[folder, "return {}"]])),
        (error) => error instanceof LuaFolderError && error.folder === folder,
      );
    });
  }
});

describe("readLuaScripts", () => {
  it("reads the scripts below a folder", async () => {
    using folder = new TempFolder();
    for (const [path, text] of [
      ["example.com/Database/health.lua", "return 1"],
      ["Pod/health.lua", "return 2"],
      ["example.com/Database/actions/discovery.lua", "return 3"],
    ] as const) {
      mkdirSync(join(folder.path, path, ".."), { recursive: true });
      writeFileSync(join(folder.path, path), text);
    }

    assert.deepEqual(
      [...(await readLuaScripts(folder.path))],
      [
        ["Pod", "return 2"],
        ["example.com/Database", "return 1"],
      ],
    );
  });

  it("ends when it's aborted", async () => {
    using folder = new TempFolder();
    mkdirSync(join(folder.path, "Pod"));
    writeFileSync(join(folder.path, "Pod", "health.lua"), "return {}");

    await assert.rejects(readLuaScripts(folder.path, AbortSignal.abort()), { name: "AbortError" });
  });
});

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import { TempFolder } from "@weir/testing";
import { parse } from "yaml";
import { chartStep } from "../../scripts/release/chart/step.ts";
import type { ReleaseContext } from "../../scripts/release/context.ts";
import { ownImage } from "../../src/image/own-image.ts";
import { helm, lacksHelm } from "../support/chart/helm.ts";
import { fluxdPod, render } from "../support/chart/render.ts";

describe("the packaged chart", { skip: lacksHelm() }, () => {
  it("is the same to the byte each time, and of the version that is released", async () => {
    using first = new TempFolder();
    using second = new TempFolder();

    const [made = "", ...more] = await chartStep(contextIn(first));
    const again = await chartStep(contextIn(second));

    assert.equal(relative(first.path, made), "out/chart/weir-9.8.7.tgz");
    assert.deepEqual(more, []);
    assert.deepEqual(readFileSync(again[0] ?? ""), readFileSync(made));
    const { version, appVersion } = parse(await helm(["show", "chart", made])) as JsonObject;
    assert.deepEqual({ version, appVersion }, { version: "9.8.7", appVersion: "9.8.7" });
    const [fluxd] = fluxdPod(await render({ chart: made })).containers;
    assert.equal(fluxd?.image, ownImage("9.8.7"));
  });

  it("stops when it's told to", async () => {
    using folder = new TempFolder();
    const signal = AbortSignal.abort(new Error("stopped"));

    await assert.rejects(chartStep({ ...contextIn(folder), signal }));
  });
});

function contextIn(folder: TempFolder): ReleaseContext {
  const [out, work] = ["out", "work"].map((name) => join(folder.path, name)) as [string, string];
  mkdirSync(work);
  return {
    version: "9.8.7",
    commit: "0123456789012345678901234567890123456789",
    sourceDate: 1_700_000_000,
    out,
    work,
    say: () => undefined,
    signal: new AbortController().signal,
  };
}

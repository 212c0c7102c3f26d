import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import { TempFolder } from "@weir/testing";
import { parse } from "yaml";
import { chartStep } from "../../dev/release/chart/step.ts";
import { ownImage } from "../../src/own-image/own-image.ts";
import { helm, lacksHelm } from "../support/chart/helm.ts";
import { fluxdPod, render } from "../support/chart/render.ts";
import { releaseContext } from "../support/release-context.ts";

describe("the packaged charts", { skip: lacksHelm() }, () => {
  const version = "9.8.7";

  it("are the same to the byte each time, and of the version that is released", async () => {
    using first = new TempFolder();
    using second = new TempFolder();

    const made = await chartStep(releaseContext(first.path, { version }));
    const again = await chartStep(releaseContext(second.path, { version }));

    assert.deepEqual(
      made.map((file) => relative(first.path, file)),
      [`out/chart/weir-${version}.tgz`, `out/chart/weir-console-${version}.tgz`],
    );
    for (const [index, file] of made.entries()) {
      assert.deepEqual(readFileSync(again[index] ?? ""), readFileSync(file));
      const shown = parse(await helm(["show", "chart", file])) as JsonObject;
      assert.deepEqual([shown["version"], shown["appVersion"]], [version, version]);
    }
    const [fluxd] = fluxdPod(await render({ chart: made[0] ?? "" })).containers;
    assert.equal(fluxd?.image, ownImage(version));
  });

  it("aren't made after the release was stopped", async () => {
    using folder = new TempFolder();
    const signal = AbortSignal.abort(new Error("stopped"));

    await assert.rejects(chartStep(releaseContext(folder.path, { signal })));
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { TempFolder } from "@weir/testing";
import { ownImageRepository } from "../../src/own-image/own-image.ts";
import { lacksHelm } from "../support/chart/helm.ts";
import { recordedReleases } from "../support/chart/recorded.ts";
import { chartDefaults, chartWithValuesOf, fluxChartDefaults, render } from "../support/chart/render.ts";
import { inOrder, ofWeir } from "../support/chart/same-objects.ts";
import { chartInstall } from "../support/flux-installs.ts";

const recordings = recordedReleases();
const apis = ["policy/v1beta1/PodSecurityPolicy"];

describe("the chart", { skip: lacksHelm(), concurrency: 4 }, () => {
  for (const { name, objects, ...given } of recordings) {
    it(`makes the same as Flux v1's chart: ${name}`, async () => {
      using folder = new TempFolder();
      const chart = chartWithValuesOf(folder, fluxChartDefaults());

      const rendered = await render({ ...given, chart, apis });

      assert.deepEqual(inOrder(rendered), ofWeir(objects));
    });
  }

  it("has the defaults of Flux v1's chart, but for the image", () => {
    const { image, kube, ...rest } = withoutNull(fluxChartDefaults()) as Defaults;
    // It's a list; Flux v1's chart has an object, which it doesn't render.
    const others = { ...rest, hostAliases: [] };
    const own = chartDefaults() as Defaults;
    const common: JsonObject = Object.fromEntries(Object.keys(others).map((key) => [key, own[key] ?? null]));
    // Its meaning is compared above.
    const config = own.kube["config"];

    assert.deepEqual(withKeysOf(others, common), others);
    assert.deepEqual({ ...own.kube, config }, { ...kube, config });
    assert.deepEqual(own.image, { ...image, repository: ownImageRepository, tag: "" });
  });

  it("makes the same without any default", async () => {
    using folder = new TempFolder();
    const chart = chartWithValuesOf(folder, {});

    assert.deepEqual(inOrder(await render({ chart })), inOrder(await render()));
  });
});

describe("the recordings of Flux v1's chart", () => {
  it("have every value at something else than its default", () => {
    const untried = paths(fluxChartDefaults()).filter((path) => {
      const usual = at(fluxChartDefaults(), path);
      return recordings.every(({ values }) => {
        const value = at(values, path);
        return value === undefined || isDeepStrictEqual(value, usual);
      });
    });

    assert.deepEqual(untried, []);
  });

  it("are what tests of a switch take for an install", () => {
    const recorded = recordings.find(({ name }) => name === "defaults")?.objects ?? [];

    const { objects } = chartInstall({ appliedBy: "template" });

    assert.deepEqual(inOrder(objects), inOrder(recorded));
  });
});

interface Defaults extends JsonObject {
  readonly image: JsonObject;
  readonly kube: JsonObject;
}

/** The same, as templates see it. */
function withoutNull(values: JsonValue | undefined): JsonValue {
  if (isJsonObject(values)) {
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, withoutNull(value)]));
  }
  return values ?? "";
}

/** The values without the keys that others don't have. */
function withKeysOf(others: JsonValue, values: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(others) || !isJsonObject(values) || Object.keys(others).length === 0) {
    return values;
  }
  const kept = Object.entries(values).filter(([key]) => key in others);
  return Object.fromEntries(kept.map(([key, value]) => [key, withKeysOf(others[key] ?? null, value)]));
}

/** The paths of all values; a list, an empty object, and what users choose the keys of is one. */
function paths(values: JsonObject, above: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const path = [...above, key];
    const isWhole = !isJsonObject(value) || Object.keys(value).length === 0 || free.has(path.join("."));
    return isWhole ? [path] : paths(value, path);
  });
}

const free = new Set(["resources", "memcached.resources", "memcached.securityContext"]);

function at(values: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (above, key) => (isJsonObject(above) ? above[key] : undefined),
    values,
  );
}

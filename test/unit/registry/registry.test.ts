import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  FluxError,
  type ImageInfo,
  parseImageRef,
  ScanningDisabledError,
  type Timestamp,
  timestampOf,
} from "@weir/flux";
import { manifestKey, repositoryKey } from "../../../src/registry/cache/keys.ts";
import { emptyRecord, printEntry, printRepository } from "../../../src/registry/cache/records.ts";
import type { CacheStore } from "../../../src/registry/cache/store.ts";
import {
  createCachedRegistry,
  disabledRegistry,
  ExcludedImageError,
  NeverReadError,
} from "../../../src/registry/registry.ts";

const never = new AbortController().signal;
const alpine = { domain: "index.docker.io", image: "library/alpine" };

function at(day: string): Timestamp {
  return timestampOf(new Date(day));
}

/** An image with a time and two labels that tell others. */
function info(tag: string, labels: ImageInfo["labels"] = {}): ImageInfo {
  return {
    ref: { ...alpine, tag, sha: "" },
    digest: "sha256:d",
    imageId: "sha256:i",
    labels,
    createdAt: at("2020-01-03"),
  };
}

/** A cache with these texts. */
function holding(items: Readonly<Record<string, string>>): CacheStore {
  return {
    get: (key) => {
      const value = items[key];
      return Promise.resolve(value === undefined ? undefined : { value, deadline: 0 });
    },
    set: () => Promise.reject(new Error("nobody writes")),
    close: () => Promise.resolve(),
  };
}

const both = { created: at("2020-01-01"), buildDate: at("2020-01-02") };
const known = {
  tags: ["1", "2", "3", "4"],
  images: new Map([
    ["1", info("1", both)],
    ["2", info("2", { buildDate: both.buildDate })],
    ["3", info("3")],
  ]),
  lastError: "",
  lastUpdate: at("2020-02-01"),
};

describe("what is known of a repository", () => {
  const store = holding({ [repositoryKey(alpine)]: printRepository(known) });
  const createdAt = async (useLabels: readonly string[]): Promise<readonly (string | undefined)[]> => {
    const registry = createCachedRegistry({ store, useLabels });
    const { images } = await registry.repositoryMetadata(parseImageRef("alpine"), never);
    return [...images.values()].map((each) => each.createdAt);
  };

  it("is found by whatever name it has in a manifest", async () => {
    const registry = createCachedRegistry({ store, useLabels: [] });

    const { tags, images } = await registry.repositoryMetadata(
      parseImageRef("docker.io/library/alpine:3"),
      never,
    );

    assert.deepEqual([tags, images], [known.tags, known.images]);
  });

  it("has the times of its labels where the user says so, the better label first, else that of the image", async () => {
    const asLabelled = ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z", "2020-01-03T00:00:00Z"];

    assert.deepEqual(await createdAt(["quay.io/*", "index.docker.io/library/*"]), asLabelled);
    assert.deepEqual(await createdAt(["alpine"]), Array(3).fill("2020-01-03T00:00:00Z"));
  });

  it("is an error that says why where it was never read", async () => {
    const failed = { ...emptyRecord, lastError: "the registry responded with status 401" };
    const records = { [repositoryKey(alpine)]: printRepository(failed) };
    const ask = (items: Readonly<Record<string, string>>): Promise<unknown> =>
      createCachedRegistry({ store: holding(items), useLabels: [] }).repositoryMetadata(alpine, never);

    await assert.rejects(
      ask(records),
      (error) => error instanceof NeverReadError && /401$/.test(error.message),
    );
    for (const items of [{}, { [repositoryKey(alpine)]: printRepository(emptyRecord) }]) {
      await assert.rejects(ask(items), (error) => error instanceof FluxError && error.kind === "missing");
    }
    await assert.rejects(disabledRegistry.repositoryMetadata(alpine, never), ScanningDisabledError);
  });
});

describe("what is known of an image", () => {
  const store = holding({
    [manifestKey(alpine, "1")]: printEntry({ kind: "image", info: info("1") }),
    [manifestKey(alpine, "2")]: printEntry({ kind: "excluded", reason: "no platform" }),
  });
  const registry = createCachedRegistry({ store, useLabels: [] });

  it("is what its own record says", async () => {
    assert.deepEqual(await registry.image(parseImageRef("alpine:1"), never), info("1"));
    await assert.rejects(registry.image(parseImageRef("alpine:2"), never), ExcludedImageError);
    await assert.rejects(registry.image(parseImageRef("alpine:3"), never), FluxError);
    await assert.rejects(disabledRegistry.image(parseImageRef("alpine:1"), never), ScanningDisabledError);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ImageRegistry, ImageStoreAwayError, parseImageRef } from "@weir/flux";
import { RecordedLog } from "@weir/testing";
import {
  fetchImageRepositories,
  fetchOneImage,
  NoSuchImageError,
} from "../../../src/daemon/image-repositories.ts";
import { KnownImages } from "../../support/known-images.ts";

const { signal } = new AbortController();
const app = parseImageRef("app:1");
const known = new KnownImages({ app: { "1": "2020-01-01T00:00:00Z" } });

function broken(message: string): ImageRegistry {
  const fail = (): Promise<never> => Promise.reject(new Error(message));
  return { repositoryMetadata: fail, image: fail, confirm: fail };
}

describe("fetchImageRepositories", () => {
  it("brings what is known, and passes over what was not scanned", async () => {
    const log = new RecordedLog();

    const found = await fetchImageRepositories([app, parseImageRef("other")], known, log, signal);

    assert.deepEqual(found.metadata(app).tags, ["1"]);
    assert.deepEqual(found.metadata(parseImageRef("other")).tags, []);
    assert.deepEqual(log.lines, []);
  });

  it("tells of what cannot be read, and goes on without it", async () => {
    const log = new RecordedLog();

    const found = await fetchImageRepositories([app], broken("the cache is gone"), log, signal);

    assert.deepEqual(found.metadata(app).tags, []);
    assert.deepEqual(log.lines, [
      "err=fetching image metadata for index.docker.io/library/app: the cache is gone",
    ]);
  });

  it("says nothing while what is known is away: whoever keeps it has said so", async () => {
    const log = new RecordedLog();
    const away = (): Promise<never> => Promise.reject(new ImageStoreAwayError("memcached is away"));
    const registry = { repositoryMetadata: away, image: away, confirm: away };

    const found = await fetchImageRepositories([app], registry, log, signal);

    assert.deepEqual([found.metadata(app).tags, log.lines], [[], []]);
  });

  it("rejects when it is told to stop", async () => {
    const stopped = AbortSignal.abort(new Error("stop"));

    await assert.rejects(fetchImageRepositories([app], broken("x"), new RecordedLog(), stopped), {
      message: "stop",
    });
    await assert.rejects(fetchOneImage(app, broken("x"), stopped), { message: "stop" });
  });
});

describe("fetchOneImage", () => {
  it("knows an image that is there by itself", async () => {
    const found = await fetchOneImage(app, known, signal);

    assert.deepEqual(found.metadata(app).tags, ["1"]);
  });

  for (const [what, registry] of [
    ["is not known", known],
    ["cannot be read", broken("the cache is gone")],
  ] as const) {
    it(`rejects one that ${what}`, async () => {
      await assert.rejects(
        fetchOneImage(parseImageRef("app:2"), registry, signal),
        (error) =>
          error instanceof NoSuchImageError &&
          error.message === 'image "app:2" does not exist: invalid image ID',
      );
    });
  }
});

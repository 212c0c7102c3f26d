import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ImageInfo, ImageRepositories, parseImageRef, parseTagPattern, printImageRef } from "@weir/flux";
import { type ContainerImagesReport, parseContainerFields, UnknownFieldError } from "@weir/flux/api";
import { metadataOf } from "../../../../dev/testing/src/update-world.ts";
import { containerImages, SortedImages } from "../../../../src/daemon/queries/container-images.ts";

const tags = {
  "1.0": "2020-01-01T00:00:00Z",
  "1.10": "2020-01-02T00:00:00Z",
  "1.9": "2020-01-03T00:00:00Z",
  "2.0": "2020-01-04T00:00:00Z",
  latest: "2020-01-05T00:00:00Z",
  broken: null,
};

/** What there is for a container that runs `image`, with images by their text. */
function report(image: string, pattern: string, fields: readonly string[] = []): Record<string, unknown> {
  const images = new SortedImages(new ImageRepositories([[parseImageRef("app"), metadataOf("app", tags)]]));
  const container = { name: "main", image: parseImageRef(image) };
  const query = { pattern: parseTagPattern(pattern), fields: parseContainerFields(fields) };
  return shown(containerImages(container, images, query));
}

function shown(container: ContainerImagesReport): Record<string, unknown> {
  const text = ({ ref }: ImageInfo): string => printImageRef(ref);
  return {
    ...container,
    current: text(container.current),
    latestFiltered: text(container.latestFiltered),
    available: container.available.map(text),
  };
}

describe("the images of a container", () => {
  it("are sorted as its tag filter sorts them, counted, and compared with what runs", () => {
    assert.deepEqual(report("docker.io/library/app:1.9", "glob:1.*"), {
      name: "main",
      current: "docker.io/library/app:1.9",
      latestFiltered: "docker.io/library/app:1.9",
      available: ["latest", "2.0", "1.9", "1.10", "1.0"]
        .map((tag) => `docker.io/library/app:${tag}`)
        .concat(":broken"),
      availableError: "",
      availableCount: 6,
      newAvailableCount: 2,
      filteredCount: 3,
      newFilteredCount: 0,
    });
  });

  it("go by version where the filter is one of versions", () => {
    const { available, latestFiltered, newFilteredCount } = report("app:1.0", "semver:^1");

    assert.deepEqual(available, ["app:2.0", "app:1.10", "app:1.9", "app:1.0", ":broken", "app:latest"]);
    assert.deepEqual([latestFiltered, newFilteredCount], ["app:1.10", 2]);
  });

  it("are compared with the image of the tag, where a digest stands beside it", () => {
    const { current, newFilteredCount } = report("app:1.9@sha256:abcd", "glob:*");

    assert.deepEqual([current, newFilteredCount], ["app:1.9", 1]);
  });

  it("are compared with nothing where what runs has a digest alone, or no tag", () => {
    for (const image of ["app@sha256:abcd", "app"]) {
      assert.equal(report(image, "glob:*")["current"], "", image);
    }
  });

  it("count all as new where nothing is known of what runs", () => {
    const { current, newAvailableCount, newFilteredCount } = report("app:9", "glob:*");

    assert.deepEqual([current, newAvailableCount, newFilteredCount], ["", 5, 4]);
  });

  it("are none for a repository of which nothing is known", () => {
    assert.deepEqual(report("other:1", "glob:*"), {
      name: "main",
      current: "",
      latestFiltered: "",
      available: [],
      availableError: "",
      availableCount: 0,
      newAvailableCount: 0,
      filteredCount: 0,
      newFilteredCount: 0,
    });
  });

  it("are told only as far as was asked", () => {
    const { name, current, available, availableCount, newFilteredCount } = report("app:1.9", "glob:*", [
      "Current",
      "NewFilteredImagesCount",
    ]);

    assert.deepEqual([name, current, available, availableCount, newFilteredCount], ["", "app:1.9", [], 0, 1]);
  });

  it("have no other fields", () => {
    assert.throws(
      () => parseContainerFields(["Name", "Nonsense"]),
      (error) => error instanceof UnknownFieldError && error.message === "Nonsense is an invalid field",
    );
  });
});

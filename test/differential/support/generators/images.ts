import { fc } from "@weir/testing/property";
import { canonicalName, readRef } from "../model/image-ref.ts";
import type { ModelRegistry } from "../model/world.ts";

/** Repositories, several of them under more than one name. */
const repositories = [
  "app",
  "library/app",
  "docker.io/library/app",
  "docker.io/app",
  "index.docker.io/app",
  "team/app",
  "docker.io/team/app",
  "example.test/app",
  "example.test:5000/team/deep/app",
  "localhost/app",
] as const;

/** Tags of every kind: versions, equal versions, builds, names, "latest" in several cases. */
export const tags = [
  "1",
  "1.2",
  "1.2.3",
  "v1.2.3",
  "1.2.4-rc.1",
  "1.10.0",
  "1.10",
  "0.2.5",
  "2.0.0",
  "main-1",
  "main-2",
  "latest",
  "Latest",
] as const;

/** Few times, so that many are the same; "" for an image that does not say. */
const times = ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z", "2020-01-02T00:00:00.5Z", ""] as const;

const digest = "0123456789abcdef".repeat(4);

/** The name of a repository. */
export const repository = fc.constantFrom(...repositories);
/** A tag. */
export const tag = fc.constantFrom(...tags);

/** A reference that names a tag. */
export const taggedImage = fc.tuple(repository, tag).map((parts) => parts.join(":"));
/** A reference that names a digest, and mostly a tag too. */
export const pinnedImage = fc
  .tuple(fc.oneof({ arbitrary: taggedImage, weight: 4 }, repository), fc.constant(digest))
  .map((parts) => parts.join("@sha256:"));
/** A reference as manifests have them that are fit for automation, or not quite. */
export const image = fc.oneof({ arbitrary: taggedImage, weight: 8 }, repository);

/** What Kubernetes takes for an image and Flux does not. */
export const unreadableImage = fc.constantFrom(
  "app:1:bad",
  "app:",
  "example.test/a:b/c:d",
  "/app:1",
  "app@sha256:",
);

/** Any text that somebody might take for a reference. */
export const anyImageText = fc.oneof(
  image,
  pinnedImage,
  fc.stringMatching(/^[aZ0./:@_-]{0,12}$/),
  fc
    .array(
      fc.oneof(
        fc.constantFrom("/", ":", "@sha256:", "@sha1:", ".", "localhost", "a.b", "é", " ", ""),
        fc.constantFrom(...repositories),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join("")),
);

/** What is known of the tags of one repository, now and then nothing of an image. */
export const knownTags = fc.dictionary(
  tag,
  fc.oneof({ arbitrary: fc.constantFrom<string | null>(...times), weight: 9 }, fc.constant(null)),
  { maxKeys: 6 },
);

/** What is known of all repositories, by canonical name. */
export const registry: fc.Arbitrary<ModelRegistry> = fc
  .dictionary(repository, knownTags)
  .map((known) =>
    Object.fromEntries(Object.entries(known).map(([name, tagged]) => [canonicalName(readRef(name)), tagged])),
  );

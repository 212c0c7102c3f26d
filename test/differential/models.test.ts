/** The models are checked first: what they say has to be what was recorded of Flux, where it was recorded. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isJsonObject, type JsonObject } from "@weir/base";
import type { World } from "../../dev/testing/src/update-world.ts";
import { readTable } from "../support/parity.ts";
import { canonicalName, printRef, readRef } from "./support/model/image-ref.ts";
import { newestFirst } from "./support/model/images.ts";
import {
  type ModelContainersSpec,
  type ModelImageSpec,
  type ModelOutcome,
  releaseContainers,
  releaseImages,
} from "./support/model/release.ts";
import { readArgumentId, readId } from "./support/model/resource-id.ts";
import { knownConstraints, readFilter } from "./support/model/tag-filter.ts";
import { modelOf } from "./support/model/world.ts";

interface RefLine {
  readonly input: string;
  readonly error: string | null;
  readonly string: string;
  readonly registry: string;
  readonly repository: string;
  readonly withNewTag: string;
}

interface IdLine {
  readonly input: string;
  readonly parse: { readonly string?: string };
  readonly parseOptionalNamespace: { readonly namespace: string; readonly string?: string };
}

interface PatternLine {
  readonly pattern: string;
  readonly tags: readonly string[];
  readonly matches: readonly string[];
  readonly requiresTimestamp: boolean;
}

interface SortLine {
  readonly by: "created" | "semver";
  readonly input: readonly { readonly tag: string; readonly createdAt: string }[];
  readonly newestFirst: readonly string[];
}

interface ReleaseLine extends World {
  readonly spec: { readonly type: string; readonly spec: ModelImageSpec & ModelContainersSpec };
  readonly result: JsonObject;
}

describe("the models say what was recorded of Flux", () => {
  it("of image references", () => {
    for (const line of readTable("golden/image-refs.jsonl") as readonly RefLine[]) {
      const ref = readRef(line.input);

      assert.equal(ref.ok, line.error === null, line.input);
      if (ref.ok) {
        assert.equal(printRef(ref), line.string);
        assert.equal(printRef({ ...ref, tag: "new" }), line.withNewTag);
        assert.equal(canonicalName(ref), `${line.registry}/${line.repository}`);
      }
    }
  });

  it("of resource IDs", () => {
    for (const line of readTable("golden/resource-ids.jsonl") as readonly IdLine[]) {
      const { namespace, string } = line.parseOptionalNamespace;

      assert.equal(readId(line.input), line.parse.string, line.input);
      assert.equal(readArgumentId(namespace, line.input), string, line.input);
    }
  });

  it("of tag filters", () => {
    const lines = (readTable("golden/tag-patterns.jsonl") as readonly PatternLine[]).filter(isModelled);
    assert.ok(lines.length >= 10);
    for (const { pattern, tags, matches, requiresTimestamp } of lines) {
      const filter = readFilter(pattern);

      assert.deepEqual(
        tags.filter((tag) => filter.matches(tag)),
        matches,
        pattern,
      );
      assert.equal(filter.by === "time", requiresTimestamp, pattern);
    }
  });

  it("of the order of images", () => {
    for (const line of readTable("golden/image-sort.jsonl") as readonly SortLine[]) {
      const images = line.input.map(({ tag, createdAt }) => ({ tag, created: createdAt }));
      const sorted = newestFirst(images, line.by === "semver" ? "version" : "time");

      assert.deepEqual(
        sorted.map(({ tag, created }) => `${tag} ${created}`),
        line.newestFirst,
      );
    }
  });

  it("of releases", () => {
    for (const line of readTable("releases/commits.jsonl") as readonly ReleaseLine[]) {
      const { type, spec } = line.spec;

      if (type === "image") {
        assert.deepEqual(releaseImages(spec, modelOf(line)), outcomesIn(line.result));
      } else if (type === "containers") {
        assert.deepEqual(releaseContainers(spec, modelOf(line)), outcomesIn(line.result));
      }
    }
  });
});

function isModelled({ pattern }: PatternLine): boolean {
  const isConstraint = pattern.startsWith("semver:");
  return isConstraint
    ? knownConstraints.includes(pattern.slice("semver:".length))
    : !/^regexp?:/.test(pattern);
}

function outcomesIn(result: JsonObject): Readonly<Record<string, ModelOutcome>> {
  return Object.fromEntries(
    Object.entries(result).map(([id, value]) => {
      assert.ok(isJsonObject(value));
      const {
        Status,
        Error: reason = "",
        PerContainer,
      } = value as {
        readonly Status: ModelOutcome["status"];
        readonly Error?: string;
        readonly PerContainer: readonly Readonly<Record<string, string>>[] | null;
      };
      const updates = (PerContainer ?? []).map(({ Container = "", Current = "", Target = "" }) => ({
        container: Container,
        current: Current,
        target: Target,
      }));
      return [id, { status: Status, reason, updates }];
    }),
  );
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  InvalidResourceIdError,
  parseResourceId,
  parseResourceIdIn,
  partsOfResourceId,
  type ResourceId,
} from "@weir/flux";
import { readTable } from "../support/parity.ts";

interface Line {
  readonly id: string;
  readonly input: string;
  readonly components?: readonly string[];
  readonly parse: object;
  readonly parseOptionalNamespace: { readonly namespace: string };
}

describe("resource ids, as Flux v1 reads them", () => {
  for (const line of readTable("golden/resource-ids.jsonl") as readonly Line[]) {
    it(`${line.id}: ${JSON.stringify(line.input)}`, () => {
      const { namespace } = line.parseOptionalNamespace;

      const strict = attempt(() => parseResourceId(line.input));
      const lenient = attempt(() => parseResourceIdIn(namespace, line.input));

      assert.deepEqual(strict, line.parse);
      assert.deepEqual({ ...lenient, namespace }, line.parseOptionalNamespace);
    });

    it(`${line.id}: the parts of ${JSON.stringify(line.input)}`, () => {
      const parts = line.components && Object.values(partsOfResourceId(parseResourceId(line.input)));

      assert.deepEqual(parts, line.components);
    });
  }
});

function attempt(parse: () => ResourceId): object {
  try {
    return { error: null, string: parse() };
  } catch (error) {
    assert.ok(error instanceof InvalidResourceIdError);
    return { error: error.message };
  }
}

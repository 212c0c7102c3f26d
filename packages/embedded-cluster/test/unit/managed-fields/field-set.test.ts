import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  difference,
  type FieldSet,
  hasPath,
  intersection,
  isEmptySet,
  parseFields,
  pathsOf,
  printFields,
  recursiveDifference,
  setOf,
  union,
} from "../../../src/managed-fields/field-set.ts";

type Path = readonly string[];

const elements = fc.constantFrom("f:a", "f:b", 'k:{"name":"x"}', 'v:"y"', "i:0");
const paths: fc.Arbitrary<readonly Path[]> = fc.array(fc.array(elements, { minLength: 1, maxLength: 3 }), {
  maxLength: 8,
});

describe("sets of fields", () => {
  it("behave as sets of paths do", () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const [one, other] = [setOf(a), setOf(b)];
        const [inA, inB] = [texts(one), texts(other)];

        assert.deepEqual(texts(union(one, other)), sorted([...inA, ...inB]));
        assert.deepEqual(
          texts(intersection(one, other)),
          inA.filter((path) => inB.includes(path)),
        );
        assert.deepEqual(
          texts(difference(one, other)),
          inA.filter((path) => !inB.includes(path)),
        );
      }),
    );
  });

  it("obey the laws of algebra", () => {
    fc.assert(
      fc.property(paths, paths, paths, (a, b, c) => {
        const [x, y, z] = [setOf(a), setOf(b), setOf(c)];

        same(union(x, y), union(y, x));
        same(intersection(x, y), intersection(y, x));
        same(union(x, union(y, z)), union(union(x, y), z));
        same(intersection(x, union(y, z)), union(intersection(x, y), intersection(x, z)));
        same(union(difference(x, y), intersection(x, y)), x);
        assert.ok(isEmptySet(difference(x, x)));
      }),
    );
  });

  it("lose, with a path, all below it, where that is asked", () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const left = texts(recursiveDifference(setOf(a), setOf(b)));

        const isBelow = (path: Path): boolean =>
          path.some((_, at) => hasPath(setOf(b), path.slice(0, at + 1)));
        assert.deepEqual(left, sorted(a.filter((path) => !isBelow(path)).map(textOf)));
      }),
    );
  });

  it("are read back as they were printed", () => {
    fc.assert(
      fc.property(paths, (a) => {
        const printed = printFields(setOf(a));

        const read = parseFields(printed);

        assert.ok(read);
        same(read, setOf(a));
        assert.deepEqual(printFields(read), printed);
      }),
    );
  });

  it("print an owned field beside what is owned in it", () => {
    const set = setOf([["f:spec"], ["f:spec", "f:replicas"], ["f:data", "f:a"]]);

    assert.deepEqual(printFields(set), { "f:data": { "f:a": {} }, "f:spec": { ".": {}, "f:replicas": {} } });
  });

  it("are not read where they are malformed", () => {
    for (const fields of [{ spec: {} }, { "f:a": 1 }, { "k:{": {} }, { "i:x": {} }]) {
      assert.equal(parseFields(fields), undefined, JSON.stringify(fields));
    }
  });
});

function same(a: FieldSet, b: FieldSet): void {
  assert.deepEqual(texts(a), texts(b));
}

function texts(set: FieldSet): readonly string[] {
  return sorted([...pathsOf(set)].map(textOf));
}

function textOf(path: Path): string {
  return path.join(" ");
}

function sorted(list: readonly string[]): readonly string[] {
  return [...new Set(list)].sort();
}

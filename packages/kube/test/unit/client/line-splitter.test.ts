import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { LineSplitter } from "../../../src/client/line-splitter.ts";

function split(chunks: readonly Buffer[]): readonly string[] {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) => splitter.push(chunk));
  const rest = splitter.end();
  return rest === undefined ? lines : [...lines, rest];
}

describe("LineSplitter", () => {
  it("gives a line when its end has come", () => {
    const splitter = new LineSplitter();

    assert.deepEqual(splitter.push(Buffer.from("one\ntw")), ["one"]);
    assert.deepEqual(splitter.push(Buffer.from("o")), []);
    assert.deepEqual(splitter.push(Buffer.from("\n\nthree")), ["two", ""]);
    assert.equal(splitter.end(), "three");
    assert.equal(splitter.end(), undefined);
  });

  it("gives the same lines however the bytes are cut", () => {
    const cuts = fc.tuple(fc.string({ unit: "binary" }), fc.array(fc.nat(200)));
    fc.assert(
      fc.property(cuts, ([text, at]) => {
        const bytes = Buffer.from(text, "utf8");
        const ends = [...new Set([...at.map((cut) => Math.min(cut, bytes.length)), bytes.length])].sort(
          (a, b) => a - b,
        );
        const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));

        assert.deepEqual(split(chunks), split([bytes]));
      }),
    );
  });

  it("puts back together what it took apart", () => {
    fc.assert(
      fc.property(fc.array(fc.string().map((line) => line.replaceAll("\n", ""))), (lines) => {
        const text = lines.map((line) => `${line}\n`).join("");

        assert.deepEqual(split([Buffer.from(text)]), lines);
      }),
    );
  });

  it("cuts what is too long, and goes on with the next line", () => {
    const splitter = new LineSplitter({ most: 4, mark: "..." });

    assert.deepEqual(splitter.push(Buffer.from("one\nabc")), ["one"]);
    assert.deepEqual(splitter.push(Buffer.from("de")), ["abcd..."]);
    assert.equal(splitter.pending, 0);
    assert.deepEqual(splitter.push(Buffer.from("fgh")), []);
    assert.deepEqual(splitter.push(Buffer.from("i\ntwo\nthr")), ["two"]);
    assert.equal(splitter.end(), "thr");
  });

  it("keeps no more than the limit and a chunk of a line, and all of the others", () => {
    const lengths = fc.array(fc.nat(40), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 12 }), (sizes, chunk) => {
        const lines = sizes.map((size, index) => String(index % 10).repeat(size));
        const bytes = Buffer.from(`${lines.join("\n")}\n`);
        const splitter = new LineSplitter({ most: 15, mark: "!" });
        const found: string[] = [];
        for (let at = 0; at < bytes.length; at += chunk) {
          found.push(...splitter.push(bytes.subarray(at, at + chunk)));
          assert.ok(splitter.pending <= 15);
        }
        assert.equal(found.length, lines.length);
        found.forEach((line, index) => {
          const whole = lines[index] ?? "";
          assert.ok(line === whole || (line === `${whole.slice(0, 15)}!` && whole.length > 15), line);
        });
      }),
    );
  });
});

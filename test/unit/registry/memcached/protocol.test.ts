import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { memcachedLimits } from "@weir/base";
import fc from "fast-check";
import { ProtocolError, type Reply, ReplyReader } from "../../../../src/registry/memcached/protocol.ts";

function read(...chunks: readonly (string | Buffer)[]): readonly (readonly [string, string])[] {
  const reader = new ReplyReader();
  return chunks
    .flatMap((chunk) => reader.push(Buffer.from(chunk)))
    .map((reply) => (reply.kind === "line" ? ["line", reply.text] : ["value", reply.data.toString()]));
}

describe("a reader of memcached's replies", () => {
  it("reads values and lines", () => {
    const bytes = "VALUE k 0 5\r\nhello\r\nEND\r\nSTORED\r\nEND\r\nVALUE k 0 0 17\r\n\r\nEND\r\n";

    assert.deepEqual(read(bytes), [
      ["value", "hello"],
      ["line", "STORED"],
      ["line", "END"],
      ["value", ""],
    ]);
  });

  it("refuses a value that is longer than any record, before it comes", () => {
    const head = (length: number): string => `VALUE k 0 ${length}\r\n`;

    assert.deepEqual(read(head(memcachedLimits.value)), []);
    assert.throws(() => read(head(memcachedLimits.value + 1)), ProtocolError);
    assert.throws(() => read("x".repeat(memcachedLimits.line + 1)), ProtocolError);
  });

  it("takes a value for a value, whatever it holds", () => {
    const value = "END\r\nSTORED\r\nVALUE k 0 1\r\n";

    assert.deepEqual(read(`VALUE k 0 ${value.length}\r\n${value}\r\nEND\r\n`), [["value", value]]);
  });

  it("reads the same however the bytes are cut", () => {
    const value = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    const reply = fc.oneof(
      fc.constantFrom("STORED", "END", "ERROR", "SERVER_ERROR out of memory").map((text) => ({
        expected: ["line", text] as const,
        bytes: Buffer.from(`${text}\r\n`),
      })),
      value.map((data) => ({
        expected: ["value", data.toString("hex")] as const,
        bytes: Buffer.concat([Buffer.from(`VALUE k 0 ${data.length}\r\n`), data, Buffer.from("\r\nEND\r\n")]),
      })),
    );
    fc.assert(
      fc.property(
        fc.array(reply),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (all, cuts) => {
          const bytes = Buffer.concat(all.map((each) => each.bytes));
          const reader = new ReplyReader();
          const found: Reply[] = [];
          for (let [at, turn] = [0, 0]; at < bytes.length; turn += 1) {
            const end = at + (cuts[turn % cuts.length] ?? 1);
            found.push(...reader.push(bytes.subarray(at, end)));
            at = end;
          }
          const plain = found.map((each) =>
            each.kind === "line" ? ["line", each.text] : ["value", each.data.toString("hex")],
          );
          assert.deepEqual(
            plain,
            all.map((each) => each.expected),
          );
        },
      ),
    );
  });

  const wrong = [
    "VALUE k 0 -1\r\n",
    "VALUE k 0 99999999999\r\n",
    "VALUE x\r\n",
    "VALUE k 0 2\r\nabcdefghi\r\n",
    "x".repeat(5_000),
  ];
  for (const bytes of wrong) {
    it(`refuses ${JSON.stringify(bytes.slice(0, 40))}`, () => {
      assert.throws(() => read(bytes), ProtocolError);
    });
  }
});

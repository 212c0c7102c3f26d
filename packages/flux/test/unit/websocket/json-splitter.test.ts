import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { JsonSplitter, JsonStreamError } from "../../../src/websocket/json-splitter.ts";

describe("a stream of JSON texts", () => {
  it("gives the same texts wherever it is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), spaces()), {
          maxLength: 5,
        }),
        fc.array(fc.nat(200)),
        (objects, lengths) => {
          const texts = objects.map(([object]) => JSON.stringify(object));
          const stream = Buffer.from(
            objects.map(([object, space]) => space + JSON.stringify(object)).join(""),
          );

          assert.deepEqual(split(pieces(stream, lengths)), texts);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("gives the same texts byte by byte, letters of several bytes included", () => {
    const texts = ['{"a":"é\\"}{€"}', "{}", '{"b":[{"c":"\\\\"},"😀"]}'];
    const bytes = [...Buffer.from(texts.join("\n"))].map((byte) => Buffer.of(byte));

    assert.deepEqual(split(bytes), texts);
  });

  it("keeps no piece that it has looked at, so that many small ones cost no more than their bytes", () => {
    const splitter = new JsonSplitter();
    const text = JSON.stringify({ a: "x".repeat(10_000), b: ["é", 1] });
    const piece = Buffer.alloc(1);

    const found = [...Buffer.from(`${text} {}`)].flatMap((byte) => {
      piece[0] = byte;
      splitter.push(piece);
      return splitter.next() ?? [];
    });

    assert.deepEqual(found, [text, "{}"]);
  });

  it("waits for the rest of a text", () => {
    const splitter = new JsonSplitter();
    splitter.push(Buffer.from('{"a":'));

    assert.equal(splitter.next(), undefined);
    splitter.push(Buffer.from("1} "));
    assert.equal(splitter.next(), '{"a":1}');
    assert.equal(splitter.next(), undefined);
  });

  it("reads what is no UTF-8 as U+FFFD, as Go", () => {
    assert.deepEqual(split([Buffer.from('{"a":"\xff"}', "latin1")]), ['{"a":"\ufffd"}']);
  });

  it("is broken where something else than an object begins, and says with what", () => {
    for (const bytes of ["7", "[1]", '"x"', "null", "}", "\xff", "\ufeff{}", "\0"]) {
      assert.equal(failureOf([Buffer.from(bytes)]).kind, "broken", bytes);
    }
    assert.match(failureOf([Buffer.from("{} x")]).message, /begins with "x"/);
  });

  it("ends at a text that is too large, however it comes, and not before", () => {
    const limits = { maxSize: 10, maxDepth: 10 };
    const text = Buffer.from(`{"a":${"1".repeat(20)}`);

    assert.deepEqual(split([Buffer.from('{"a":1234}')], limits), ['{"a":1234}']);
    assert.equal(failureOf([Buffer.from('{"a":12345}')], limits).kind, "too-large");
    assert.equal(
      failureOf(
        [...text].map((byte) => Buffer.of(byte)),
        limits,
      ).kind,
      "too-large",
    );
  });

  it("ends at a text that is too deep, and does not count what stands in strings", () => {
    const limits = { maxSize: 1000, maxDepth: 3 };

    assert.deepEqual(split([Buffer.from('{"[[[[":[{}]}')], limits), ['{"[[[[":[{}]}']);
    assert.equal(failureOf([Buffer.from('{"a":[[[')], limits).kind, "too-deep");
  });

  it("never throws anything but its error, and ends, for any bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (given) => {
        try {
          split(given);
        } catch (error) {
          assert.ok(error instanceof JsonStreamError);
        }
      }),
    );
  });
});

function spaces(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });
}

/** The stream cut into pieces of these lengths, and the rest. */
function pieces(stream: Buffer, lengths: readonly number[]): Buffer[] {
  let rest = stream;
  const cut = lengths.map((length) => {
    const piece = rest.subarray(0, length);
    rest = rest.subarray(length);
    return piece;
  });
  return [...cut, rest];
}

function split(
  given: readonly Uint8Array[],
  limits?: ConstructorParameters<typeof JsonSplitter>[0],
): string[] {
  const splitter = new JsonSplitter(limits);
  return given.flatMap((piece) => {
    splitter.push(piece);
    return [...textsOf(splitter)];
  });
}

function* textsOf(splitter: JsonSplitter): Generator<string> {
  for (let text = splitter.next(); text !== undefined; text = splitter.next()) {
    yield text;
  }
}

function failureOf(
  given: readonly Uint8Array[],
  limits?: ConstructorParameters<typeof JsonSplitter>[0],
): JsonStreamError {
  try {
    split(given, limits);
  } catch (error) {
    assert.ok(error instanceof JsonStreamError);
    return error;
  }
  throw new Error("the stream was taken");
}

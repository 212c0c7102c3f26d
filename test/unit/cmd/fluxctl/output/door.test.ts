import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Door } from "../../../../../cmd/fluxctl/output/door.ts";
import { paintFor } from "../../../../../cmd/fluxctl/output/paint.ts";
import { clipLine, visibleWidth } from "../../../../../cmd/fluxctl/output/screen-text.ts";

const screen = { columns: () => 80, rows: () => 24 };
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\x1b[31m",
        "\x1b[0m",
        "\x1b[2J",
        "\x1b]0;x\x07",
        "\x9b1A",
        "\r",
        "\u202e",
        "\x1b8!",
        "a b",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(""));

describe("Door", () => {
  const door = new Door(() => 7_777_777);
  const paint = paintFor(screen, {}, door);

  it("lets the codes of fluxctl through, and shows those of others", () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const shown = door.pass(`${paint.bad(a)}\n${b}`);

        const [first = "", last = ""] = a === "" ? ["", ""] : ["\x1b[31m", "\x1b[0m"];
        assert.ok(shown.startsWith(first));
        const others = shown.slice(first.length).replace(last, "");
        assert.doesNotMatch(
          others.replaceAll("\r\n", ""),
          /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it("shows a code of another run", () => {
    assert.match(
      door.pass(paintFor(screen, {}, new Door(() => 8)).bad("x")),
      /^\\u001b8!\[31mx\\u001b8!\[0m$/,
    );
  });

  it("makes lines as wide as they are measured and clipped", () => {
    fc.assert(
      fc.property(
        hostile.filter((text) => !/[\n\r]/.test(text)),
        fc.integer({ min: 1, max: 30 }),
        (text, columns) => {
          const line = `${paint.heading("title ")}${text}`;

          const [whole, clipped] = [line, clipLine(line, columns)].map(
            (each) => Array.from(door.pass(each).replaceAll(/\x1b\[[0-9]+m/g, "")).length,
          );

          assert.equal(whole, visibleWidth(line));
          assert.equal(clipped, Math.min(visibleWidth(line), columns));
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef, parseResourceId, printImageRef, type UpdateResult } from "@weir/flux";
import fc from "fast-check";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";
import {
  chosenUpdates,
  type Menu,
  openMenu,
  parseMenuKeys,
  pressKey,
  printMenu,
} from "../../../../../cmd/fluxctl/releasing/menu.ts";

function change(container: string, from: string, to: string) {
  return { container, current: parseImageRef(from), target: parseImageRef(to) };
}

const result: UpdateResult = new Map([
  [parseResourceId("a:deployment/locked"), { status: "skipped", error: "locked", containers: null }],
  [
    parseResourceId("b:deployment/app"),
    { status: "success", containers: [change("main", "app:1", "app:2"), change("side", "side:1", "side:2")] },
  ],
  [parseResourceId("c:deployment/web"), { status: "success", containers: [change("web", "web:1", "web:3")] }],
]);

/** The menu after keys as a keyboard sends them. */
function after(input: string, menu = openMenu(result, 1, plain)): Menu {
  return parseMenuKeys(input).reduce(
    (each, key) => (key === "submit" || key === "abort" ? each : pressKey(each, key)),
    menu,
  );
}

function chosen(menu: Menu): readonly string[] {
  return [...chosenUpdates(menu)].flatMap(([id, updates]) =>
    updates.map(({ container, target }) => `${id} ${container} ${printImageRef(target)}`),
  );
}

describe("the menu of a release", () => {
  it("opens with every update chosen, and the cursor at the first that can be", () => {
    assert.equal(
      printMenu(openMenu(result, 1, plain), plain),
      `    WORKLOAD             STATUS   UPDATES
    a:deployment/locked  skipped  locked
⇒ ◉ b:deployment/app     success  main: app:1 -> 2
  ◉                               side: side:1 -> 2
  ◉ c:deployment/web     success  web: web:1 -> 3

Use arrow keys and [Space] to toggle updates; hit [Enter] to release selected.
`,
    );
  });

  it("shows the rows around the cursor where there is no room for all", () => {
    const many: UpdateResult = new Map(
      Array.from({ length: 20 }, (_, index) => [
        parseResourceId(`a:deployment/app-${10 + index}`),
        { status: "success", containers: [change("main", "app:1", "app:2")] },
      ]),
    );
    const shown = (keys: string): readonly string[] =>
      printMenu(after(keys, openMenu(many, 0, plain)), plain, 8)
        .split("\n")
        .slice(1, -3);

    assert.deepEqual(shown(""), [
      "    ... 0 before",
      "⇒ ◉ a:deployment/app-10  success  main: app:1 -> 2",
      "  ◉ a:deployment/app-11  success  main: app:1 -> 2",
      "  ◉ a:deployment/app-12  success  main: app:1 -> 2",
      "    ... 17 after",
    ]);
    assert.deepEqual(
      shown("jjjjj").map((line) => line.slice(0, 24)),
      [
        "    ... 4 before",
        "  ◉ a:deployment/app-14 ",
        "⇒ ◉ a:deployment/app-15 ",
        "  ◉ a:deployment/app-16 ",
        "    ... 13 after",
      ],
    );
    assert.deepEqual(
      shown("k").map((line) => line.slice(0, 24)),
      [
        "    ... 17 before",
        "  ◉ a:deployment/app-27 ",
        "  ◉ a:deployment/app-28 ",
        "⇒ ◉ a:deployment/app-29 ",
        "    ... 0 after",
      ],
    );
  });

  it("keeps a row on one line", () => {
    const failed: UpdateResult = new Map([
      [parseResourceId("a:deployment/app"), { status: "failed", error: "two\nlines", containers: null }],
    ]);

    assert.match(printMenu(openMenu(failed, 0, plain), plain), / failed {3}two lines\n/);
  });

  it("moves the cursor by arrows, Tab, j and k, round at either end", () => {
    const at = (input: string): number => after(input).cursor;

    assert.deepEqual(
      ["\x1b[B", "\x1bOB", "j", "\t", "jj", "jjj", "k", "\x1b[A", "\x1bOA", "jk"].map(at),
      [1, 1, 1, 1, 2, 0, 2, 2, 2, 0],
    );
  });

  it("toggles the row at the cursor, whatever stands above it", () => {
    assert.deepEqual(chosen(after(" ")), ["b:deployment/app side side:2", "c:deployment/web web web:3"]);
    assert.deepEqual(chosen(after(" j j ")), []);
    assert.deepEqual(chosen(after("jj  ")), chosen(openMenu(result, 1, plain)));
    assert.match(printMenu(after("j "), plain), /\n⇒ ◯ {31}side: side:1 -> 2\n/);
  });

  it("reads Enter, q, Ctrl-C and Escape, several keys at once, and nothing into other keys", () => {
    assert.deepEqual(parseMenuKeys("\r\n"), ["submit", "submit"]);
    assert.deepEqual(parseMenuKeys("q\x03\x1b"), ["abort", "abort", "abort"]);
    assert.deepEqual(parseMenuKeys("x\x1b[Cé\x1b[B \r"), ["down", "toggle", "submit"]);
  });

  it("has every choice of rows within reach, and none twice", () => {
    const keys = fc.array(fc.constantFrom("j", "k", " ", "\x1b[A", "\x1b[B")).map((each) => each.join(""));

    fc.assert(
      fc.property(keys, (input) => {
        const menu = after(input);
        assert.ok(menu.cursor >= 0 && menu.cursor < menu.choices.length);
        assert.ok(chosen(menu).every((each) => chosen(openMenu(result, 1, plain)).includes(each)));
        assert.equal(printMenu(menu, plain).split("⇒").length, 2);
        assert.equal(printMenu(menu, plain).split("◉").length - 1, chosen(menu).length);
      }),
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  clipLine,
  fitLines,
  linesOnScreen,
  visibleWidth,
} from "../../../../../cmd/fluxctl/output/screen-text.ts";

const red = "\x1b7![31mred\x1b7![0m";

describe("visibleWidth", () => {
  it("counts characters, and no codes for colours", () => {
    assert.deepEqual([visibleWidth(""), visibleWidth("⇒ ◉"), visibleWidth(`a${red}b`)], [0, 3, 5]);
  });
});

describe("linesOnScreen", () => {
  it("counts a long line as many times as it begins anew", () => {
    assert.equal(linesOnScreen("12345\n123456\n\n", 5), 4);
    assert.equal(linesOnScreen(`12${red}\n`, 5), 1);
    assert.equal(linesOnScreen("", 5), 0);
  });

  it("takes a screen of unknown width for one that is wide enough", () => {
    assert.equal(linesOnScreen("123456\n1\n", 0), 2);
  });
});

describe("fitLines", () => {
  const text = "1\n2\n3\n4\n";

  it("leaves alone what fits", () => {
    assert.equal(fitLines(text, 80, 4), text);
  });

  it("says how many lines there is no room for", () => {
    assert.equal(fitLines(text, 80, 3), "1\n2\n... and 2 more lines\n");
    assert.equal(fitLines("123456\n2\n3\n", 3, 3), "123456\n... and 2 more lines\n");
    assert.equal(fitLines(text, 80, 1), "... and 4 more lines\n");
  });
});

describe("clipLine", () => {
  it("cuts behind the last character that can be seen, and ends the colours that began", () => {
    assert.equal(clipLine("12345", 5), "12345");
    assert.equal(clipLine("123456", 5), "12345");
    assert.equal(clipLine(`1${red}2`, 3), "1\x1b7![31mre\x1b7![0m");
  });
});

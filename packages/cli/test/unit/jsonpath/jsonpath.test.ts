import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import fc from "fast-check";
import { JsonPathError, parseJsonPath } from "../../../src/jsonpath/index.ts";

const data: JsonValue = {
  name: "web",
  count: 2,
  ratio: 0.00002,
  on: true,
  nothing: null,
  labels: { "example.test/app": "web", a: "<b>" },
  list: [
    { name: "one", size: 1, tags: ["x", "y"] },
    { name: "two", size: 22, tags: [] },
    { name: "three", size: 3, tags: ["z"], main: false },
  ],
  empty: [],
};

function print(template: string, value: JsonValue = data): string {
  return parseJsonPath(template).print(value);
}

describe("a jsonpath template", () => {
  for (const [template, printed] of [
    ["plain text", "plain text"],
    ["name: {.name}\n", "name: web\n"],
    ["{.list[*].name}", "one two three"],
    ["{.list[0].name} {.list[-1].name} {.list[0:2].name} {.list[::2].name}", "one three one two one three"],
    ["{.list[*]['name','size']}", "one two three 1 22 3"],
    ["{['labels']['a']}", "<b>"],
    ["{.labels.example\\.test/app}", "web"],
    ['{range .list[*]}{.name}={.size}{"\\n"}{end}after', "one=1\ntwo=22\nthree=3\nafter"],
    ["{range .list[*]}{range .tags[*]}{@},{end};{end}", "x,y,;;z,;"],
    ["{range .empty[*]}{.name}{end}none", "none"],
    ['{.list[?(@.name=="two")].size}', "22"],
    ["{.list[?(@.size>2)].name}", "two three"],
    ["{.list[?(@.size<=3)].name}", "one three"],
    ["{.list[?(@.main)].name}", "three"],
    ["{.list[?(@.main!=true)].name}", "three"],
    ["{..size}", "1 22 3"],
    ["{.list[*].tags[*]}", "x y z"],
    ["{.nothing} {.on} {.count} {.ratio}", "null true 2 2e-05"],
    ["{.labels}", '{"a":"\\u003cb\\u003e","example.test/app":"web"}'],
    ["[{.missing.further}]", "[]"],
    ["{.missing[0]}", ""],
    ["{.constructor}{.toString}", ""],
    ["{'it\\'s'}{\"\\u00e9\\t\\x41\"}", "it's\u00e9\tA"],
    ['{"\\\\"}', "\\"],
    ['{.list[?(@.name=="a)b")]}', ""],
  ] as const) {
    it(`prints ${template} as ${JSON.stringify(printed)}`, () => {
      assert.equal(print(template), printed);
    });
  }

  for (const [template, position, problem, remedy] of [
    ["{.name", 1, "the brace is not closed", /add }/],
    ["ab{.list[0}", 9, "the bracket is not closed", /add \]/],
    ['{.list["name"]}', 8, '["name"] is neither a position nor the name of a field', /\['name'\]/],
    ["{.list[1,x]}", 10, "[x] is neither a position nor the name of a field", /single quotes/],
    ["{.list[-]}", 8, "[-] is neither a position nor the name of a field", /\[-1\]/],
    ["{.list[::0]}", 8, "the step of a slice must be at least 1", /\[0:10:2\]/],
    ["{.list[?(@.a==1]}", 7, "the filter is not closed", /\[\?\(/],
    ["{.list[?(@.a=1)]}", 13, "= is not an operator", /==/],
    ["{.list[?(@.a==)]}", 15, "nothing follows ==", /compare with/],
    ["{.list[?(@.a==b)]}", 15, 'unexpected "b"', /"b"/],
    ["{name}", 2, 'unexpected "name"', /\.name/],
    ["{range .list[*]}{.name}", 1, "the range does not end", /\{end\}/],
    ["{.name}{end}", 8, "there is no range to end", /\{range \.\.\.\}/],
    ["{....name}", 4, "too many dots", /once/],
    ['{"a}', 2, "the quoted string does not end", /add "/],
    ['{"\\q"}', 3, "\\q is not an escape", /\\n/],
    ["{.name*}x{#}", 11, 'unexpected "#"', /quote/],
    ["{-}", 2, "- is not a number", /quote/],
  ] as const) {
    it(`is refused as ${template}: ${problem}`, () => {
      assert.throws(
        () => parseJsonPath(template),
        (error) => {
          assert.ok(error instanceof JsonPathError);
          assert.ok(error.message.startsWith(`jsonpath template, character ${position}: ${problem}; `));
          assert.match(error.message, remedy);
          return true;
        },
      );
    });
  }

  for (const [template, problem] of [
    ["{.list[7]}", "character 8: position 7 is outside the list, which has length 3"],
    ["{.list[2:1]}", "character 8: the slice begins at 2, behind its end at 1"],
    ["{.labels[0]}", "character 10: there is an object where [...] needs a list"],
    ["{.labels[?(@.a)]}", "character 9: an object cannot be filtered"],
    ['{.list[?(@.size=="1")]}', "character 7: a number == a string cannot be compared"],
    ["{.list[?(@.tags[*]==1)]}", "character 7: a side of the comparison has several values"],
  ] as const) {
    it(`doesn't fit as ${template}`, () => {
      assert.throws(
        () => print(template),
        (error) =>
          error instanceof JsonPathError && error.message.startsWith(`jsonpath template, ${problem}; `),
      );
    });
  }

  it("ends where it would take very long", () => {
    const deep = Array.from({ length: 40 }).reduce<JsonValue>((inner) => ({ a: inner }), 1);

    assert.throws(() => print(`{${"['a','a']".repeat(40)}}`, deep), { message: /too many steps/ });
  });

  it("is either printed or refused with a position, whatever it is", () => {
    const pieces = [
      "{",
      "}",
      "range ",
      "end",
      ".",
      "..",
      "list",
      "name",
      "[",
      "]",
      "?(@",
      ")",
      "==",
      "'",
      '"',
    ];
    const more = ["*", ",", ":", "-1", "2", "\\", "x", " ", "@", "$", "{range .list[*]}", "{end}"];
    const templates = fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 25 });
    fc.assert(
      fc.property(templates, (chosen) => {
        const template = chosen.join("");
        try {
          print(template);
        } catch (error) {
          assert.ok(error instanceof JsonPathError, String(error));
          assert.ok(error.position >= 1 && error.position <= template.length + 1, error.message);
        }
      }),
    );
  });
});

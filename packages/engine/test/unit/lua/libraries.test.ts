import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { LuaError } from "../../../src/lua/vm/value.ts";
import { runLua, showLua } from "../../support/lua.ts";

/** Expressions and their values; what real Lua 5.1 gives. */
const expressions: readonly (readonly [string, string])[] = [
  [
    "tonumber('0x1f'), tonumber(' 12 '), tonumber('1e2'), tonumber('z', 36), tonumber('1 2'), tonumber('')",
    "31|12|100|35|nil|nil",
  ],
  ["select('#', nil, nil), select(2, 'a', 'b', 'c')", '2|"b"|"c"'],
  ["select(-1, 'a', 'b')", '"b"'],
  ["type(nil), type(1), type('x'), type({}), type(print)", '"nil"|"number"|"string"|"table"|"function"'],
  ["unpack({ 1, nil, 3 }, 1, 3)", "1|nil|3"],
  ["pcall(error, 'x', 0)", 'false|"x"'],
  ["pcall(assert, nil)", 'false|"assertion failed!"'],
  ["rawequal('a', 'a'), rawget(setmetatable({}, { __index = { a = 1 } }), 'a')", "true|nil"],
  ["math.floor(-1.5), math.ceil(1.2), math.max(1, 5, 3), math.min(2, 0), math.fmod(-7, 3)", "-2|2|5|0|-1"],
  [
    "string.rep('ab', 3), string.rep('x', -1), ('aBc'):upper(), ('AbC'):lower(), ('abc'):reverse()",
    '"ababab"|""|"ABC"|"abc"|"cba"',
  ],
  [
    "('hello'):sub(2, 3), ('hello'):sub(-3, -1), ('hello'):sub(5, 2), ('hello'):sub(-100, 100)",
    '"el"|"llo"|""|"hello"',
  ],
  ["('hello'):byte(2, 3)", "101|108"],
  ["string.char(72, 105)", '"Hi"'],
  ["table.concat({ 1, 2, 3 }, ', ', 2, 3), table.getn({ 1, 2 }), table.maxn({ 1, [10] = 3 })", '"2, 3"|2|10'],
  [
    "string.format('%d/%d %s %5.1f|%-4s|%04d %x %q %%', 1, 2, true, 2.25, 'ab', 42, 255, 'a\"b')",
    '"1/2 true   2.3|ab  |0042 ff "a\\"b" %"',
  ],
  ["string.format('%g %g %.3g %e', 100, 1e20, 0.00012345, 12345)", '"100 1e+20 0.000123 1.234500e+04"'],
  ["('hello world'):find('o w')", "5|7"],
  ["('a.b'):find('.', 1, true), ('abc'):find('b', -1)", "2|nil"],
  ["('abc'):find('', 10)", "4|3"],
  ["('key = value'):match('(%w+) = (%w+)')", '"key"|"value"'],
  ["('  trim  '):match('^%s*(.-)%s*$')", '"trim"'],
  ["('f(a(b)c)d'):match('%b()')", '"(a(b)c)"'],
  ["('hello world'):gsub('o', '0')", '"hell0 w0rld"|2'],
  ["('abc'):gsub('', '-')", '"-a-b-c-"|4'],
  ["('abc'):gsub('%w', { a = '1', b = false })", '"1bc"|3'],
  ["('abc'):gsub('%w', '%0%0', 2)", '"aabbc"|2'],
  ["('abc'):gsub('(a)(b)', '%2%1')", '"bac"|1'],
  ["('hello'):find('(l)%1')", '3|4|"l"'],
  ["('hello'):find('()ll()')", "3|4|3|5"],
  ["('THE (quick) fox'):find('%((%a+)%)')", '5|11|"quick"'],
  ["('THE quick'):gsub('%f[%a]%a+', 'x')", '"x x"|2'],
  [
    "('x]y'):match('[]]'), ('a-b'):match('[a%-]+'), ('abc'):match('[^a]+'), ('b2'):match('[a-c][%d]')",
    '"]"|"a-"|"bc"|"b2"',
  ],
  ["os.time()", "86400"],
  ["os.date('!%Y-%m-%d %H:%M:%S', 86461), os.date('!%A %j', 0)", '"1970-01-02 00:01:01"|"Thursday 001"'],
  ["os.date('!*t', 0).year, os.date('*t').isdst", "1970|false"],
  ["os.time({ year = 2020, month = 1, day = 2 }) - os.time({ year = 2020, month = '1', day = 1 })", "86400"],
  ["require('os') == os, _G.string == string, _VERSION", 'true|true|"Lua 5.1"'],
];

const failures: readonly (readonly [string, string])[] = [
  ["table.insert({}, 1, 2, 3)", "wrong number of arguments to 'insert'"],
  ["('x'):rep({})", "bad argument #2 to 'rep' (number expected, got table)"],
  ["ipairs()", "bad argument #1 to 'ipairs' (table expected, got no value)"],
  ["string.format('%d', 'x')", "bad argument #2 to 'format' (number expected, got string)"],
  ["string.format('%y', 1)", "invalid option '%y' to 'format'"],
  ["string.format('%1000d', 1)", "width or precision too long"],
  ["('a'):find('[a')", "missing ']'"],
  ["('a'):find('%')", "ends with '%'"],
  ["('a'):find('(a')", "unfinished capture"],
  ["('a'):find('a)')", "invalid pattern capture"],
  ["('a'):gsub('a', '%2')", "invalid capture index"],
  ["table.concat({ {} })", "invalid value at index 1"],
  ["table.sort({ 1, 'a' })", "attempt to compare"],
  ["unpack({}, 1, 1e9)", "too many results to unpack"],
  ["require('fs')", "there are no modules except"],
  ["setmetatable(setmetatable({}, { __metatable = 1 }), {})", "cannot change a protected metatable"],
];

describe("the libraries", () => {
  for (const [source, result] of expressions) {
    it(`evaluate ${source}`, () => assert.equal(showLua(source), result));
  }
  for (const [source, problem] of failures) {
    it(`fail in ${source}`, () => {
      assert.throws(
        () => runLua(source),
        (error) => error instanceof LuaError && error.message.includes(problem),
      );
    });
  }

  it("have nothing that reaches outside", () => {
    const names = [
      "io",
      "debug",
      "package",
      "coroutine",
      "load",
      "loadstring",
      "dofile",
      "loadfile",
      "collectgarbage",
    ];
    const fields = ["execute", "exit", "getenv", "remove", "rename", "tmpname", "clock"];

    assert.equal(runLua("for _, n in ipairs(names) do if _G[n] then return n end end", { names }), undefined);
    assert.equal(
      runLua("for _, n in ipairs(names) do if os[n] then return n end end", { names: fields }),
      undefined,
    );
    assert.equal(runLua("return string.dump or ('').constructor or ({}).__proto__"), undefined);
  });

  it("give each evaluation its own tables", () => {
    runLua("string.find = nil; table.concat = 1; x = 1");

    assert.equal(runLua("return ('a'):find('a') .. tostring(x) .. table.concat({ 1 })"), "1nil1");
  });

  it("insert and remove in lists", () => {
    const script = `
      local t = { 1, 2, 3 }
      table.insert(t, 4) table.insert(t, 1, 0) table.insert(t, 3, "x")
      return table.concat(t, " ") .. "/" .. table.remove(t) .. table.remove(t, 1) .. #t`;

    assert.equal(runLua(script), "0 1 x 2 3 4/404");
  });

  it("iterate over matches", () => {
    const script =
      'local out = {} for k, v in ("a=1, b=2"):gmatch("(%w)=(%w)") do out[#out + 1] = v .. k end return table.concat(out)';

    assert.equal(runLua(script), "1a2b");
  });

  it("sort like others do", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (numbers) => {
        const sorted = runLua("table.sort(n, function(a, b) return a > b end) return table.concat(n, ' ')", {
          n: numbers,
        });
        assert.equal(sorted, numbers.toSorted((a, b) => b - a).join(" "));
      }),
    );
  });

  it("find what a regular expression finds", () => {
    // Patterns that mean the same in both.
    const item = fc.tuple(fc.constantFrom("a", "b", ".", "[ab]", "[^a]"), fc.constantFrom("", "*", "+", "?"));
    const piece = fc.oneof(
      item.map((parts) => parts.join("")),
      item.map((parts) => `(${parts.join("")})`),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), fc.stringMatching(/^[abc]{0,12}$/), (pieces, text) => {
        const pattern = pieces.join("");
        const found = new RegExp(pattern, "s").exec(text);
        const expected = found === null ? "nil" : (found.length > 1 ? found.slice(1) : [found[0]]).join("|");
        const actual = runLua(
          "local m = { text:match(pattern) } if #m == 0 then return 'nil' end return table.concat(m, '|')",
          { text, pattern },
        );

        assert.equal(actual, expected);
      }),
      runs(1_000),
    );
  });
});

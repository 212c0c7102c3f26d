import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { LuaSyntaxError } from "../../../src/lua/vm/lexer.ts";
import { LuaError } from "../../../src/lua/vm/value.ts";
import { runLua, showLua } from "../../support/lua.ts";

/** Expressions and their values; what real Lua 5.1 gives, except for how numbers are printed. */
const expressions: readonly (readonly [string, string])[] = [
  ["1 + 2 * 3 ^ 2 - 4 / 2 % 3", "17"],
  ["-2 ^ 2, 2 ^ -1", "-4|0.5"],
  ["7 % 3, -7 % 3, 7 % -3", "1|2|-2"],
  ["'10' + 5, '0x10' * 2, 10 .. 20", '15|32|"1020"'],
  ["1 and 2 or 3, nil and 1, false or nil, not nil == true", "2|nil|nil|true"],
  ["1 == 1.0, '1' == 1, 'Z' < 'a', '' < 'a'", "true|false|true|true"],
  ["#'abc', #{ 1, 2, 3 }, #'é'", "3|3|2"],
  ["0x10 + .5 + 3. + 1e1", "29.5"],
  ["10 / 2, 7 / 2, 2 ^ 53, 0.1, 1 / 0", "5|3.5|9007199254740992|0.1|+Inf"],
  ["(function(...) return ... end)(1, 2, 3)", "1|2|3"],
  ["((function(...) return ... end)(1, 2, 3))", "1"],
  ["(function(...) return select('#', ...) end)(nil, nil)", "2"],
  [String.raw`'\65\066\n\"' .. '\x'`, '"AB\n"x"'],
  ["[[\nab]] .. [==[c]]d]==]", '"abc]]d"'],
];

/** Scripts and their results. */
const scripts: readonly (readonly [string, string, string | number])[] = [
  [
    "gives each turn of a loop its own variable",
    "local f = {} for i = 1, 3 do f[i] = function() i = i + 1 return i end end return f[1]() .. f[1]() .. f[2]()",
    "233",
  ],
  [
    "shares a variable between functions",
    "local a, x = {}, 1 do local x = 2 a[1] = function() return x end end a[2] = function() x = x + 1 return x end return a[1]() .. a[2]() .. x",
    "222",
  ],
  [
    "passes variables through functions",
    "local x = 1 local function f() return function() x = x + 1 return x end end f()() return f()()",
    3,
  ],
  [
    "recurses",
    "local function f(n) if n < 2 then return n end return f(n - 1) + f(n - 2) end return f(12)",
    144,
  ],
  [
    "counts down",
    "local t = {} for i = 10, 1, -3 do t[#t + 1] = i end return table.concat(t, ' ')",
    "10 7 4 1",
  ],
  ["leaves a loop", "local i = 0 while true do i = i + 1 if i > 5 then break end end return i", 6],
  ["sees a loop's variables in until", "local i = 0 repeat local j = i i = i + 1 until j >= 3 return i", 4],
  [
    "continues by goto",
    "local s = 0 for i = 1, 5 do if i % 2 == 0 then goto continue end s = s + i ::continue:: end return s",
    9,
  ],
  [
    "leaves nested loops by goto",
    "local n = 0 for i = 1, 9 do for j = 1, 9 do n = n + 1 if n == 5 then goto done end end end ::done:: return n",
    5,
  ],
  ["loops by goto", "local i = 0 ::again:: i = i + 1 if i < 4 then goto again end return i", 4],
  ["evaluates all before it assigns", "local x, y = 1, 2 x, y = y, x return x .. y", "21"],
  ["takes all results of the last call", "local r = { (function() return 1, 2, 3 end)() } return #r", 3],
  [
    "takes one result of other calls",
    "local function f() return 1, 2 end local r = { f(), f() } return #r",
    3,
  ],
  ["calls methods", "local t = { n = 2 } function t:get(a) return self.n + a end return t:get(3)", 5],
  ["defines functions in tables", "local t = { a = {} } function t.a.b(x) return x end return t.a.b(7)", 7],
  ["mixes lists and fields", "local t = { n = 1, [2] = 'b', 3 } return #t .. t[1] .. t[2] .. t.n", "23b1"],
  [
    "visits every field once",
    "local c = 0 for _ in pairs({ n = 1, [2] = 'b', k = 'v', 3 }) do c = c + 1 end return c",
    4,
  ],
  [
    "removes fields while it visits them",
    "local t = { 10, 20, a = 1, b = 2 } for k in pairs(t) do t[k] = nil end return tostring(next(t))",
    "nil",
  ],
  ["stops at the first gap", "local s = 0 for _, v in ipairs({ 1, 2, nil, 4 }) do s = s + v end return s", 3],
  ["fills gaps", "local t = {} t[1] = 1 t[2] = 2 t[4] = 4 t[3] = 3 return #t", 4],
  [
    "finds inherited methods",
    "local base = { hi = function(self) return 'hi ' .. self.name end } base.__index = base return setmetatable({ name = 'bob' }, base):hi()",
    "hi bob",
  ],
  [
    "applies metamethods",
    `local mt = {
       __index = function(_, k) return k .. "!" end, __newindex = function(t, k, v) rawset(t, k, v * 2) end,
       __call = function(_, a) return a + 1 end, __add = function() return "+" end,
       __concat = function() return ".." end, __eq = function() return true end,
       __lt = function() return true end, __le = function() return false end,
       __unm = function() return "-" end, __len = function() return 9 end,
       __tostring = function() return "T" end }
     local t, u = setmetatable({}, mt), setmetatable({}, mt)
     t.x = 4
     return t.x .. t.y .. t(1) .. (1 + t) .. (t .. "a") .. tostring(t == u) .. tostring(t < u) .. tostring(t <= u) .. (-t) .. #t .. tostring(t)`,
    "8y!2+..truetruefalse-9T",
  ],
  ["skips comments", "--[[ a\n]] --[==[ ]] ]==] -- b\nreturn 1 -- c", 1],
  ["catches errors", "local ok, e = pcall(error, { code = 5 }) return e.code", 5],
  [
    "handles errors",
    "return select(2, xpcall(function() error('a', 0) end, function(m) return m .. '!' end))",
    "a!",
  ],
];

/** Scripts that fail, and part of the message. */
const failures: readonly (readonly [string, string])[] = [
  ["\nreturn a.b", "line 2: attempt to index a nil value (global 'a')"],
  ["return obj.x.y", "attempt to index a nil value (field 'x')"],
  ["local t = {} t.x()", "attempt to call a nil value (field 'x')"],
  ["('x'):bad()", "attempt to call a nil value (method 'bad')"],
  ["local n return n + 1", "attempt to perform arithmetic on a nil value (local 'n')"],
  ["return {} .. 'a'", "attempt to concatenate a table value"],
  ["return 1 < 'a'", "attempt to compare number with string"],
  ["return {} < {}", "attempt to compare two table values"],
  ["return #nil", "attempt to get length of a nil value"],
  ["local t = {} t[nil] = 1", "table index is nil"],
  ["local t = {} t[0 / 0] = 1", "table index is NaN"],
  ["for i = 'a', 2 do end", "'for' initial value must be a number"],
  ["for _ in nil do end", "attempt to call a nil value (the iterator of a loop)"],
  ["\n\nerror('broken')", "line 3: broken"],
];

const mistakes: readonly string[] = [
  "x = = 1",
  "for",
  "if x then",
  "return 'unfinished",
  "return 'line\nbreak'",
  "break",
  "goto nowhere",
  "goto later local x ::later:: return x",
  "::a:: ::a::",
  "local function f() return ... end",
  "return 1 return 2",
  "f() = 1",
  "a.b",
  "x = 1x",
  "x = 3..2",
  "x = '\\300'",
  "--[[ open",
  "function f(a, ..., b) end",
  "function f(,a) end",
  "x = @",
];

describe("the language", () => {
  for (const [source, result] of expressions) {
    it(`evaluates ${JSON.stringify(source)}`, () => assert.equal(showLua(source), result));
  }
  for (const [name, source, result] of scripts) {
    it(name, () => assert.equal(runLua(source), result));
  }
  for (const [source, problem] of failures) {
    it(`fails in ${JSON.stringify(source)}`, () => {
      assert.throws(
        () => runLua(source, { obj: {} }),
        (error) => error instanceof LuaError && error.message.includes(problem),
      );
    });
  }
  for (const source of mistakes) {
    it(`refuses ${JSON.stringify(source)}`, () => assert.throws(() => runLua(source), LuaSyntaxError));
  }

  it("hands over JSON as tables, without nulls", () => {
    const obj = { list: [1, "é", null, true], empty: {}, none: null, "a.b/c": { d: 1.5 } };

    assert.equal(
      runLua("return #obj.list .. obj.list[2] .. obj['a.b/c'].d .. tostring(obj.none) .. type(obj.empty)", {
        obj,
      }),
      "3é1.5niltable",
    );
  });

  it("hands over any text unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        assert.equal(runLua("return obj[1]", { obj: [text] }), text.toWellFormed());
        assert.equal(runLua("return #obj[1]", { obj: [text] }), Buffer.byteLength(text));
      }),
    );
  });

  it("prints numbers so that they can be read back", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        assert.equal(runLua("return tonumber(tostring(n)) == n", { n: number }), true);
      }),
    );
  });

  it("keeps tables like a map, whatever is set and removed", () => {
    const change = fc.tuple(
      fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom("a", "b", "c")),
      fc.option(fc.integer({ min: 1, max: 99 }), { nil: null }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
        const wanted = new Map<string, number>();
        for (const [key, value] of changes) {
          wanted.delete(String(key));
          if (value !== null) {
            wanted.set(String(key), value);
          }
        }
        const printed = runLua(
          `local t, out = {}, {}
           for _, change in ipairs(changes) do t[change.key] = change.value end
           for key, value in pairs(t) do out[#out + 1] = key .. "=" .. value end
           table.sort(out)
           return table.concat(out, " ")`,
          { changes: changes.map(([key, value]) => ({ key, value })) },
        );

        assert.equal(
          printed,
          [...wanted]
            .map(([key, value]) => `${key}=${value}`)
            .sort()
            .join(" "),
        );
      }),
      runs(500),
    );
  });
});

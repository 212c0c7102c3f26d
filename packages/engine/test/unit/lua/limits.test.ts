import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { luaHealthRules } from "../../../src/lua/index.ts";
import { LuaLimitError } from "../../../src/lua/vm/budget.ts";
import { LuaSyntaxError } from "../../../src/lua/vm/lexer.ts";
import { LuaError } from "../../../src/lua/vm/value.ts";
import { runLua, wideLimits } from "../../support/lua.ts";

const steps = /needs more than \d+ steps/;
const bytes = /needs more than \d+ bytes/;
const either = /needs more than \d+ (steps|bytes)/;
const depth = /functions within each other/;

/** Scripts that would not end, or take all memory, and what stops them. */
const hostile: readonly (readonly [string, string, RegExp])[] = [
  ["an endless loop", "while true do end", steps],
  ["an endless repeat", "repeat until false", steps],
  ["an endless for", "for i = 2, 1, 0 do end", steps],
  ["an endless goto", "::a:: goto a", steps],
  ["a loop around pcall", "while true do pcall(function() while true do end end) end", steps],
  ["a loop in an error handler", "xpcall(error, function() while true do end end)", steps],
  [
    "a loop in a metamethod",
    "return setmetatable({}, { __index = function() while true do end end }).x",
    steps,
  ],
  ["an iterator that never ends", "for _ in function() return 1 end do end", steps],
  ["a long expression in a loop", `while true do local x = ${"1 + ".repeat(300)} 1 end`, steps],
  ["recursion", "local function f() return 1 + f() end f()", depth],
  ["recursion in tail position", "local function f() return f() end f()", depth],
  ["recursion through pcall", "local function f() return pcall(f) end f()", depth],
  [
    "recursion through __index",
    "local t = setmetatable({}, {}) getmetatable(t).__index = function(_, k) return t[k] end return t.x",
    depth,
  ],
  [
    "recursion through tostring",
    "local t = setmetatable({}, {}) getmetatable(t).__tostring = function() return tostring(t) end tostring(t)",
    depth,
  ],
  ["recursion through sort", "local function f() table.sort({ 1, 2 }, f) return true end f()", depth],
  ["recursion through gsub", "local function f() return ('x'):gsub('x', f) end f()", depth],
  ["many tables", "local t = {} while true do t[#t + 1] = {} end", bytes],
  ["many functions", "local t = {} while true do t[#t + 1] = function() return t end end", bytes],
  ["many keys", "local t, i = {}, 0 while true do i = i + 1 t['k' .. i] = true end", either],
  ["a huge repetition", "return ('x'):rep(1e9)", bytes],
  ["an infinite repetition", "return ('x'):rep(math.huge)", bytes],
  ["a doubling string", "local s = 'x' while true do s = s .. s end", bytes],
  [
    "a huge concatenation",
    "local t = {} for i = 1, 1e4 do t[i] = 'x' end while true do t = { table.concat(t), table.concat(t) } end",
    bytes,
  ],
  ["a replacement that grows", "return ('a'):rep(1e5):gsub('.', ('b'):rep(1e4))", either],
  ["a replacement with many references", "return ('a'):rep(1e4):gsub('.+', ('%0'):rep(1e4))", bytes],
  [
    "a doubling argument list",
    "local function f(...) return f(1, ...) end while true do f(unpack({}, 1, 8000)) end",
    either,
  ],
  ["formatting", "while true do local x = ('%99.99f'):format(1e300) end", bytes],
  ["exponential backtracking", "return ('a'):rep(40):find(('a?'):rep(40) .. ('a'):rep(40) .. 'b')", steps],
  ["polynomial backtracking", "return ('a'):rep(1e5):find('.-.-.-.-b')", steps],
  ["backtracking from each position", "return ('a'):rep(1e5):gsub('a*a*a*b', '')", steps],
  ["a frontier with a long set", "return ('a'):rep(1e5):find('%f[' .. ('b'):rep(1e5) .. ']')", steps],
  ["a slow search", "return ('a'):rep(4e6):find('b' .. ('a'):rep(4e6), 1, true)", steps],
  [
    "comparing long strings",
    "local a = ('x'):rep(3e6) local b, c = a .. 'y', a .. 'z' while true do local d = b == c end",
    steps,
  ],
  [
    "ordering long strings",
    "local a = ('x'):rep(3e6) local b, c = a .. 'y', a .. 'z' while true do local d = b < c end",
    steps,
  ],
  ["a long key", "local a, t = ('x'):rep(3e6), {} while true do t[a] = 1 end", steps],
  ["reading a long number", "local s = ('1'):rep(3e6) .. 'x' while true do tonumber(s) end", steps],
  [
    "calculating with a long number",
    "local s = ('1'):rep(3e6) .. 'x' while true do pcall(function() return s + 1 end) end",
    steps,
  ],
  ["inserting at the front", "local t = {} while true do table.insert(t, 1, 1) end", steps],
  [
    "looking for a key among removed ones",
    "local t = {} for i = 1, 1e4 do t['k' .. i] = 1 end for i = 1, 1e4 do t['k' .. i] = nil end while true do next(t) end",
    steps,
  ],
  [
    "a contradictory order",
    "local t = {} for i = 1, 1e5 do t[i] = i end table.sort(t, function() return true end)",
    steps,
  ],
  ["unpacking", "while true do local t = { unpack({}, 1, 8000) } end", steps],
];

describe("the limits of a script", () => {
  for (const [name, source, stopped] of hostile) {
    it(`stop ${name}`, () => {
      assert.throws(
        () => runLua(source),
        (error) => error instanceof LuaLimitError && stopped.test(error.message),
      );
    });
  }

  const deep: readonly (readonly [string, string])[] = [
    ["parentheses", `return ${"(".repeat(1e5)}1${")".repeat(1e5)}`],
    ["tables", `return ${"{".repeat(1e5)}${"}".repeat(1e5)}`],
    ["functions", `return ${"function() return ".repeat(1e4)}`],
    ["blocks", "do ".repeat(8e4)],
    ["additions", `return ${"1+".repeat(1e5)}1`],
    ["concatenations", `return ${"'a'..".repeat(4e4)}'a'`],
    ["negations", `return ${"- ".repeat(1e5)}1`],
    ["fields", `return a${".a".repeat(1e5)}`],
    ["calls", `return a${"()".repeat(1e5)}`],
  ];
  for (const [name, source] of deep) {
    it(`refuse or evaluate very many nested ${name}`, () => {
      const rules = luaHealthRules(new Map([["example.com/Thing", source]]));
      const found = rules["example.com/Thing"]?.health?.({
        apiVersion: "example.com/v1",
        kind: "Thing",
        metadata: { name: "a" },
      });

      assert.equal(found?.status, "Unknown");
      assert.match(found.message, /nested too deeply|a number instead|a nil value|a string instead/);
    });
  }

  it("count the same for each evaluation", () => {
    const script = "for i = 1, 1000 do x = (x or 0) + i end return x";
    const least = [...Array(20_000).keys()].find((each) => isEnough(each));
    function isEnough(limit: number): boolean {
      try {
        return runLua(script, {}, { ...wideLimits, steps: limit }) === 500_500;
      } catch {
        return false;
      }
    }

    assert.ok(least !== undefined && least > 1_000);
    assert.ok(isEnough(least) && !isEnough(least - 1));
  });

  it("hold whatever a script says", () => {
    const words = fc.constantFrom(
      ..."x y t f and break do else end false for function if in local nil not or repeat return then true until while goto".split(
        " ",
      ),
      ..."+ - * / % ^ # == ~= < = ( ) { } [ ] ; : , . .. ... ::".split(" "),
      ..."1 2e9 'a' \"%\" [[b]] pairs pcall string table t.x t[1] x.y() ('a'):rep(x) setmetatable".split(" "),
      "while true do",
      "for i = 1, 10 do",
      "function f(...)",
      "local t = {}",
      "if x then",
      "return",
    );
    const limits = { steps: 20_000, bytes: 200_000, depth: 50 };
    fc.assert(
      fc.property(fc.array(words, { maxLength: 25 }), (script) => {
        try {
          runLua(script.join(" "), { x: 1, t: { x: { y: 2 } } }, limits);
        } catch (error) {
          assert.ok(
            error instanceof LuaError || error instanceof LuaLimitError || error instanceof LuaSyntaxError,
            error as Error,
          );
        }
      }),
      runs(3_000),
    );
  });
});

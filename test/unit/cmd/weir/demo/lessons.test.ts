import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Seen } from "@weir/demo";
import { commandsOf, isAvailable } from "../../../../../cmd/weir/demo/guide/available.ts";
import { isTried, type Lesson, nextLesson } from "../../../../../cmd/weir/demo/guide/lesson.ts";
import { lessons } from "../../../../../cmd/weir/demo/guide/lessons.ts";

function lesson(lines: readonly string[], tried: Lesson["tried"]): Lesson {
  return { topic: "Topic", lines, look: "Look.", tried };
}

const list = lesson(["fluxctl list-workloads -a"], { command: "list-workloads" });
const tree = lesson(["fluxctl tree"], { command: "tree" });
const push = lesson(["git push"], { seen: "push" });
const all = [list, tree, push];
const nothing = { commands: [], seen: new Set<Seen>() };

describe("what to suggest next", () => {
  it("is the first that wasn't tried", () => {
    assert.equal(nextLesson(all, nothing, []), list);
    assert.equal(nextLesson(all, { ...nothing, commands: ["list-workloads -n shop"] }, [list]), tree);
  });

  it("is another one if somebody did something else than suggested", () => {
    assert.equal(nextLesson(all, { ...nothing, commands: ["version"] }, [list]), tree);
  });

  it("comes back to those that weren't tried", () => {
    assert.equal(nextLesson(all, { ...nothing, seen: new Set<Seen>(["push"]) }, [list, tree]), list);
  });

  it("is nothing if all were tried", () => {
    const done = { commands: ["tree", "list-workloads"], seen: new Set<Seen>(["push"]) };

    assert.equal(nextLesson(all, done, []), undefined);
  });
});

describe("a lesson with a flag", () => {
  const local = lesson(["fluxctl diff --local ."], { command: "diff", flag: "--local" });

  it("is tried only with that flag", () => {
    const after = (...commands: readonly string[]): boolean => isTried(local, { ...nothing, commands });

    assert.deepEqual(
      [
        after("diff"),
        after("diff --localhost"),
        after("tree --local ."),
        after("diff --local ."),
        after("diff --local=."),
      ],
      [false, false, false, true, true],
    );
  });
});

describe("what is suggested", () => {
  const programs = {
    has: (program: string) => program === "git",
    help: (command: string) =>
      command === "diff"
        ? "Flags:\n  -h, --help      help for diff\n      --local DIR     Compare\n  -o, --output-format string\n"
        : undefined,
  };
  const cases: readonly (readonly [string, boolean])[] = [
    ["fluxctl diff", true],
    ["fluxctl diff --local . -o short", true],
    ["fluxctl diff --local=.", true],
    ["fluxctl diff --offline", false],
    ["fluxctl why this", false],
    ["git add . && git push -q", true],
    ["kubectl get pods", false],
    ["git add . && kubectl get pods", false],
  ];
  for (const [line, wanted] of cases) {
    it(`${wanted ? "can" : "can't"} be ${line}`, () => {
      assert.equal(isAvailable(lesson([line], { command: "" }), programs), wanted);
    });
  }

  it("is read from fluxctl's help", () => {
    const help =
      "Usage:\n  fluxctl [command]\n\nAvailable Commands:\n  diff   Show\n  why    Say\n\nFlags:\n  -h  help\n";

    assert.deepEqual(commandsOf(help), ["diff", "why"]);
  });
});

describe("the lessons", () => {
  it("fit on a terminal of 80 columns", () => {
    assert.deepEqual(
      lessons.flatMap(({ lines }) => lines).filter((line) => line.length > 74),
      [],
    );
    assert.deepEqual(
      lessons.map(({ topic }) => topic).filter((topic) => topic.length > 65),
      [],
    );
  });

  it("are different from each other", () => {
    assert.equal(new Set(lessons.map(({ tried }) => JSON.stringify(tried))).size, lessons.length);
  });
});

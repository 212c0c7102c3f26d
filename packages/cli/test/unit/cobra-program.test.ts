import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CobraProgram } from "../../src/cobra-program.ts";
import { bool, flagsOf, list, text } from "../../src/declare.ts";

const listed = [
  { name: "list-images", short: "List images" },
  { name: "list-workloads", aliases: ["list-controllers"], short: "List workloads" },
  { name: "sync", short: "Synchronize" },
  { name: "lock", short: "Lock" },
  { name: "unlock", short: "Unlock" },
  { name: "help", short: "Help" },
];

/** What a command line came to. */
interface Outcome {
  /** The command that ran, with the flags that were given to it and the other arguments. */
  readonly ran: readonly unknown[];
  readonly out: string;
  readonly err: string;
}

/** Runs a program in which each command has --all, --name and an old flag, beside --url and --dry of every command. */
async function run(...args: readonly string[]): Promise<Outcome> {
  const ran: unknown[] = [];
  let out = "";
  let err = "";
  const globals = {
    url: text("url", { usage: "Where", shorthand: "u" }),
    dry: bool("dry", { usage: "Try" }),
  };
  const program = new CobraProgram(
    { name: "ctl", long: "ctl does it.", version: "1.2.3", flags: flagsOf(globals) },
    { out: (written) => void (out += written), err: (written) => void (err += written) },
  );
  for (const each of listed) {
    program.addListed(each, () => {
      const own = {
        all: bool("all", { usage: "All", shorthand: "a" }),
        names: list("name", { usage: "Names" }),
        old: text("old", { usage: "", deprecated: "use --name" }),
      };
      const given = { ...globals, ...own };
      return Promise.resolve({
        use: each.name,
        flags: flagsOf(own),
        run: (positional) => {
          const set = Object.entries(given).filter(([, flag]) => flag.isSet);
          ran.push(each.name, Object.fromEntries(set.map(([key, flag]) => [key, flag.value])), positional);
          return Promise.resolve();
        },
      });
    });
  }
  await program.run(args);
  return { ran, out, err };
}

describe("CobraProgram", () => {
  for (const [args, ran] of [
    [["sync"], ["sync", {}, []]],
    [
      ["list-controllers", "-a"],
      ["list-workloads", { all: true }, []],
    ],
    [
      ["--url", "sync", "lock"],
      ["lock", { url: "sync" }, []],
    ],
    [
      ["-u", "x", "sync"],
      ["sync", { url: "x" }, []],
    ],
    [
      ["-u=x", "sync"],
      ["sync", { url: "x" }, []],
    ],
    [
      ["--url=x", "--dry", "sync", "sync"],
      ["sync", { url: "x", dry: true }, ["sync"]],
    ],
    [
      ["-a", "x", "sync"],
      ["sync", { all: true }, ["x"]],
    ],
    [
      ["sync", "--name=a", "b", "--name", "c", "--", "--all", "help"],
      ["sync", { names: ["a", "c"] }, ["b", "--all", "help"]],
    ],
    [
      ["sync", "--help=false"],
      ["sync", {}, []],
    ],
  ] as const) {
    it(`runs ${ran[0]} for "${args.join(" ")}"`, async () => {
      assert.deepEqual(await run(...args), { ran, out: "", err: "" });
    });
  }

  for (const [args, message] of [
    [["nonsense"], 'unknown command "nonsense" for "ctl"'],
    [["nonsense", "--help"], 'unknown command "nonsense" for "ctl"'],
    [["lok"], 'unknown command "lok" for "ctl"\n\nDid you mean this?\n\tlock\n'],
    [["list"], 'unknown command "list" for "ctl"\n\nDid you mean this?\n\tlist-images\n\tlist-workloads\n'],
    [["SYNC"], 'unknown command "SYNC" for "ctl"\n\nDid you mean this?\n\tsync\n'],
    [["hepl"], 'unknown command "hepl" for "ctl"'],
    [["--unknown", "sync"], "unknown flag: --unknown"],
    [["sync", "--unknown", "--help"], "unknown flag: --unknown"],
    [["sync", "--dry=x", "--unknown"], /^invalid argument "x" for "--dry" flag: /],
    [["sync", "--unknown", "--dry=x"], "unknown flag: --unknown"],
    [["--dry=x"], /^invalid argument "x" for "--dry" flag: /],
  ] as const) {
    it(`refuses "${args.join(" ")}" in cobra's words`, async () => {
      await assert.rejects(run(...args), { name: /^(Unknown)?FlagError$/, message });
    });
  }

  for (const args of [[], ["--help"], ["-h", "sync"], ["--", "sync"], ["--url=x"], [""]]) {
    it(`prints the help of the program for "${args.join(" ")}"`, async () => {
      const { ran, out, err } = await run(...args);

      assert.deepEqual([ran, err], [[], ""]);
      assert.ok(
        out.startsWith("ctl does it.\n\nUsage:\n  ctl [command]\n\nAvailable Commands:\n  help "),
        out,
      );
    });
  }

  for (const args of [
    ["sync", "--help"],
    ["sync", "extra", "-ah", "--", "--all"],
    ["--dry", "sync", "-h"],
  ]) {
    it(`prints the help of a command for "${args.join(" ")}"`, async () => {
      const { ran, out, err } = await run(...args);

      assert.deepEqual([ran, err], [[], ""]);
      assert.ok(out.startsWith("Synchronize\n\nUsage:\n  ctl sync [flags]\n\nFlags:\n  -a, --all "), out);
    });
  }

  it("warns of flags that are deprecated, and still takes them", async () => {
    assert.deepEqual(await run("sync", "--old=x", "--old=y"), {
      ran: ["sync", { old: "y" }, []],
      out: "",
      err: "Flag --old has been deprecated, use --name\n".repeat(2),
    });
  });

  it("names the command that was called, also by an alias and where it fails", async () => {
    const program = new CobraProgram(
      { name: "ctl", long: "", version: "", flags: [] },
      { out: () => undefined, err: () => undefined },
    );
    program.addListed({ name: "sync", aliases: ["s"], short: "" }, () => Promise.reject(new Error("no")));

    await assert.rejects(program.run(["s"]), { message: "no" });

    assert.equal(program.called?.name(), "sync");
  });
});

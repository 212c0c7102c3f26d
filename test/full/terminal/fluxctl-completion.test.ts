import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FakeClock, lacks, TempFolder } from "@weir/testing";
import { runFluxctl as runInProcess } from "../../../cmd/fluxctl/run.ts";
import { kubeconfigFor } from "../../support/cluster-stand-in.ts";
import { runFluxctl } from "../../support/fluxctl.ts";
import { type ApiAnswer, type ApiCall, ScriptedApi } from "../../support/scripted-api.ts";
import { TestTerminal } from "../../support/terminal.ts";

const dist = join(import.meta.dirname, "..", "..", "..", "dist");

function workload(id: string, containers: Readonly<Record<string, string>>): object {
  return {
    ID: id,
    Containers: Object.entries(containers).map(([Name, ID]) => ({ Name, Current: { ID, Labels: {} } })),
    Status: "ready",
  };
}

const workloads = [
  workload("default:deployment/app", { main: "quay.io/o/app:1.0", side: "side:2" }),
  workload("default:deployment/web", { web: "web:1" }),
  workload("prod:statefulset/db", { db: "db:1" }),
];

const images = [
  {
    ID: "default:deployment/app",
    Containers: [
      {
        Name: "main",
        Available: ["1.1", "1.0"].map((tag) => ({
          ID: `quay.io/o/app:${tag}`,
          Labels: {},
          CreatedAt: "2020-03-01T10:00:00Z",
        })),
      },
    ],
  },
];

function daemon({ line }: ApiCall): ApiAnswer | undefined {
  if (line.startsWith("GET /v6/services?namespace=")) {
    return { json: workloads };
  }
  return line.startsWith("GET /v10/images?") && line.includes("service=default%3Adeployment%2Fapp")
    ? { json: images }
    : undefined;
}

/** The lines that a shell gets for words, of which the last is being typed. */
async function completed(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  await using api = await ScriptedApi.start(daemon);
  const { stdout, stderr, exit } = await runFluxctl(["__completeNoDesc", ...words], {
    FLUX_URL: api.url,
    ...env,
  });
  assert.deepEqual([exit, stderr], [0, ""]);
  return stdout.split("\n").slice(0, -1);
}

describe("fluxctl __complete", () => {
  for (const [words, lines] of [
    [["list-w"], ["list-workloads", ":4"]],
    [
      ["help", "list-w"],
      ["list-workloads", ":4"],
    ],
    [
      ["--timeout", "5s", "list-im"],
      ["list-images", ":4"],
    ],
    [
      ["policy", "--tag"],
      ["--tag-all", "--tag", ":4"],
    ],
    [["nonsense", ""], [":4"]],
    [["sync", ""], [":4"]],
    [
      ["completion", ""],
      ["bash", "fish", "powershell", "zsh", ":4"],
    ],
    [
      ["lock", "-w", ""],
      ["default:deployment/app", "default:deployment/web", "prod:statefulset/db", ":4"],
    ],
    [
      ["lock", "--workload=prod:"],
      ["prod:statefulset/db", ":4"],
    ],
    [
      ["lock", "-vw", "prod"],
      ["prod:statefulset/db", ":4"],
    ],
    [
      ["lock", "-w", "dep"],
      ["deployment/app", "deployment/web", ":4"],
    ],
    [
      ["lock", "-n", "prod", "-w", ""],
      ["statefulset/db", ":4"],
    ],
    [
      ["release", "--workload=default:deployment/app,prod"],
      ["default:deployment/app,prod:statefulset/db", ":4"],
    ],
    [
      ["list-workloads", "-n", ""],
      ["default", "prod", ":4"],
    ],
    [
      ["list-workloads", "-c", ""],
      ["main", "side", "web", "db", ":4"],
    ],
    [
      ["release", "-i", "q"],
      ["quay.io/o/app:", ":6"],
    ],
    [
      ["release", "-i", "quay.io/o/app:1.1"],
      ["quay.io/o/app:1.1", ":4"],
    ],
    [["release", "-i", "unknown:"], [":4"]],
    [
      ["policy", "-w", "deployment/app", "--tag", ""],
      ["main=", "side=", ":6"],
    ],
    [
      ["policy", "--tag", "main=s"],
      ["main=semver:", ":6"],
    ],
    [
      ["policy", "--tag-all", ""],
      ["glob:", "semver:", "regexp:", ":6"],
    ],
    [
      ["list-images", "-o", ""],
      ["tab", "json", "yaml", "wide", "name", "jsonpath=", ":4"],
    ],
    [
      ["list-images", "-o", "jsonp"],
      ["jsonpath=", ":6"],
    ],
    [
      ["diff", "-o", ""],
      ["diff", "short", "markdown", "json", "yaml", "name", "jsonpath=", ":4"],
    ],
    [["save", "--out", ""], [":0"]],
    [["lock", "-m", ""], [":4"]],
    [["lock", "--", "-"], [":4"]],
  ] as const) {
    it(`answers "${words.join(" ")}" with ${lines.slice(0, -1).join(" ") || "nothing"}`, async () => {
      assert.deepEqual(await completed(words), lines);
    });
  }

  it("names the contexts of the kubeconfig", async () => {
    using folder = new TempFolder();
    const KUBECONFIG = folder.write("config", kubeconfigFor("http://127.0.0.1:1"));

    assert.deepEqual(await completed(["--context", ""], { KUBECONFIG }), ["current", "other", ":4"]);
  });

  it("tells what a candidate is where it is asked for that, too", async () => {
    await using api = await ScriptedApi.start(daemon);
    const { stdout } = await runFluxctl(["__complete", "release", "-i", "quay.io/o/app:1.1"], {
      FLUX_URL: api.url,
    });

    assert.equal(stdout, "quay.io/o/app:1.1\t2020-03-01T10:00:00Z\n:4\n");
  });

  it("is silent where there is no daemon", async () => {
    const { exit, stdout, stderr } = await runFluxctl(["__complete", "lock", "-w", ""], {
      KUBECONFIG: "/nonexistent",
      FLUX_TIMEOUT: "soon",
    });

    assert.deepEqual([exit, stdout, stderr], [0, ":4\n", ""]);
  });

  it("waits no longer than a person who pressed Tab for a daemon that does not answer", async () => {
    await using api = await ScriptedApi.silent();
    const clock = new FakeClock();
    let stdout = "";

    const exit = runInProcess(["__complete", "lock", "-w", ""], {
      out: (text) => (stdout += text),
      err: (text) => assert.fail(text),
      env: { FLUX_URL: api.url },
      clock,
    });
    await clock.sleeping(1_500);
    await clock.advance(1_500);

    assert.deepEqual([await exit, stdout], [0, ":4\n"]);
  });
});

/** Shells, how they begin without anybody's settings, and how they learn the completion and forget fluxctl's place. */
const shells = [
  ["bash", ["bash", "--norc", "--noprofile"], "source <(fluxctl completion bash)", "PATH=/usr/bin:/bin"],
  [
    "zsh",
    ["zsh", "-f"],
    "autoload -Uz compinit; compinit -u; source <(fluxctl completion zsh)",
    "PATH=/usr/bin:/bin",
  ],
  [
    "fish",
    ["fish", "--no-config", "-C", "function fish_prompt; echo -n 'ready>'; end"],
    "fluxctl completion fish | source",
    "set PATH /usr/bin /bin; true",
  ],
] as const;

describe("Tab", () => {
  for (const [name, shell, setUp, leavePath] of shells) {
    const skip = lacks("tmux") || (name === "bash" ? false : lacks(name));
    it(`completes for a fluxctl that isn't on PATH, however it is called, in ${name}`, { skip }, async () => {
      await using api = await ScriptedApi.start(daemon);
      await using terminal = await TestTerminal.start({ shell, env: { FLUX_URL: api.url } });
      mkdirSync(join(terminal.home, "w"));
      symlinkSync(join(dist, "fluxctl"), join(terminal.home, "w", "fluxctl"));
      for (const command of [setUp, leavePath, "cd; true"]) {
        await terminal.enter(command);
        await terminal.finished();
      }

      for (const program of ["~/w/fluxctl", "w/fluxctl", "./w/fluxctl"]) {
        await terminal.type(`${program} lock -w prod`);
        await terminal.shows(`>${program} lock -w prod`);
        await terminal.press("Tab");
        await terminal.shows(`>${program} lock -w prod:statefulset/db`);
        await terminal.press("C-u");
        await terminal.shows(/ready>$/);
      }
    });

    it(`completes words, flags and the names that live in the cluster in ${name}`, { skip }, async () => {
      await using api = await ScriptedApi.start(daemon);
      await using terminal = await TestTerminal.start({ shell, env: { FLUX_URL: api.url } });
      await terminal.enter(setUp);
      await terminal.finished();

      for (const [typed, whole] of [
        ["fluxctl list-w", "fluxctl list-workloads "],
        ["fluxctl lock --mes", "fluxctl lock --message "],
        ["fluxctl lock -w prod", "fluxctl lock -w prod:statefulset/db "],
        ["fluxctl lock -w default:deployment/a", "fluxctl lock -w default:deployment/app "],
        ["fluxctl lock --workload=default:deployment/w", "fluxctl lock --workload=default:deployment/web "],
        ["fluxctl list-images -n p", "fluxctl list-images -n prod "],
        ["fluxctl release -i quay.io/o/app:1.1", "fluxctl release -i quay.io/o/app:1.1 "],
        ["fluxctl policy -w deployment/web --tag w", "fluxctl policy -w deployment/web --tag web="],
        ["fluxctl policy --tag web=s", "fluxctl policy --tag web=semver:"],
      ] as const) {
        await terminal.type(typed);
        await terminal.shows(`>${typed}`);
        await terminal.press("Tab");
        await terminal.shows(`>${whole.trimEnd()}`);
        // Shows where the cursor is.
        await terminal.type("X");
        await terminal.shows(`>${whole}X`);
        await terminal.press("C-u");
        await terminal.shows(/ready>$/);
      }
    });
  }

  it("says that there is no script for another shell", async () => {
    const several = await runFluxctl(["completion", "bash", "zsh"]);

    assert.equal(several.exit, 1);
    assert.match(
      several.stderr,
      /^Error: please specify one of the following shells: bash fish powershell zsh\n/,
    );
  });

  it("has a script for PowerShell", async () => {
    const { exit, stdout } = await runFluxctl(["completion", "powershell"]);

    assert.equal(exit, 0);
    assert.match(stdout, /^Register-ArgumentCompleter -Native -CommandName fluxctl /m);
  });
});

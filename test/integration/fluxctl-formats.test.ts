import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { commands } from "../../cmd/fluxctl/commands/table.ts";
import { askBefore, callBefore, callFluxctl } from "../support/fluxctl.ts";
import type { ApiAnswer, ApiCall } from "../support/scripted-api.ts";

const revision = "0123456789abcdef0123456789abcdef01234567";

/** A daemon with something for each list. */
function answers({ line }: ApiCall): ApiAnswer | undefined {
  const containers = [
    { Name: "main", Current: { ID: "web:1" }, Available: [{ ID: "web:2" }, { ID: "web:1" }] },
  ];
  const workload = { ID: "demo:deployment/web", Containers: containers, Status: "ready", Rollout: {} };
  const resource = { id: workload.ID, sync: "Synced", health: "Healthy", message: "", children: [] };
  const event = { id: 7, type: "sync", serviceIDs: [], startedAt: "2026-01-01T00:00:00Z", logLevel: "info" };
  switch (line.replace(/\?.*/, "")) {
    case "GET /v6/services":
      return { json: [workload, { ...workload, ID: "demo:deployment/app" }] };
    case "GET /v6/images":
    case "GET /v10/images":
      return { json: [workload] };
    case "GET /v12/tree":
      return { json: { revision, resources: [resource] } };
    case "GET /v12/events":
      return { json: [{ ...event, endedAt: event.startedAt, message: "Sync" }] };
    case "GET /v12/confirmations":
      return { json: { revision, unconfirmed: ["demo:configmap/a"], heldBack: [], limit: "", deletions: 0 } };
    default:
      return undefined;
  }
}

describe("-o jsonpath", () => {
  for (const [args, template, printed] of [
    [
      ["list-workloads"],
      '{range [*]}{.ID}={.Status}{"\\n"}{end}',
      "demo:deployment/app=ready\ndemo:deployment/web=ready\n",
    ],
    [["list-images"], "{[*].Containers[*].Available[0].ID}", "web:2"],
    [["tree", "-A"], '{.resources[?(@.sync=="Synced")].id}', "demo:deployment/web"],
  ] as const) {
    it(`prints for ${args.join(" ")} what the template says, also into a pipe`, async () => {
      const result = await callBefore(answers, [...args, "-o", `jsonpath=${template}`]);

      assert.deepEqual(result, { exit: 0, stdout: printed, stderr: "" });
    });
  }

  it("prints nothing for an empty list", async () => {
    const template = "{range [*]}{.ID}{end}";

    const result = await callBefore(() => ({ json: null }), ["list-workloads", `-ojsonpath=${template}`]);

    assert.deepEqual(result, { exit: 0, stdout: "", stderr: "" });
  });

  for (const { name: command, load } of commands) {
    it(`is known to ${command}, if it prints in formats for scripts`, async () => {
      const { flags } = await load();
      const format = flags.find(({ declaration }) => declaration.shorthand === "o")?.declaration.values ?? [];

      assert.equal(format.includes("jsonpath="), format.includes("name"));
    });
  }

  for (const command of [
    "list-workloads",
    "list-images",
    "tree",
    "events",
    "check",
    "confirm",
    "diff",
    "takeover",
  ]) {
    it(`is checked by ${command} before it connects`, async () => {
      const result = await callFluxctl([command, "-o", "jsonpath={.a"], { KUBECONFIG: "/nonexistent" });

      const stderr =
        "Error: jsonpath template, character 1: the brace is not closed; add }\n" +
        `Run 'fluxctl ${command} --help' for usage.\n`;
      assert.deepEqual([result.stdout, result.stderr], ["", stderr]);
      assert.notEqual(result.exit, 0);
    });
  }
});

describe("-A", () => {
  for (const { name, load } of commands) {
    it(`stands for --all-namespaces in ${name}, if it has that`, async () => {
      const { flags } = await load();

      const found = flags.find(({ declaration }) => declaration.name === "all-namespaces");
      const shadowed = flags.filter(({ declaration }) => declaration.shorthand === "A");

      const { shorthand, otherShorthand } = found?.declaration ?? {};
      assert.deepEqual(
        [shorthand, otherShorthand],
        found === undefined ? [undefined, undefined] : ["a", "A"],
      );
      assert.deepEqual(shadowed, []);
    });
  }

  it("asks for all namespaces", async () => {
    const { exit, lines } = await askBefore(answers, ["list-workloads", "-A", "-n", "demo"]);

    assert.deepEqual([exit, lines], [0, ["GET /v6/services?namespace="]]);
  });
});

describe("fluxctl --version", () => {
  it("prints what fluxctl version prints", async () => {
    const version = await callFluxctl(["version"]);

    assert.deepEqual(await callFluxctl(["--version"]), version);
    assert.deepEqual(await callFluxctl(["--version", "--timeout=1s"]), version);
    assert.equal(version.exit, 0);
  });

  it("gives way to --help, and is no flag of a command", async () => {
    const help = await callFluxctl(["--version", "--help"]);
    const command = await callFluxctl(["version", "--version"]);

    assert.match(help.stdout, /^fluxctl helps you deploy your code\./);
    assert.equal(command.stderr, "Error: unknown flag: --version\nRun 'fluxctl version --help' for usage.\n");
  });
});

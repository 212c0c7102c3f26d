import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { daemonLimits } from "@weir/base";
import { answerForever, serve, TempFolder } from "@weir/testing";
import { starter } from "../../scripts/build/launcher.ts";
import { ownImageRepository } from "../../src/own-image/own-image.ts";
import { kubeconfigFor, startClusterStandIn } from "../support/cluster-stand-in.ts";
import { askBefore, callBefore, callFluxctl, type FluxctlResult } from "../support/fluxctl.ts";
import { readTable } from "../support/parity.ts";
import { type ApiAnswer, type ApiCall, ScriptedApi } from "../support/scripted-api.ts";

interface Recorded extends FluxctlResult {
  readonly args: readonly string[];
}

interface Listing extends Recorded {
  readonly answer: unknown;
}

interface Export extends FluxctlResult {
  readonly export: string;
}

const revision = "0123456789abcdef0123456789abcdef01234567";
const readyConfig = {
  remote: { url: "ssh://git@example.test/org/repo", branch: "main", path: "" },
  publicSSHKey: {
    key: "ssh-rsa AAAA flux\n",
    fingerprints: {
      md5: { hash: "aa:bb", randomart: "+---+\n| . |\n+---+\n" },
      sha256: { hash: "x", randomart: "y" },
    },
  },
  status: "ready",
  errors: "",
};

/** A workload as the API lists it. */
function workload(id: string, ...images: readonly string[]): object {
  return {
    ID: id,
    Containers: images.map((image, index) => ({ Name: `c${index}`, Current: { ID: image, Labels: {} } })),
    Status: "ready",
    Rollout: {},
    Policies: { automated: "true" },
    Automated: true,
  };
}

/** Answers every job with the same status, and the rest with `others`. */
function jobs(status: object, others: (call: ApiCall) => ApiAnswer | undefined = () => undefined) {
  return (call: ApiCall): ApiAnswer | undefined => {
    switch (call.line) {
      case "POST /v9/update-manifests":
        return { json: "job-1" };
      case "GET /v6/jobs?id=job-1":
        return { json: status };
      case "POST /v9/git-repo-config":
        return others(call) ?? { json: readyConfig };
      default:
        return others(call);
    }
  };
}

function succeeded(result: object): object {
  return { Result: result, Err: "", StatusString: "succeeded" };
}

/** Answers every call with JSON's null. */
function nothing(): ApiAnswer {
  return { json: null };
}

/** Has git know Jo Test as the author, until it's disposed of. */
function knownToGit(): Disposable {
  const home = new TempFolder();
  const config = "[user]\n\tname = Jo Test\n\temail = jo@example.test\n";
  process.env["GIT_CONFIG_GLOBAL"] = home.write(".gitconfig", config);
  return {
    [Symbol.dispose]() {
      delete process.env["GIT_CONFIG_GLOBAL"];
      home[Symbol.dispose]();
    },
  };
}

const changed = { "default:deployment/app": { Status: "success", PerContainer: null } };

describe("fluxctl with a wrong command line", () => {
  const skipped = { "default:deployment/a": { Status: "skipped", PerContainer: null } };

  for (const { args, ...recorded } of readTable("fluxctl/usage-errors.jsonl") as readonly Recorded[]) {
    it(`answers "fluxctl ${args.join(" ")}" as Flux v1 does`, async () => {
      const result = await callBefore(jobs(succeeded({ result: skipped })), args);

      assert.deepEqual(result, { ...recorded, stderr: withoutDeprecation(recorded.stderr) });
    });
  }

  it("doesn't say at an install that Flux v1 is deprecated", async () => {
    const { exit, stdout, stderr } = await callFluxctl([
      "install",
      "--git-url=git@example.test:org/repo",
      "--git-email=flux@example.test",
    ]);

    assert.deepEqual([exit, stderr], [0, ""]);
    assert.doesNotMatch(stdout, /deprecated|fluxcd\/flux\b/);
  });

  for (const [what, args, stderr] of [
    [
      "a wish and its opposite before a bad name",
      ["policy", "-w", "bad id", "--lock", "--unlock", "--tag=x"],
      "Error: lock and unlock both specified\n",
    ],
    [
      "a bad name before a bad tag",
      ["policy", "-w", "bad id", "--tag=x"],
      "Error: parsing bad id: invalid service ID\n",
    ],
    [
      "an old flag before an unknown one behind it",
      ["list-images", "--controller=a", "--nonsense"],
      "Flag --controller has been deprecated, changed to --workload, use that instead\nError: unknown flag: --nonsense\n",
    ],
  ] as const) {
    it(`tells of ${what}, as Flux v1`, async () => {
      const result = await callFluxctl(args);

      assert.deepEqual(result, {
        exit: 1,
        stdout: "",
        stderr: `${stderr}Run 'fluxctl ${args[0]} --help' for usage.\n`,
      });
    });
  }

  it("says so before it connects", async () => {
    const { exit, stderr } = await callFluxctl(["sync", "extra"], { KUBECONFIG: "/nonexistent" });

    assert.deepEqual(
      [exit, stderr],
      [1, "Error: expected no (non-flag) arguments\nRun 'fluxctl sync --help' for usage.\n"],
    );
  });

  it("suggests what was meant", async () => {
    assert.deepEqual(await callFluxctl(["list"]), {
      exit: 1,
      stdout: "",
      stderr:
        'Error: unknown command "list" for "fluxctl"\n\nDid you mean this?\n\tlist-images\n\tlist-workloads\n\nRun \'fluxctl --help\' for usage.\n',
    });
  });
});

describe("fluxctl list-workloads", () => {
  const table = readTable("fluxctl/list-workloads.jsonl") as readonly Recorded[];
  const listed = table.find(({ args }) => args.includes("json"))?.stdout ?? "null";

  for (const { args, ...recorded } of table) {
    it(`prints for "${args.join(" ")}" what Flux v1 prints`, async () => {
      assert.deepEqual(await callBefore(() => ({ json: JSON.parse(listed) as unknown }), args), recorded);
    });
  }

  for (const [args, line] of [
    [["-a"], "GET /v6/services?namespace="],
    [["-n", "mine"], "GET /v6/services?namespace=mine"],
    [[], "GET /v6/services?namespace=here"],
    [["--context=other"], "GET /v6/services?namespace=there"],
    [["--context=none"], "GET /v6/services?namespace=default"],
    [["-n", "mine", "-a"], "GET /v6/services?namespace="],
  ] as const) {
    it(`asks with ${args.join(" ") || "no flag"} for the namespace that is meant`, async () => {
      using folder = new TempFolder();
      const KUBECONFIG = folder.write("config", kubeconfigFor("http://127.0.0.1:1"));

      const { stdout, lines } = await askBefore(nothing, ["list-workloads", ...args], {
        env: { KUBECONFIG },
      });

      assert.deepEqual([stdout, lines], ["WORKLOAD  CONTAINER  IMAGE  RELEASE  POLICY\n", [line]]);
    });
  }

  it("takes the namespace default without a kubeconfig, or with one that makes no sense", async () => {
    using folder = new TempFolder();

    for (const env of [{}, { KUBECONFIG: folder.write("config", "{") }]) {
      const { lines } = await askBefore(nothing, ["list-workloads"], { env });

      assert.deepEqual(lines, ["GET /v6/services?namespace=default"]);
    }
  });

  it("sorts thousands of workloads, and prints null for none as JSON", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => workload(`ns:deployment/app-${index}`, "app:1"));

    const { stdout } = await callBefore(() => ({ json: many }), ["list-workloads", "-a", "--no-headers"]);
    const none = await callBefore(nothing, ["list-workloads", "-o", "json"]);

    const ids = stdout.split("\n").map((line) => line.split(" ")[0]);
    assert.deepEqual(ids.slice(0, 3), ["ns:deployment/app-0", "ns:deployment/app-1", "ns:deployment/app-10"]);
    assert.equal(ids.length, 3001);
    assert.equal(none.stdout, "null\n");
  });

  it("ends quietly where nobody reads on", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => workload(`ns:deployment/app-${index}`, "app:1"));
    await using api = await ScriptedApi.start(() => ({ json: many }));
    const script = 'dist/fluxctl --url="$0" list-workloads -a | head -1';
    const cwd = join(import.meta.dirname, "..", "..");

    const { stdout, stderr } = await promisify(execFile)("sh", ["-c", script, api.url], { cwd });

    assert.match(stdout, /^WORKLOAD .*\n$/);
    assert.equal(stderr, "");
  });
});

describe("fluxctl list-images", () => {
  for (const { args, answer, ...recorded } of readTable("fluxctl/list-images.jsonl") as readonly Listing[]) {
    it(`prints for "${args.join(" ")}" what Flux v1 prints`, async () => {
      assert.deepEqual(await callBefore(() => ({ json: answer }), args), recorded);
    });
  }

  for (const [args, line] of [
    [["-n", "mine"], "namespace=mine&service=%3Call%3E"],
    [[], "namespace=default&service=%3Call%3E"],
    [["-w", "deployment/app"], "namespace=&service=default%3Adeployment%2Fapp"],
    [["-c", "other:Deployment/app", "-n", "mine"], "namespace=&service=other%3Adeployment%2Fapp"],
  ] as const) {
    it(`asks with ${args.join(" ") || "no flag"} for what is meant`, async () => {
      const { lines } = await askBefore(nothing, ["list-images", ...args]);

      assert.deepEqual(lines, [`GET /v10/images?containerFields=&${line}`]);
    });
  }

  it("refuses a negative limit for JSON, and prints null for no workload", async () => {
    const negative = await callBefore(nothing, ["list-images", "-o", "json", "-l", "-1"]);
    const none = await callBefore(nothing, ["list-images", "-o", "json"]);

    assert.match(negative.stderr, /^Error: opts\.limit cannot be less than 0\n/);
    assert.equal(none.stdout, "null\n");
  });
});

describe("fluxctl sync", () => {
  it("has the head synced, and waits until it is applied", async () => {
    let looks = 0;
    const script = jobs(succeeded({ revision }), ({ line }) => {
      looks += line === "GET /v6/sync?ref=0123456" ? 1 : 0;
      return line.startsWith("GET /v6/sync") ? { json: looks < 3 ? [revision] : [] } : undefined;
    });

    const { calls, result } = await askBefore(script, ["sync"]);

    assert.deepEqual(result, {
      exit: 0,
      stdout: "",
      stderr: `Synchronizing with ssh://git@example.test/org/repo
Revision of main to apply is 0123456
Waiting for 0123456 to be applied ...
Done.
`,
    });
    assert.deepEqual(
      calls.slice(0, 3).map(({ line, body }) => [line, body]),
      [
        ["POST /v9/git-repo-config", false],
        ["POST /v9/update-manifests", { type: "sync", cause: { Message: "", User: "" }, spec: {} }],
        ["GET /v6/jobs?id=job-1", undefined],
      ],
    );
  });

  for (const [status, errors, message] of [
    ["unconfigured", "", "no git repository is configured"],
    [
      "unreachable",
      "no route",
      "can not connect to git repository with URL ssh://git@example.test/org/repo\n\nFull error message: no route",
    ],
    ["new", "", "git repository ssh://git@example.test/org/repo is not ready to sync"],
    [
      "cloned",
      "not writable",
      "git repository ssh://git@example.test/org/repo is not ready to sync\n\nFull error message: not writable",
    ],
  ] as const) {
    it(`says what is wrong with a repository that is ${status}`, async () => {
      const json = { ...readyConfig, status, errors };

      assert.deepEqual(await callBefore(() => ({ json }), ["sync"]), {
        exit: 1,
        stdout: "",
        stderr: `Error: ${message}\nRun 'fluxctl sync --help' for usage.\n`,
      });
    });
  }

  it("tells of a job that failed", async () => {
    const failed = { Result: {}, Err: "git push: rejected", StatusString: "failed" };

    const { exit, stderr } = await callBefore(jobs(failed), ["sync"]);

    assert.equal(exit, 1);
    assert.equal(
      stderr,
      `Synchronizing with ssh://git@example.test/org/repo
Failed to complete sync job (ID "job-1")
Error: git push: rejected
Run 'fluxctl sync --help' for usage.
`,
    );
  });

  it("goes on to the last commit that is signed well, and warns", async () => {
    const text =
      "The branch HEAD in the git repo is not verified, and fluxd is unable to sync to it. The last verified commit was 01234567. HEAD is 89abcdef.";
    const failed = { Result: { revision }, Err: text, StatusString: "failed" };
    const script = jobs(failed, ({ line }) => (line.startsWith("GET /v6/sync") ? { json: [] } : undefined));

    const { exit, stderr } = await callBefore(script, ["sync"]);

    assert.equal(exit, 0);
    assert.match(
      stderr,
      /\nWarning: The branch HEAD in the git repo is not verified.*\nRevision of main to apply is 0123456\n/,
    );
  });

  for (const [what, status] of [
    ["the job", { Result: {}, Err: "", StatusString: "queued" }],
    ["the sync", succeeded({ revision })],
  ] as const) {
    it(`gives up when ${what} takes longer than --timeout, in Flux v1's words`, async () => {
      const script = jobs(status, ({ line }) =>
        line.startsWith("GET /v6/sync") ? { json: [revision] } : undefined,
      );

      const { exit, stderr } = await callBefore(script, ["sync", "--timeout=200ms"]);

      assert.equal(exit, 1);
      assert.equal(
        stderr.slice(stderr.indexOf("Error:")),
        "Error: timeout\nRun 'fluxctl sync --help' for usage.\n",
      );
    });
  }
});

describe("fluxctl's commands for policies", () => {
  /** What was asked for, and what was printed. */
  async function change(args: readonly string[], status = succeeded({ revision, result: changed })) {
    const { calls, result } = await askBefore(jobs(status), args);
    return { ...result, asked: calls.find(({ line }) => line === "POST /v9/update-manifests")?.body };
  }

  function spec(id: string, add: object, remove: object, cause = { Message: "", User: "" }): object {
    return { type: "policy", cause, spec: { [id]: { add, remove } } };
  }

  const id = "default:deployment/app";

  for (const [args, asked] of [
    [["automate", "-w", "deployment/app"], spec(id, { automated: "true" }, {})],
    [["deautomate", "--workload=default:Deployment/app"], spec(id, {}, { automated: "true" })],
    [
      ["unlock", "-w", "deployment/app", "-n", "ns"],
      spec("ns:deployment/app", {}, { locked: "true", locked_msg: "true", locked_user: "true" }),
    ],
    [
      ["lock", "-w", "deployment/app", "-m", "why"],
      spec(id, { locked: "true" }, {}, { Message: "why", User: "" }),
    ],
    [
      ["lock", "-w", "deployment/app", "--user", "Ann <a@b>"],
      spec(
        id,
        { locked: "true", locked_user: "Ann <a@b>", locked_msg: "" },
        {},
        { Message: "", User: "Ann <a@b>" },
      ),
    ],
    [
      ["policy", "-w", "deployment/app", "--tag=c=1.*,d=*", "--tag-all=semver:~1", "--automate", "--unlock"],
      spec(
        id,
        { automated: "true", tag_all: "semver:~1", "tag.c": "glob:1.*" },
        { locked: "true", locked_msg: "true", locked_user: "true", "tag.d": "true" },
      ),
    ],
    [["policy", "-w", "deployment/app"], spec(id, {}, {})],
  ] as const) {
    it(`ask with "${args.join(" ")}" for what is meant`, async () => {
      assert.deepEqual(await change(args), {
        asked,
        exit: 0,
        stdout: "WORKLOAD                STATUS   UPDATES\ndefault:deployment/app  success  \n",
        stderr: "Commit pushed:\t0123456\n",
      });
    });
  }

  it("use the author in git's configuration as the user", async () => {
    using _author = knownToGit();

    const { asked } = await change(["lock", "-w", "deployment/app"]);
    const { stdout } = await callFluxctl(["lock", "--help"]);

    assert.deepEqual(
      asked,
      spec(
        id,
        { locked: "true", locked_user: "Jo Test <jo@example.test>", locked_msg: "" },
        {},
        { Message: "", User: "Jo Test <jo@example.test>" },
      ),
    );
    assert.match(stdout, /the update \(default "Jo Test <jo@example\.test>"\)\n/);
  });

  it("take the old name of --workload with a warning, and of lock the last one given", async () => {
    const { asked, stderr } = await change(["lock", "-w", "deployment/a", "-c", "deployment/app"]);

    assert.deepEqual(asked, spec(id, { locked: "true" }, {}));
    assert.equal(
      stderr,
      "Flag --controller has been deprecated, changed to --workload, use that instead\nCommit pushed:\t0123456\n",
    );
  });

  it("show what was skipped only with -v", async () => {
    const skipped = succeeded({
      result: { [id]: { Status: "skipped", Error: "already so", PerContainer: null } },
    });

    const quiet = await change(["automate", "-w", "deployment/app"], skipped);
    const verbose = await change(["automate", "-w", "deployment/app", "-v"], skipped);

    assert.deepEqual([quiet.exit, quiet.stdout, quiet.stderr], [0, "WORKLOAD   STATUS   UPDATES\n", ""]);
    assert.match(verbose.stdout, /\ndefault:deployment\/app {2}skipped {2}already so\n$/);
  });

  it("say that there was nothing to do without a result", async () => {
    const { exit, stdout, stderr } = await change(["automate", "-w", "deployment/app"], succeeded({}));

    assert.deepEqual([exit, stdout, stderr], [0, "", "Nothing to do\n"]);
  });

  it("fail with what the daemon says of the job", async () => {
    const failed = {
      Result: {},
      Err: "resource default:configmap/conf does not have containers",
      StatusString: "failed",
    };

    const { exit, stderr } = await change(["lock", "-w", "configmap/conf"], failed);

    assert.deepEqual(
      [exit, stderr],
      [
        1,
        "Error: resource default:configmap/conf does not have containers\nRun 'fluxctl lock --help' for usage.\n",
      ],
    );
  });

  it("say that the outcome is unknown when --timeout is over", async () => {
    const running = { Result: {}, Err: "", StatusString: "running" };

    const { exit, stderr } = await change(["unlock", "-w", "deployment/app", "--timeout", "100ms"], running);

    assert.equal(exit, 1);
    assert.match(stderr, /^\nWe timed out waiting for the result of the operation\. [^]*\nError: timeout\n/);
  });
});

describe("fluxctl identity", () => {
  for (const [args, stdout, regenerate] of [
    [[], "ssh-rsa AAAA flux\n", false],
    [["-r"], "ssh-rsa AAAA flux\n", true],
    [["-l"], "aa:bb\n", false],
    [["-v"], "aa:bb\n+---+\n| . |\n+---+\n", false],
  ] as const) {
    it(`prints with ${args.join(" ") || "no flag"} what is asked for`, async () => {
      const asked = await askBefore(() => ({ json: readyConfig }), ["identity", ...args]);

      assert.deepEqual([asked.stdout, asked.stderr, asked.exit], [stdout, "", 0]);
      assert.deepEqual(asked.calls[0]?.body, regenerate);
    });
  }

  it("prints what there is without a key", async () => {
    const json = { ...readyConfig, publicSSHKey: { key: "", fingerprints: null } };

    const key = await callBefore(() => ({ json }), ["identity"]);
    const fingerprint = await callBefore(() => ({ json }), ["identity", "-l"]);

    assert.deepEqual([key.stdout, fingerprint.stdout], ["", "\n"]);
  });
});

describe("fluxctl save", () => {
  const yaml = `apiVersion: v1
kind: Namespace
metadata: {name: demo, uid: "1"}
spec: {finalizers: [kubernetes]}
status: {phase: Active}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app
  namespace: demo
  resourceVersion: "7"
  labels: {app: app}
  annotations: {deployment.kubernetes.io/revision: "1", note: kept}
spec:
  strategy: {}
  replicas: 2
  template:
    metadata: {creationTimestamp: null, labels: {app: app}}
    spec: {containers: [{name: c, image: "app:1", resources: {}, args: []}], volumes: null}
status: {replicas: 2}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: demo}
spec: {schedule: "0 0 * * *"}
`;
  const deployment = `---
apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    note: kept
  labels:
    app: app
  name: app
  namespace: demo
spec:
  replicas: 2
  template:
    metadata:
      labels:
        app: app
    spec:
      containers:
      - image: app:1
        name: c
`;

  function save(text: string, ...args: readonly string[]): Promise<FluxctlResult> {
    return callBefore(() => ({ json: Buffer.from(text).toString("base64") }), ["save", ...args]);
  }

  it("prints what belongs into version control", async () => {
    const { exit, stdout, stderr } = await save(yaml);

    assert.deepEqual([exit, stderr], [0, ""]);
    assert.equal(
      stdout,
      `---
apiVersion: v1
kind: Namespace
metadata:
  name: demo
spec:
  finalizers:
  - kubernetes
${deployment}---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
  namespace: demo
spec:
  schedule: 0 0 * * *
`,
    );
  });

  for (const { export: exported, ...recorded } of readTable("fluxctl/save.jsonl") as readonly Export[]) {
    it(`prints ${JSON.stringify(exported.slice(0, 40))}… as Flux v1 does`, async () => {
      assert.deepEqual(await save(exported), recorded);
    });
  }

  it("writes each object to a file in the folder of its namespace", async () => {
    using folder = new TempFolder();

    const { exit, stdout } = await save(yaml, "--out", folder.path);

    assert.equal(exit, 0);
    assert.equal(
      stdout,
      `Saving Namespace 'demo' to ${folder.path}/demo-ns.yaml
Saving Deployment 'app' to ${folder.path}/demo/app-dep.yaml
Saving CronJob 'nightly' to ${folder.path}/demo/nightly-CronJob.yaml
`,
    );
    assert.equal(readFileSync(join(folder.path, "demo", "app-dep.yaml"), "utf8"), deployment);
  });

  it("refuses a folder that is not there, or is none", async () => {
    using folder = new TempFolder();
    const file = folder.write("file", "");

    const missing = await save(yaml, "-o", join(folder.path, "none"));
    const none = await save(yaml, "-o", file);

    assert.match(missing.stderr, new RegExp(`^Error: stat ${folder.path}/none: no such file or directory\n`));
    assert.match(none.stderr, new RegExp(`^Error: path ${file} is not a directory\n`));
  });

  for (const [what, text] of [
    ["a name", "kind: Deployment\nmetadata: {name: ../../evil, namespace: demo}\n"],
    ["a namespace", "kind: Deployment\nmetadata: {name: app, namespace: ..}\n"],
    ["a kind", "kind: ../../evil\nmetadata: {name: app, namespace: demo}\n"],
  ] as const) {
    it(`writes nothing outside of the folder, whatever ${what} says`, async () => {
      using folder = new TempFolder();
      mkdirSync(join(folder.path, "out"));

      const { exit, stderr } = await save(text, "-o", join(folder.path, "out"));

      assert.equal(exit, 1);
      assert.match(stderr, /^Error: part of the name of an exported object cannot be used in a file name: /);
    });
  }

  it("says what is wrong with an export that cannot be read", async () => {
    const first = await save("kind: [");
    const second = await save("- a\n");

    assert.deepEqual([first.exit, second.exit], [1, 1]);
    assert.match(first.stderr, /^Error: yaml: .+\n/);
    assert.match(second.stderr, /^Error: the document on line 1 should be a mapping\n/);
  });
});

describe("fluxctl where an answer does not end", () => {
  for (const [what, status, cap] of [
    ["a list", 200, daemonLimits.success],
    ["an error", 502, daemonLimits.refusal],
  ] as const) {
    it(`gives up reading ${what}, and says so`, async () => {
      let sent: Promise<number> | undefined;
      await using web = await serve((_request, response) => {
        sent = answerForever(response, status);
      });

      const { exit, stdout, stderr } = await callFluxctl(["list-workloads", `--url=${web.url}/api/flux`]);

      assert.deepEqual({ exit, stdout }, { exit: 1, stdout: "" });
      assert.match(
        stderr,
        new RegExp(`^Error: .*: ${status} .*: the response is larger than ${cap} bytes\n`),
      );
      assert.ok(((await sent) ?? 0) < cap + 64 * daemonLimits.refusal);
    });
  }
});

describe("fluxctl where the API refuses", () => {
  for (const [what, answer, stderr] of [
    [
      "with help",
      { status: 422, json: { type: "user", help: "Mend your files.\n", error: "bad file" } },
      "== Error ==\n\nMend your files.\n\n",
    ],
    [
      "with JSON that is no such error",
      { status: 404, json: { message: "no" } },
      `Error: executing HTTP request: 404 Not Found {"message":"no"}\nRun 'fluxctl list-workloads --help' for usage.\n`,
    ],
    [
      "with a text",
      { status: 502, text: "bad gateway" },
      "Error: executing HTTP request: 502 Bad Gateway bad gateway\nRun 'fluxctl list-workloads --help' for usage.\n",
    ],
  ] as const satisfies readonly (readonly [string, ApiAnswer, string])[]) {
    it(`tells of a refusal ${what}`, async () => {
      assert.deepEqual(await callBefore(() => answer, ["list-workloads"]), {
        exit: 1,
        stdout: "",
        stderr,
      });
    });
  }

  it("says that a token is missing or wrong, and sends the one it has", async () => {
    await using api = await ScriptedApi.start(() => ({ status: 401, text: "" }));

    const { exit, stderr } = await callFluxctl(["-u", api.url, "-t", "s3cret", "sync"]);

    assert.equal(exit, 1);
    assert.match(stderr, /^== Error ==\n\nThe request failed authentication\n/);
    assert.equal(api.calls[0]?.token, "Scope-Probe token=s3cret");
  });

  for (const [what, answer, message] of [
    ["no JSON", { text: "<html>" }, /decoding response from server: .*JSON/],
    [
      "other JSON",
      { json: { items: [] } },
      /decoding response from server: the document should be a list, not an object/,
    ],
    [
      "a bad workload",
      { json: [{ ID: "x" }] },
      /decoding response from server: parsing x: invalid service ID/,
    ],
  ] as const satisfies readonly (readonly [string, ApiAnswer, RegExp])[]) {
    it(`tells of an answer that is ${what}`, async () => {
      const { exit, stderr } = await callBefore(() => answer, ["list-workloads"]);

      assert.equal(exit, 1);
      assert.match(stderr, message);
    });
  }

  for (const [url, message] of [
    [
      "http://127.0.0.1:1/api/flux",
      'executing HTTP request: executing HTTP request: Get "http://127.0.0.1:1/api/flux/v6/services?namespace=default": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    [
      "http://me:s3cret@127.0.0.1:1",
      'executing HTTP request: executing HTTP request: Get "http://me:***@127.0.0.1:1/v6/services?namespace=default": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    ["::not a url", 'parsing URL: parse "::not a url": missing protocol scheme'],
    [
      "ftp://me:secret@x/api/flux",
      'executing HTTP request: executing HTTP request: Get "ftp://me:***@x/api/flux/v6/services?namespace=default": unsupported protocol scheme "ftp"',
    ],
    ["localhost:3030", 'parsing URL: parse "localhost:3030": it should begin with http:// or https://'],
    ["http://a/%zz", 'parsing URL: parse "http://a/%zz": invalid URL escape "%zz"'],
    ["http://[oops", 'parsing URL: parse "http://[oops": invalid URL'],
    ["http://a\nb", 'parsing URL: parse "http://a%0Ab": net/url: invalid control character in URL'],
  ] as const) {
    it(`says why it cannot connect to ${JSON.stringify(url)}`, async () => {
      assert.deepEqual(await callFluxctl(["--url", url, "list-workloads"]), {
        exit: 1,
        stdout: "",
        stderr: `Error: ${message}\nRun 'fluxctl list-workloads --help' for usage.\n`,
      });
    });
  }
});

describe("fluxctl without a URL", () => {
  async function throughCluster(
    podsOf: (namespace: string, selector: string) => readonly string[],
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) {
    using folder = new TempFolder();
    await using api = await ScriptedApi.start(() => ({ json: [workload("a:deployment/b", "b:1")] }));
    await using cluster = await startClusterStandIn(podsOf, api.port);
    const KUBECONFIG = folder.write("config", kubeconfigFor(cluster.url));
    return { ...(await callFluxctl(args, { KUBECONFIG, ...env })), asked: [...cluster.asked] };
  }

  it("forwards a port of the daemon's pod, and ends when it is done", async () => {
    const { asked, ...result } = await throughCluster(
      (namespace, selector) => (namespace === "default" && selector === "app=flux" ? ["flux-1"] : []),
      ["list-workloads", "-a", "--no-headers"],
    );

    assert.deepEqual(result, { exit: 0, stdout: "a:deployment/b  c0  b:1  ready  automated\n", stderr: "" });
    assert.ok(asked.includes("UPGRADE /api/v1/namespaces/default/pods/flux-1/portforward?ports=3030"));
  });

  it("looks for the labels and in the namespace that are given, then for the names of older installs", async () => {
    const found: string[] = [];
    const podsOf = (namespace: string, selector: string): readonly string[] => {
      found.push(`${namespace} ${selector}`);
      return selector.startsWith("name in") ? ["old"] : [];
    };

    const { exit } = await throughCluster(podsOf, ["list-workloads", "-a"], {
      FLUX_FORWARD_NAMESPACE: "flux",
      FLUX_FORWARD_LABELS: "b=2,a=1",
    });

    assert.equal(exit, 0);
    assert.deepEqual(found, ["flux a=1,b=2", "flux name in (flux,fluxd,weave-flux-agent)"]);
  });

  it("says where it looked when there is no pod", async () => {
    const { exit, stdout, stderr } = await throughCluster(
      () => [],
      ["--k8s-fwd-ns=elsewhere", "--k8s-fwd-labels=a=b", "list-workloads"],
    );

    assert.deepEqual([exit, stdout], [1, ""]);
    assert.equal(
      stderr,
      `Error: No pod found in namespace "elsewhere" using the following selectors:
  a=b
  name in (flux,fluxd,weave-flux-agent)

Make sure Flux is running in namespace "elsewhere".
If Flux is running in another different namespace, please supply it to --k8s-fwd-ns.
Run 'fluxctl list-workloads --help' for usage.
`,
    );
  });

  it("does not choose between several pods", async () => {
    const { exit, stderr } = await throughCluster(() => ["one", "two"], ["list-workloads"]);

    assert.equal(exit, 1);
    assert.equal(
      stderr,
      'Error: Could not create a dialer: Could not get pod name: Ambiguous pod: found more than one pod for selector: labels "app=flux"\n' +
        "Run 'fluxctl list-workloads --help' for usage.\n",
    );
  });

  it("says that there is no kubeconfig", async () => {
    const { exit, stderr } = await callFluxctl(["list-workloads"], { KUBECONFIG: "/nonexistent" });

    assert.equal(exit, 1);
    assert.equal(
      stderr,
      "Error: Could not load kubernetes configuration file: invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable\n" +
        "Run 'fluxctl list-workloads --help' for usage.\n",
    );
  });

  it("says that a context does not exist", async () => {
    const { exit, stderr } = await throughCluster(() => [], ["--context=none", "list-workloads"]);

    assert.equal(exit, 1);
    assert.match(
      stderr,
      /^Error: Could not load kubernetes configuration file: context "none" does not exist\n/,
    );
  });
});

describe("fluxctl why", () => {
  const unknown = {
    kind: "unknown",
    subject: "deployment/wep",
    verdict: 'there is no resource, image, or commit "deployment/wep"',
    known: ["example.test/app", "prod:deployment/web", "shop:deployment/web"],
  };

  it("asks with the namespace, and suggests what may be meant", async () => {
    const args = ["why", "-n", "shop", "deployment/wep"];

    const { result, lines } = await askBefore(() => ({ json: unknown }), args);

    assert.deepEqual(result, {
      exit: 1,
      stdout: "",
      stderr:
        "Error: there is no resource, image, or commit \"deployment/wep\"\nDid you mean shop:deployment/web?\nRun 'fluxctl why --help' for usage.\n",
    });
    assert.deepEqual(lines, ["GET /v12/why?subject=deployment%2Fwep&namespace=shop"]);
  });

  it("wants one name", async () => {
    for (const args of [["why"], ["why", "a", "b"]]) {
      const { stderr, exit } = await callFluxctl(args);

      assert.equal(exit, 1);
      assert.match(stderr, /name one resource, image, or commit/);
    }
  });
});

describe("fluxctl confirm", () => {
  const pending = {
    revision: "0123456789abcdef",
    unconfirmed: ["shop:persistentvolumeclaim/data"],
    heldBack: ["shop:configmap/a", "shop:configmap/b"],
    reason: "2 of 4 objects would be pruned, and the limit is 25%, which is 1",
  };

  it("lists what waits, and how to confirm it", async () => {
    const { stdout, exit, lines } = await askBefore(() => ({ json: pending }), ["confirm"]);

    assert.deepEqual(stdout.split("\n"), [
      "Not deleted until each one is confirmed: fluxctl confirm shop:persistentvolumeclaim/data",
      "  shop:persistentvolumeclaim/data",
      "",
      "Not deleted, because 2 of 4 objects would be pruned, and the limit is 25%, which is 1. To delete all of them: fluxctl confirm --prune 0123456789ab",
      "  shop:configmap/a",
      "  shop:configmap/b",
      "",
    ]);
    assert.equal(exit, 0);
    assert.deepEqual(lines, ["GET /v12/confirmations"]);
  });

  it("confirms what is named, in the name of its user", async () => {
    const resources = ["shop:configmap/a", "other:secret/b"];

    const { stdout, stderr, calls } = await askBefore(
      () => ({ json: { revision: pending.revision, resources } }),
      ["confirm", "-n", "shop", "configmap/a", "other:secret/b", "--user=Ann"],
    );

    assert.equal(stdout, "shop:configmap/a\nother:secret/b\n");
    assert.match(stderr, /fluxd deletes these 2 resources with its next sync to 0123456789ab, now/);
    assert.deepEqual(
      calls.slice(0, 1).map(({ line, body }) => [line, body]),
      [["POST /v12/confirmations", { user: "Ann", resources, pruneRevision: "" }]],
    );
  });

  it("doesn't promise a sync while syncing is suspended", async () => {
    const resources = ["shop:configmap/a"];
    const suspension = {
      what: "sync",
      reason: "a\u001b[2J move",
      user: "Ann",
      since: "2020-01-01T00:00:00Z",
    };
    const script = ({ line }: ApiCall): ApiAnswer => ({
      json: line.startsWith("POST")
        ? { revision: pending.revision, resources, forgotten: "fluxd doesn't run in a pod" }
        : [suspension],
    });

    const named = await callBefore(script, ["confirm", "shop:configmap/a"]);
    const all = await callBefore(script, ["confirm", "--prune", pending.revision]);

    const forgotten = "Warning: fluxd forgets this when it restarts, because fluxd doesn't run in a pod.";
    const suspended = "Confirmed, but syncing is suspended by Ann because: a\\u001b[2J move.";
    assert.deepEqual(named.stderr.split("\n"), [
      suspended,
      "fluxd deletes this resource if syncing is resumed within an hour: run `fluxctl resume sync`.",
      forgotten,
      "",
    ]);
    assert.deepEqual(all.stderr.split("\n").slice(1), [
      "fluxd deletes this resource if syncing is resumed while 0123456789ab is what it syncs to: run `fluxctl resume sync`.",
      forgotten,
      "",
    ]);
  });

  it("refuses to confirm resources and a revision at once", async () => {
    const { exit, stderr } = await callFluxctl(["confirm", "shop:configmap/a", "--prune", "0123456789ab"]);

    assert.equal(exit, 1);
    assert.match(stderr, /name either resources or --prune, not both/);
  });
});

describe("fluxctl's help", () => {
  for (const { args, ...recorded } of readTable("fluxctl/help.jsonl") as readonly Recorded[]) {
    it(`is for "fluxctl ${args.join(" ")}" what Flux v1 prints`, async () => {
      using _author = knownToGit();

      const { stdout, ...rest } = await callFluxctl(args);

      assert.deepEqual({ stdout: withoutAdditions(stdout), ...rest }, recorded);
    });
  }

  /** Help without what Flux v1 has not got. */
  function withoutAdditions(help: string): string {
    return help
      .replace(ownImageRepository, "docker.io/fluxcd/flux")
      .replaceAll(
        /^ {2}(check|confirm|diff|events|export|history|logs|resume|status|suspend|takeover|top|tree|undo|wait|why) .*\n/gm,
        "",
      )
      .replace(/ +-w, --watch +Keep running, and update the list.*\n/, "")
      .replace(/ +--watch +Keep running, and update the list.*\n/, "")
      .replace(/ +-w, --watch +Watch the rollouts that the sync.*\n/, "")
      .replaceAll("(bash, zsh, fish, or powershell)", "(bash, zsh, or fish)")
      .replace("--help    help for sync", "--help   help for sync")
      .replace(/ +--version +version of fluxctl\n/, "")
      .replace(" (also -A)", "")
      .replace(
        "Output format (tab, json, yaml, wide, name or jsonpath=TEMPLATE)",
        "Output format (tab or json)",
      );
  }

  it("is printed without any argument", async () => {
    const [alone, asked] = [await callFluxctl([]), await callFluxctl(["-h"])];

    assert.deepEqual(alone, asked);
    assert.match(alone.stdout, /^fluxctl helps you deploy your code\.\n/);
  });

  it("is printed by the command help, which ends well only where there is a daemon, as Flux v1's", async () => {
    const reached = await callBefore(nothing, ["help", "list-controllers"]);
    const alone = await callFluxctl(["help", "list-controllers"]);
    const unknown = await callBefore(nothing, ["help", "nonsense", "a`b", "two words"]);
    const { stdout } = await callFluxctl(["list-workloads", "--help"]);

    assert.deepEqual([reached.exit, reached.stdout], [0, stdout]);
    assert.deepEqual([alone.exit, alone.stdout], [1, stdout]);
    assert.deepEqual([unknown.exit, unknown.stdout], [0, ""]);
    assert.match(
      unknown.stderr,
      /^Unknown help topic \[`nonsense` "a`b" `two words`\]\nUsage:\n {2}fluxctl \[command\]\n\nAvailable Commands:\n/,
    );
    assert.match(
      unknown.stderr,
      /\nUse "fluxctl \[command\] --help" for more information about a command\.\n$/,
    );
    assert.doesNotMatch(unknown.stderr, /help for fluxctl/);
  });
});

describe("the built fluxctl", () => {
  const dist = join(import.meta.dirname, "..", "..", "dist");
  const run = promisify(execFile);

  it("runs through links, and from any folder", async () => {
    using folder = new TempFolder();
    symlinkSync(join(dist, "fluxctl"), join(folder.path, "one"));
    symlinkSync("one", join(folder.path, "two"));

    const { stdout } = await run("./two", ["version"], { cwd: folder.path });

    assert.match(stdout, /^[0-9]+\.[0-9]+\.[0-9]+\n$/);
  });

  it("needs no node_modules where Node is on PATH", async () => {
    using folder = new TempFolder();
    cpSync(dist, join(folder.path, "dist"), { recursive: true });
    mkdirSync(join(folder.path, "bin"));
    symlinkSync(process.execPath, join(folder.path, "bin", "node"));

    const { stdout } = await run("sh", ["fluxctl", "version"], {
      cwd: join(folder.path, "dist"),
      env: { PATH: `${join(folder.path, "bin")}:/usr/bin:/bin` },
    });

    assert.match(stdout, /^[0-9]+\.[0-9]+\.[0-9]+\n$/);
  });

  it("says that it finds no Node", async () => {
    using folder = new TempFolder();
    cpSync(join(dist, "fluxctl"), join(folder.path, "fluxctl"));

    await assert.rejects(run(join(folder.path, "fluxctl"), ["version"], { env: { PATH: "/nowhere" } }), {
      code: 1,
      stderr: "fluxctl: requires Node.js 24 or later, but none is installed next to it or on PATH\n",
    });
  });

  it("refuses a Node that is too old", async () => {
    using folder = new TempFolder();
    const start = folder.write("start.cjs", starter("fluxctl", 99));

    await assert.rejects(run(process.execPath, [start]), {
      code: 1,
      stderr: `fluxctl: requires Node.js 99 or later, but this is Node.js ${process.versions.node}\n`,
    });
  });
});

describe("fluxctl before a daemon of Flux v1", () => {
  const missing = {
    type: "missing",
    help: "not supported: /v12/diff /v12/tree /v12/events",
    error: "API endpoint not found",
  };

  for (const [command, exit] of [
    ["diff", 2],
    ["diff --local=.", 2],
    ["diff --save-snapshot=/dev/null", 2],
    ["tree", 1],
    ["events", 1],
    ["history", 1],
    ["why deployment/web", 1],
    ["confirm", 1],
    ["undo 0123abc", 1],
  ] as const) {
    it(`says that ${command} cannot be had of it`, async () => {
      const result = await callBefore(() => ({ status: 404, json: missing }), command.split(" "));

      assert.deepEqual([result.exit, result.stdout], [exit, ""]);
      assert.match(
        result.stderr,
        /^Error: this daemon does not support `fluxctl .*`\. Flux v1 does not have this feature; run this version of Weir's fluxd/,
      );
    });
  }
});

/** Flux v1 says at each install that it's deprecated, and where to find v2. Weir isn't. */
function withoutDeprecation(stderr: string): string {
  return stderr.replace(/^\*\*Flux v1 is deprecated[^]*https:\/\/fluxcd\.io\/flux\/migration\/\n\n/, "");
}

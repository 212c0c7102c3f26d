import assert from "node:assert/strict";
import { it } from "node:test";
import { FluxError, type ResourceStatus } from "@weir/flux";
import type { DiffReport } from "@weir/flux/api";
import { ApiClient } from "@weir/flux/client";
import { configMapPath, dedent, describeOnEmbeddedCluster } from "@weir/testing";
import { KnownImages } from "../support/known-images.ts";
import { deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

const never = new AbortController().signal;

function settings(name: string, value: string): string {
  return dedent(`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: default }
    data: { value: ${value} }
  `);
}

/** A line a change, e.g. "create default:configmap/a (a.yaml)". */
function told({ changes }: DiffReport): readonly string[] {
  return changes.map(({ action, id, source, error, reason }) =>
    [action, id, `(${source})`, error, reason].filter((word) => word !== "").join(" "),
  );
}

/** The workload and its descendants, a line each. */
function drawn({ id, sync, children }: ResourceStatus, indent = ""): readonly string[] {
  const kind = id.split(":")[1]?.split("/")[0] ?? "";
  return [`${indent}${kind} ${sync}`.trimEnd(), ...children.flatMap((child) => drawn(child, `${indent}  `))];
}

describeOnEmbeddedCluster("looking into a daemon", {}, (cluster) => {
  async function started(
    stack: AsyncDisposableStack,
    files: Readonly<Record<string, string>>,
    ...flags: readonly string[]
  ) {
    const repository = stack.use(await TestRepository.create(files));
    const { kubeconfigPath } = cluster;
    const fluxd = stack.use(
      await OwnFluxd.start({ repository, kubeconfigPath, flags, images: new KnownImages({}) }),
    );
    const client = new ApiClient({ url: new URL(fluxd.apiUrl), token: "", env: {} });
    stack.defer(() => client.close());
    return { repository, client, fluxd };
  }

  it("shows what a sync would change, at any commit, prunes included", async () => {
    await using stack = new AsyncDisposableStack();
    const files = { "a.yaml": settings("diff-a", "one"), "b.yaml": settings("diff-b", "one") };
    const { repository, client } = await started(stack, files, "--sync-garbage-collection");
    const synced = await client.diff({ ref: "" }, never);
    const main = await repository.upstream("rev-parse", "master");
    const changed = {
      "a.yaml": settings("diff-a", "two"),
      "b.yaml": null,
      "c.yaml": settings("diff-c", "one"),
    };
    const proposed = await repository.push(changed, "a proposal");
    await repository.upstream("branch", "proposal", proposed);
    await repository.upstream("update-ref", "refs/heads/master", main);

    const report = await client.diff({ ref: "proposal" }, never);

    assert.deepEqual([synced.changes, synced.revision], [[], main]);
    assert.equal(report.revision, proposed);
    assert.deepEqual(told(report), [
      "change default:configmap/diff-a (a.yaml)",
      "create default:configmap/diff-c (c.yaml)",
      "delete default:configmap/diff-b ()",
    ]);
    const [change] = report.changes;
    assert.deepEqual(
      [change?.before?.["data"], change?.after?.["data"]],
      [{ value: "one" }, { value: "two" }],
    );
    assert.deepEqual((await client.diff({ ref: "" }, never)).changes, []);
  });

  it("tells of a name that is no commit, and of manifests that do not load", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, client } = await started(stack, { "a.yaml": settings("diff-d", "one") });
    const broken = await repository.push({ "broken.yaml": "kind: [" }, "break it");

    const isTold = (kind: string, text: RegExp) => (error: unknown) =>
      error instanceof FluxError && error.kind === kind && text.test(error.advice);
    await assert.rejects(
      client.diff({ ref: "--output=/tmp/x" }, never),
      isTold("missing", /the git repository has no commit, branch, or tag "--output=\/tmp\/x"/),
    );
    await assert.rejects(client.diff({ ref: broken }, never), isTold("user", /broken\.yaml/));
  });

  it("runs generators of its own branch only", async () => {
    await using stack = new AsyncDisposableStack();
    const generator = (command: string): string =>
      `version: 1\ncommandUpdated:\n  generators: [{ command: "${command}" }]\n`;
    const { repository, client } = await started(
      stack,
      { ".flux.yaml": generator("cat a.txt"), "a.txt": settings("diff-e", "one") },
      "--manifest-generation",
    );
    const main = await repository.upstream("rev-parse", "master");
    const stranger = await repository.push({ ".flux.yaml": generator("touch ../ran") }, "run something");
    await repository.upstream("branch", "stranger", stranger);
    await repository.upstream("update-ref", "refs/heads/master", main);

    await assert.rejects(
      client.diff({ ref: "stranger" }, never),
      (error) => error instanceof FluxError && /stranger is not on branch master/.test(error.advice),
    );
    assert.deepEqual((await client.diff({ ref: main }, never)).changes, []);
  });

  it("shows how everything is, with what it owns", async () => {
    await using stack = new AsyncDisposableStack();
    const left = settings("tree-left", "one").replace(
      "namespace:",
      "annotations: { fluxcd.io/ignore: 'true' }, namespace:",
    );
    const { client } = await started(stack, {
      "web.yaml": deployment("tree-web", "example.test/app:1"),
      "left.yaml": left,
    });
    const live = await cluster.kube.get("/apis/apps/v1/namespaces/default/deployments/tree-web");
    const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "tree-web", uid: live?.metadata.uid };
    await cluster.kube.create("/api/v1/namespaces/default/pods", {
      metadata: { name: "tree-web-1", ownerReferences: [owner] },
      spec: { containers: [{ name: "main", image: "example.test/app:1" }] },
    });

    const { resources, revision } = await client.tree({ namespace: "default" }, never);
    const elsewhere = await client.tree({ namespace: "elsewhere" }, never);

    assert.match(revision, /^[0-9a-f]{40}$/);
    assert.deepEqual(
      resources.map(({ id, sync, source }) => [id, sync, source].join(" ")),
      ["default:configmap/tree-left Ignored left.yaml", "default:deployment/tree-web Synced web.yaml"],
    );
    assert.equal(resources[0]?.message, "ignore annotation in file");
    assert.deepEqual(
      resources
        .slice(1)
        .flatMap((status) => drawn(status))
        .slice(-1),
      ["  pod"],
    );
    assert.deepEqual(elsewhere.resources, []);
  });

  it("shows nothing of what a Secret holds, and no checksum by which that could be found out", async () => {
    await using stack = new AsyncDisposableStack();
    const secret = (value: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: diff-s, namespace: default}\nstringData: {pin: "${value}"}\n`;
    const { repository, fluxd } = await started(stack, { "s.yaml": secret("1234") });
    const live = await cluster.kube.get("/api/v1/namespaces/default/secrets/diff-s");
    const checksum = live?.metadata.annotations?.["fluxcd.io/sync-checksum"] ?? "";
    await repository.push({ "s.yaml": secret("4321") }, "another pin");

    const shown = await Promise.all(
      ["diff", "short", "json", "yaml", "name"].map((format) => fluxctl(fluxd, "diff", "-o", format)),
    );

    assert.match(checksum, /^[0-9a-f]{40}$/);
    for (const { code, stdout, stderr } of shown) {
      assert.equal(code, 1, stderr);
      assert.doesNotMatch(stdout, /[0-9a-f]{40}.*[0-9a-f]{40}|1234|4321|MTIzNA|NDMyMQ|last-applied/s);
      assert.equal(stdout.includes(checksum), false);
    }
    assert.match(shown[0]?.stdout ?? "", /^- {2}pin: \++\n\+ {2}pin: \++$/m);
  });

  it("doesn't show what fluxd writes for itself", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, fluxd } = await started(stack, {
      "a.yaml": settings("diff-own", "one"),
      "b.yaml": settings("diff-same", "one"),
    });
    await repository.push(
      { "a.yaml": settings("diff-own", "two"), "b.yaml": `# a comment\n${settings("diff-same", "one")}` },
      "next",
    );

    const { code, stdout } = await fluxctl(fluxd, "diff", "--ref", "master");

    assert.equal(code, 1);
    assert.match(stdout, /diff-own/);
    assert.doesNotMatch(stdout, /sync-checksum|sync-gc-mark|diff-same/);
  });

  it("prints nothing that a terminal acts upon, whatever a manifest says", async () => {
    await using stack = new AsyncDisposableStack();
    const name = '"hostile\\e]0;owned\\a\\e[2J\\u202e"';
    const { repository, fluxd } = await started(stack, { "a.yaml": settings("diff-v", "one") });
    const value = '"\\e]52;c;cm0gLXJm\\a\\x9b2J\\u202e"';
    await repository.push(
      { "a.yaml": settings("diff-v", value), "b.yaml": settings(name, "one") },
      "a title \x1b]0;owned\x07",
    );
    const commands = [
      ...["diff", "short", "json", "yaml", "name"].map((format) => ["diff", "-o", format]),
      ["sync"],
      ...["tab", "wide", "json", "yaml", "name"].flatMap((format) => [
        ["events", "-o", format],
        ["tree", "-o", format],
        ["list-workloads", "-o", format],
      ]),
      ["lock", "-w", "deployment/\x1b]0;owned\x07"],
    ];

    const shown: string[] = [];
    for (const command of commands) {
      const { stdout, stderr } = await fluxctl(fluxd, ...command);
      shown.push(stdout, stderr);
      assert.doesNotMatch(
        stdout + stderr,
        /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/,
        command.join(" "),
      );
    }

    assert.ok(shown.some((text) => text.includes("hostile\\u001b]0;owned\\u0007")));
    const [json = ""] = shown.slice(4);
    assert.match(JSON.stringify(JSON.parse(json)), /hostile\\u001b\]0;owned\\u0007/);
  });

  it("ends fluxctl diff as diff ends", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, fluxd } = await started(stack, { "a.yaml": settings("diff-f", "one") });

    const same = await fluxctl(fluxd, "diff");
    await repository.push({ "a.yaml": settings("diff-f", "two") }, "change it");
    const changed = await fluxctl(fluxd, "diff", "-o", "name");
    await repository.push({ "b.yaml": settings("Diff_g", "one") }, "cannot be");
    const refused = await fluxctl(fluxd, "diff", "-o", "short");
    const unknown = await fluxctl(fluxd, "diff", "--ref", "nowhere");
    const { data } = (await cluster.kube.get(configMapPath("diff-f"))) ?? {};

    assert.deepEqual([same.code, same.stdout], [0, ""]);
    assert.match(same.stderr, /^At [0-9a-f]{7}: nothing to change\.\n$/);
    assert.deepEqual([changed.code, changed.stdout], [1, "default:configmap/diff-f\n"]);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stdout,
      /^create {2}default:configmap\/Diff_g {2}b\.yaml {2}refused: .*metadata\.name/m,
    );
    assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
    // Nothing was synced because somebody looked.
    assert.deepEqual(data, { value: "one" });
  });
});

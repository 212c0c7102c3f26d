import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@weir/base";
import { dedent, describeOnEmbeddedCluster, until } from "@weir/testing";
import { KnownImages } from "../support/known-images.ts";
import { deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";
import { runJob } from "../support/run-job.ts";

const images = new KnownImages({
  "example.test/app": {
    "1": "2020-01-01T00:00:00Z",
    "2": "2020-01-02T00:00:00Z",
    "3": "2020-01-03T00:00:00Z",
  },
});

/** The manifest with its new image, laid out as kubeyaml does. */
const released = `---
# who we are
apiVersion: apps/v1
kind: Deployment
metadata:
  name: rel-a
  namespace: default
spec:
  replicas: 1
  selector:
    matchLabels:
      app: rel-a
  template:
    metadata:
      labels:
        app: rel-a
    spec:
      containers:
      - name: main
        image: example.test/app:2     # the image`;

describeOnEmbeddedCluster("a release", {}, (cluster) => {
  function started(repository: TestRepository, ...flags: readonly string[]): Promise<OwnFluxd> {
    return OwnFluxd.start({ repository, kubeconfigPath: cluster.kubeconfigPath, flags, images });
  }

  it("goes to git with its message and note, is applied, and is told of", async () => {
    const manifest = `# who we are\n${deployment("rel-a", "example.test/app:1   # the image")}`;
    await using repository = await TestRepository.create({
      "a.yaml": manifest,
      "b.yaml": deployment("rel-b", "example.test/app:1"),
    });
    await using fluxd = await started(repository);

    const { code, stdout, stderr } = await fluxctl(
      fluxd,
      "release",
      "--workload=deployment/rel-a",
      "--update-image=example.test/app:2",
      "--user=Ann <ann@example.test>",
    );

    const head = await repository.upstream("rev-parse", "master");
    assert.deepEqual(
      { code, stdout, stderr },
      {
        code: 0,
        stdout: dedent(`
          WORKLOAD                  STATUS   UPDATES
          default:deployment/rel-a  success  main: example.test/app:1 -> 2
        `),
        stderr: `Submitting release ...\nCommit pushed:\t${head.slice(0, 7)}\nCommit applied:\t${head.slice(0, 7)}\n`,
      },
    );
    assert.equal(await repository.upstream("diff", "--name-only", "master~1", "master"), "a.yaml");
    assert.equal(await repository.upstream("show", "master:a.yaml"), released);
    assert.equal(
      await repository.upstream("log", "-1", "--format=%an <%ae>|%cn|%B", "master"),
      "Weave Flux <support@weave.works>|Weave Flux|Release example.test/app:2 to default:deployment/rel-a",
    );
    const note = await repository.upstream("notes", "--ref=flux", "show", head);
    assert.equal(
      note.replace(/"jobID":"[0-9a-f-]{36}"/, '"jobID":""'),
      '{"jobID":"","spec":{"type":"image","cause":{"Message":"","User":"Ann \\u003cann@example.test\\u003e"},"spec":{"ServiceSpecs":["default:deployment/rel-a"],"ImageSpec":"example.test/app:2","Kind":"execute","Excludes":null,"Force":false}},"result":{"default:deployment/rel-a":{"Status":"success","PerContainer":[{"Container":"main","Current":"example.test/app:1","Target":"example.test/app:2"}]},"default:deployment/rel-b":{"Status":"ignored","Error":"not included","PerContainer":null}}}',
    );
    assert.equal(await imageOf("rel-a"), "example.test/app:2");
    const short = head.slice(0, 7);
    assert.deepEqual(fluxd.events.slice(1), [
      `Commit: ${short}, default:deployment/rel-a`,
      `Sync: ${short}, default:deployment/rel-a`,
      "Released: example.test/app:2 to default:deployment/rel-a, by Ann <ann@example.test>",
    ]);
  });

  it("of the newest images passes by what is locked, and says why with -v", async () => {
    const locked = deployment("all-locked").replace(
      "  namespace",
      '  annotations: {fluxcd.io/locked: "true"}\n  namespace',
    );
    await using repository = await TestRepository.create({
      "all.yaml": [deployment("all-a"), locked, deployment("all-done", "example.test/app:3")].join("---\n"),
    });
    await using fluxd = await started(repository, "--git-ci-skip", "--git-set-author");

    const { stdout } = await fluxctl(
      fluxd,
      ...["release", "--all", "--update-all-images", "-v", "-m", "Up we go", "--user=Ann <ann@example.test>"],
    );

    assert.equal(
      stdout,
      dedent(`
        WORKLOAD                       STATUS   UPDATES
        default:deployment/all-a       success  main: example.test/app:1 -> 3
        default:deployment/all-done    skipped  image(s) up to date
        default:deployment/all-locked  skipped  locked
      `),
    );
    assert.equal(
      await repository.upstream("log", "-1", "--format=%an <%ae>|%cn|%B", "master"),
      "Ann <ann@example.test>|Weave Flux|Up we go\n\n[ci skip]",
    );
  });

  it("that is a dry run, or fails, leaves git as it was", async () => {
    await using repository = await TestRepository.create({ "a.yaml": deployment("dry-a") });
    await using fluxd = await started(repository);
    const before = await repository.upstream("for-each-ref");

    const { code, stdout, stderr } = await fluxctl(
      fluxd,
      ...["release", "--all", "--update-all-images", "--dry-run"],
    );

    assert.deepEqual(
      [code, stderr, stdout],
      [
        0,
        "Submitting dry-run release ...\n",
        dedent(`
          WORKLOAD                  STATUS   UPDATES
          default:deployment/dry-a  success  main: example.test/app:1 -> 3
        `),
      ],
    );
    for (const [args, message] of [
      [["--update-image=example.test/app:1"], "no changes made in repo"],
      [["--update-image=example.test/app:9"], 'image "example.test/app:9" does not exist: invalid image ID'],
    ] as const) {
      const failed = await fluxctl(fluxd, "release", "--all", ...args);
      assert.equal(failed.code, 1);
      assert.ok(failed.stderr.includes(message), failed.stderr);
    }
    assert.equal(await repository.upstream("for-each-ref"), before);
  });

  it("of manifests that do not load fails, and counts as a selection of workloads, as Flux v1 has it", async () => {
    await using repository = await TestRepository.create({ "a.yaml": deployment("unloaded") });
    await using fluxd = await started(repository);
    await repository.push({ "b.yaml": "[" }, "break it");
    await fluxctl(fluxd, "--timeout=1s", "sync");
    await until(
      "the daemon to see the broken commit",
      () => fluxd.log.includes("scanning multidoc from") || undefined,
    );
    const stages = async (): Promise<readonly string[]> => {
      const text = await (await fetch(new URL("/metrics", fluxd.apiUrl))).text();
      return text.match(/^flux_fluxsvc_release_stage_duration_seconds_count.*$/gm) ?? [];
    };

    const { code, stderr } = await fluxctl(fluxd, "release", "--all", "--update-all-images");

    assert.equal(code, 1, stderr);
    assert.deepEqual(await stages(), [
      'flux_fluxsvc_release_stage_duration_seconds_count{stage="select_workloads"} 1',
    ]);
  });

  it("that the files do not allow fails with help, and leaves git as it was", async () => {
    const nowhere = deployment("lost").replace("  namespace: default\n", "");
    await using repository = await TestRepository.create({ "dir/lost.yaml": nowhere });
    await using fluxd = await started(repository, "--k8s-default-namespace=kube-public");
    const before = await repository.upstream("for-each-ref");

    const { code, stderr } = await fluxctl(fluxd, "release", "--all", "--update-all-images", "--dry-run");

    assert.equal(code, 1);
    assert.match(
      stderr,
      /== Error ==\n\nThe release process failed, with this message:\n\n {4}applying changes: updating resource kube-public:deployment\/lost in dir\/lost\.yaml: manifest not found\n/,
    );
    assert.equal(await repository.upstream("for-each-ref"), before);
  });

  it("of containers is made as the API asks for it, and not at all where what runs is something else", async () => {
    await using repository = await TestRepository.create({ "a.yaml": deployment("con-a") });
    await using fluxd = await started(repository);
    const id = "default:deployment/con-a";
    const spec = (current: string): object => ({
      type: "containers",
      cause: { User: "api" },
      spec: {
        Kind: "execute",
        ContainerSpecs: { [id]: [{ Container: "main", Current: current, Target: "example.test/app:7" }] },
      },
    });

    const refused = await runJob(fluxd, spec("example.test/app:6"));
    const done = await runJob(fluxd, spec("example.test/app:1"));

    assert.deepEqual(refused, { Result: {}, Err: "cannot satisfy specs", StatusString: "failed" });
    assert.equal(done["StatusString"], "succeeded");
    assert.equal(
      await repository.upstream("log", "-1", "--format=%B", "master"),
      `Update image refs in ${id}\n\n${id}\n- example.test/app:7`,
    );
    await until("the image to be applied", async () => (await imageOf("con-a")) === "example.test/app:7");
  });

  it("that cannot be read is a job that fails, and repeats what was asked as it was asked", async () => {
    await using repository = await TestRepository.create({ "a.yaml": deployment("odd-a") });
    await using fluxd = await started(repository);
    const head = await repository.upstream("rev-parse", "master");
    const ask = (spec: object): Promise<object> =>
      runJob(fluxd, { type: "image", cause: { User: "api" }, spec: { Kind: "execute", ...spec } });

    const answers = [
      await ask({ ServiceSpecs: ["nothing"], ImageSpec: "" }),
      await ask({ ServiceSpecs: [], ImageSpec: "" }),
      await ask({ ServiceSpecs: ["<all>"], ImageSpec: "a:b:c" }),
    ];
    const unchanged = await repository.upstream("rev-parse", "master");
    const done = await ask({ ServiceSpecs: ["default:Deployment/odd-a"], ImageSpec: "example.test/app:2" });

    assert.deepEqual(answers, [
      { Result: {}, Err: "parsing nothing: invalid service ID", StatusString: "failed" },
      { Result: {}, Err: 'parsing "": blank image name: invalid image ID', StatusString: "failed" },
      {
        Result: {},
        Err: "expected image name as either <image>:<tag> or just <image>: invalid image ID",
        StatusString: "failed",
      },
    ]);
    assert.equal(unchanged, head);
    const revision = await repository.upstream("rev-parse", "master");
    const spec = {
      type: "image",
      cause: { Message: "", User: "api" },
      spec: {
        ServiceSpecs: ["default:Deployment/odd-a"],
        ImageSpec: "example.test/app:2",
        Kind: "execute",
        Excludes: null,
        Force: false,
      },
    };
    const result = {
      "default:deployment/odd-a": {
        Status: "success",
        PerContainer: [{ Container: "main", Current: "example.test/app:1", Target: "example.test/app:2" }],
      },
    };
    assert.deepEqual(done, { Result: { revision, spec, result }, Err: "", StatusString: "succeeded" });
    const note = JSON.parse(await repository.upstream("notes", "--ref=flux", "show", "master")) as JsonValue;
    assert.deepEqual(note, { ...(note as object), spec, result });
    assert.equal(
      await repository.upstream("log", "-1", "--format=%s", "master"),
      "Release example.test/app:2 to default:Deployment/odd-a",
    );
  });

  it("of containers tells in its note of a current image that was not given, and is found by it again", async () => {
    await using repository = await TestRepository.create({ "a.yaml": deployment("cur-a") });
    await using fluxd = await started(repository);
    const id = "default:deployment/cur-a";

    const done = await runJob(fluxd, {
      type: "containers",
      cause: { User: "api" },
      spec: {
        Kind: "execute",
        ContainerSpecs: { [id]: [{ Container: "main", Target: "example.test/app:7" }] },
      },
    });
    const note = await repository.upstream("notes", "--ref=flux", "show", "master");
    await using second = await started(repository);
    const jobId = /"jobID":"([^"]*)"/.exec(note)?.[1] ?? "";
    const found = await until("the second mirror", async () => {
      const answer = await fetch(`${second.apiUrl}/v6/jobs?id=${jobId}`);
      return answer.ok ? ((await answer.json()) as JsonValue) : undefined;
    });

    const updates = '[{"Container":"main","Current":"","Target":"example.test/app:7"}]';
    assert.ok(note.includes(`"ContainerSpecs":{"${id}":${updates}}`), note);
    assert.ok(note.includes(`"result":{"${id}":{"Status":"success","PerContainer":${updates}}}`), note);
    assert.deepEqual(found, done);
  });

  async function imageOf(name: string): Promise<JsonValue | undefined> {
    const object = await cluster.kube.get(`/apis/apps/v1/namespaces/default/deployments/${name}`);
    return JSON.stringify(object?.spec).match(/"image":"([^"]*)"/)?.[1];
  }
});

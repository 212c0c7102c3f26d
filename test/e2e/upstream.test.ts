import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { selfSigned } from "@weir/embedded-cluster";
import { FluxError, parseResourceId } from "@weir/flux";
import { serve, until } from "@weir/testing";
import { Console } from "../support/console.ts";
import { Fluxd } from "../support/fluxd.ts";
import { deployment } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

const { signal } = new AbortController();
const workload = parseResourceId("default:deployment/called");

describe("a console that a daemon is connected to", () => {
  let repository: TestRepository;
  let upstream: Console;
  let fluxd: Fluxd;

  before(async () => {
    repository = await TestRepository.create({ "d.yaml": deployment("called") });
    upstream = await Console.start();
    fluxd = await start(repository, upstream.url, "--token=s3cret-token");
    await until("the first sync", async () => (await repository.synced()) !== "");
  });
  after(async () => {
    await fluxd[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
    await repository[Symbol.asyncDispose]();
  });

  it("knows who calls, and asks all that a daemon can be asked", async () => {
    const { api, caller, protocol } = await upstream.daemon();

    assert.deepEqual(
      [protocol, caller.token, /^fluxd\/\S+$/.test(caller.userAgent)],
      [11, "s3cret-token", true],
    );
    await api.ping(signal);
    const version = (await (await fetch(`${fluxd.apiUrl}/v11/version`)).json()) as string;
    assert.equal(await api.version(signal), version);
    const chosen = await api.listWorkloads({ namespace: "", workloads: [workload] }, signal);
    assert.deepEqual(
      chosen.map(({ id }) => id),
      [workload],
    );
    assert.deepEqual(await api.listWorkloads({ namespace: "nowhere", workloads: [] }, signal), []);
    const [images] = await api.listImages({ workload, namespace: "", fields: ["Name"] }, signal);
    assert.equal(images?.id, workload);
    assert.deepEqual(await api.syncStatus("HEAD", signal), []);
    const { url, branch, status } = await api.gitRepoConfig(false, signal);
    assert.deepEqual([url, branch, status], [repository.url, "master", "ready"]);
    await api.notifyChange({ kind: "git", url: repository.url, branch: "master" }, signal);
  });

  it("inspects it, and suspends and resumes what it does", async () => {
    const daemon = await upstream.daemon();

    const inspection = await daemon.inspection(signal);

    assert.ok(inspection);
    const { head, synced, git } = await inspection.status({ fetch: false, brief: true }, signal);
    assert.deepEqual([head, git.url], [synced, repository.url]);
    const { resources } = await inspection.tree({ namespace: "default" }, signal);
    assert.deepEqual(
      resources.map(({ id }) => id),
      [workload],
    );
    assert.deepEqual((await inspection.diff({ ref: "" }, signal)).changes, []);
    assert.equal((await inspection.why({ subject: workload, namespace: "" }, signal)).kind, "resource");
    await assert.rejects(inspection.why({ subject: "x".repeat(2000), namespace: "" }, signal), {
      name: "FluxError",
      message: "subject is longer than 1024 characters",
    });
    const user = "ann";
    await inspection.suspend({ what: ["automation"], reason: "test", user }, signal);
    assert.deepEqual(
      (await inspection.suspensions(signal)).map((each) => [each.what, each.user]),
      [["automation", user]],
    );
    await inspection.resume({ what: ["automation"], user }, signal);
    assert.deepEqual(await inspection.suspensions(signal), []);
  });

  it("changes policies, and is told of it by events", async () => {
    const { api } = await upstream.daemon();
    const cause = { user: "me", message: "hands off" };
    const spec = new Map([[workload, { add: { locked: "true" }, remove: {} }]]);

    const id = await api.updateManifests({ type: "policy", cause, spec }, signal);
    const done = await until("the job", async () => {
      const status = await api.jobStatus(id, signal);
      return status.state === "succeeded" && status;
    });
    const commit = await until("the event", () => upstream.events.find(({ type }) => type === "commit"));

    assert.deepEqual(commit.detail?.type === "commit" && commit.detail.revision, done.result.revision);
    assert.deepEqual(commit.workloads, [workload]);
    const [sync] = upstream.events.filter(({ type }) => type === "sync");
    assert.deepEqual(sync?.detail?.type === "sync" && sync.detail.initialSync, true);
    assert.ok(upstream.callers.every(({ token }) => token === "s3cret-token"));
    assert.match(fluxd.log, /event="Commit: [^"]*" logupstream=true/);
    const [listed] = await api.listWorkloads({ namespace: "default", workloads: [] }, signal);
    assert.equal(listed?.policies["locked"], "true");
  });

  it("is counted as connected for as long as it is", async () => {
    const target = upstream.url.replace("http", "ws");

    await until("a second of connection", async () => ((await connectionSeconds(fluxd, target)) ?? 0) >= 1);
  });

  it("may go away and come back: calls go on, an event that was not taken is sent again", async () => {
    const connected = upstream.daemons.length;
    // What is under way now could not be told to an upstream that is away, and would never be done.
    const before = await settled(repository);
    await upstream.close();
    const target = upstream.url.replace("http", "ws");
    await until("no connection", async () => (await connectionSeconds(fluxd, target)) === 0);
    const seen = upstream.events.length;
    await repository.pull();
    const head = await repository.push({ "e.yaml": deployment("later") }, "while nobody listens");

    await fluxd.notify(repository.url);
    await fluxd.logged(/component=sync-loop err=.*v6\/events.*connection refused/);
    assert.equal(await repository.synced(), before, "what could not be told counts as not done");
    await upstream.open();
    const { api } = await upstream.daemon(connected);

    await api.ping(signal);
    await api.updateManifests({ type: "sync", cause: { user: "", message: "" } }, signal);
    await repository.push({ "README.md": "again" }, "look again");
    await fluxd.notify(repository.url);
    await until("the sync", async () => (await repository.synced()) !== before);
    const [event] = upstream.events.slice(seen).filter(({ type }) => type === "sync");
    const commits = event?.detail?.type === "sync" ? event.detail.commits : [];
    assert.ok(commits.some(({ revision }) => revision === head));
    const refused = fluxd.log.match(/err="executing websocket .*connection refused"/g) ?? [];
    assert.ok(refused.length <= 1, "what goes on failing is not told again");
  });

  it("may refuse an event, which then counts as not told", async () => {
    const before = await settled(repository);
    upstream.refusal = new FluxError("user", "s3cret-token may not send events", "Help.\n");
    const head = await repository.push({ "README.md": "refused" }, "refused");

    await fluxd.notify(repository.url);
    await fluxd.logged('component=sync-loop err="<redacted> may not send events"');
    assert.equal(await repository.synced(), before);
    upstream.refusal = undefined;
    const again = await repository.push({ "README.md": "taken" }, "taken");
    await fluxd.notify(repository.url);

    await until("the sync", async () => (await repository.synced()) === again);
    const told = upstream.events
      .flatMap(({ detail }) => (detail?.type === "sync" ? detail.commits.toReversed() : []))
      .map(({ revision }) => revision);
    assert.deepEqual(
      told.filter((revision) => [head, again].includes(revision)),
      [head, again],
    );
  });

  it("may hang up: the daemon dials again", async () => {
    const daemon = upstream.daemons.at(-1);
    assert.ok(daemon);
    const connected = upstream.daemons.length;

    await daemon.close();

    const { api } = await upstream.daemon(connected);
    await api.ping(signal);
  });

  it("never shows its token", () => {
    assert.doesNotMatch(fluxd.log, /s3cret/);
  });

  it("is said goodbye to when the daemon ends", async () => {
    const daemon = upstream.daemons.at(-1);
    assert.ok(daemon);

    const { code } = await fluxd.stop();

    assert.equal(code, 0);
    assert.deepEqual(await daemon.closed, { code: 1000 });
    await assert.rejects(daemon.api.ping(signal), /not connected/);
  });
});

describe("an upstream that lets nobody in", () => {
  it("is named with its status and what to do; the daemon goes on, and is let in when it may", async () => {
    await using repository = await TestRepository.create({ "d.yaml": deployment("kept-out") });
    await using upstream = await Console.start();
    upstream.admission = 401;
    await using fluxd = await start(repository, upstream.url, "--token=wrong-token");

    const url = `${upstream.url.replace("http", "ws")}/v11/daemon`;
    await fluxd.logged(
      `err="executing websocket ${url}: connecting to websocket ${url} (http status code = 401): Unauthorized; the upstream does not recognize the token given with --token"`,
    );
    upstream.admission = 403;
    await fluxd.logged(/http status code = 403\): Forbidden; the upstream does not allow the token/);
    await fluxd.ready();
    upstream.admission = "welcome";

    await (await upstream.daemon()).api.ping(signal);
    assert.doesNotMatch(fluxd.log, /wrong-token/);
  });

  it("for good ends the daemon with 1", async () => {
    await using repository = await TestRepository.create({});
    await using upstream = await Console.start();
    upstream.admission = 410;
    await using fluxd = await start(repository, upstream.url);

    const { code } = await fluxd.exited;

    assert.equal(code, 1);
    assert.match(fluxd.log, /err="Your fluxd version is deprecated - please upgrade, see [^"]+"\n/);
  });
});

describe("what is no upstream", () => {
  it("is named with what it answered", async () => {
    await using repository = await TestRepository.create({});
    let status = 404;
    await using web = await serve((_request, response) => {
      response.writeHead(status, status === 302 ? { Location: "http://elsewhere.test/" } : {}).end("a page");
    });
    await using fluxd = await start(repository, web.url);

    await fluxd.logged(/http status code = 404\): Not Found; the server there does not accept websockets/);
    status = 200;
    await fluxd.logged(/http status code = 200\): OK; the server there does not accept websockets/);
    status = 302;
    await fluxd.logged(/http status code = 302\): Found; redirects are not followed/);
    status = 502;
    await fluxd.logged(/http status code = 502\)"/);
  });
});

describe("a console behind TLS", () => {
  let repository: TestRepository;
  let folder: string;
  let upstream: Console;

  before(async () => {
    repository = await TestRepository.create({ "d.yaml": deployment("called") });
    folder = await mkdtemp(join(tmpdir(), "weir-ca-"));
    const { key, certificate: cert } = selfSigned(Date.now());
    await writeFile(join(folder, "ca.pem"), cert);
    upstream = await Console.start({ key, cert });
  });
  after(async () => {
    await upstream[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
    await repository[Symbol.asyncDispose]();
  });

  it("is called and told of events where the machine trusts its certificate, as Go's programs do", async () => {
    await using fluxd = await startTrusting(join(folder, "ca.pem"));

    const { api } = await upstream.daemon();
    await until("an event", () => upstream.events.length > 0);

    const version = (await (await fetch(`${fluxd.apiUrl}/v11/version`)).json()) as string;
    assert.equal(await api.version(signal), version);
  });

  it("is not called where nobody vouches for it", async () => {
    const called = upstream.callers.length;
    await using fluxd = await startTrusting("/dev/null");

    await until("the failure", () => /executing websocket wss:\S+ self-signed certificate/.test(fluxd.log));

    assert.equal(upstream.callers.length, called);
  });

  function startTrusting(certificates: string): Promise<Fluxd> {
    return Fluxd.start({
      gitUrl: repository.url,
      flags: ["--embedded-cluster", `--connect=${upstream.url}`],
      env: { SSL_CERT_FILE: certificates },
    });
  }
});

/** The head of the branch, as soon as it is synced: what tests before did may be under way still. */
function settled(repository: TestRepository): Promise<string> {
  return until("all to be synced", async () => {
    const head = await repository.upstream("rev-parse", "master");
    return (await repository.synced()) === head ? head : undefined;
  });
}

function start(repository: TestRepository, url: string, ...flags: readonly string[]): Promise<Fluxd> {
  return Fluxd.start({
    gitUrl: repository.url,
    flags: ["--embedded-cluster", `--connect=${url}`, ...flags],
  });
}

/** What the metric tells, undefined where it tells nothing. */
async function connectionSeconds(fluxd: Fluxd, target: string): Promise<number | undefined> {
  const text = await (await fetch(`${fluxd.baseUrl}/metrics`)).text();
  const line = text
    .split("\n")
    .find((each) => each.startsWith(`flux_fluxd_connection_duration_seconds{target="${target}"}`));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

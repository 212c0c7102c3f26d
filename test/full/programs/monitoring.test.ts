import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findProgram, freePort, lacks, TempFolder, until } from "@weir/testing";
import { allMetrics } from "../../../cmd/fluxd/metrics.ts";
import { Console } from "../../support/console.ts";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { GnuPg } from "../../support/gnupg.ts";
import { chooseAll, type Dashboard, resolve } from "../../support/grafana.ts";
import { selectLines } from "../../support/logql.ts";
import { automatedDeployment, configMap } from "../../support/manifests.ts";
import { sampleOf } from "../../support/metrics.ts";
import { PrometheusServer, type QueryRange, type RangeSeries } from "../../support/prometheus.ts";
import { MemcachedServer } from "../../support/registry-memcached.ts";
import { pushImage } from "../../support/registry-push.ts";
import { RegistryServer } from "../../support/registry-server.ts";
import { type GitOptions, TestRepository } from "../../support/repository.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "monitoring");
const dashboard = JSON.parse(readFileSync(join(folder, "dashboard.json"), "utf8")) as Dashboard;

/** The queries to Prometheus of the dashboard in Flux v1's chart 1.13, and those in its page on monitoring. */
const queriesOfFlux = [
  'flux_daemon_sync_manifests{success="true"} > 0',
  'flux_daemon_sync_manifests{success="false"} > 0',
  'delta(flux_daemon_sync_duration_seconds_count{success="true"}[5m]) > 0',
  'delta(flux_daemon_sync_duration_seconds_count{success="false"}[5m]) > 0',
  'delta(flux_daemon_sync_duration_seconds_sum{success="true"}[5m])',
  "delta(flux_daemon_sync_duration_seconds_count{success='true'}[6m]) < 1",
  "flux_daemon_sync_manifests{success='false'} > 0",
];

const skip = lacks("prometheus") || lacks("docker-registry") || lacks("memcached");

describe("monitoring of a fluxd that has done a bit of everything", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let prometheus: PrometheusServer;
  let fluxd: Fluxd;
  let repository: TestRepository;
  let start: number;
  /** What makes git sign. */
  let signed: GitOptions;

  before(async () => {
    const files = stack.use(new TempFolder());
    const registry = stack.use(await RegistryServer.start());
    const memcached = stack.use(await MemcachedServer.start());
    const console = stack.use(await Console.start());
    const name = `${registry.host}/shop/web`;
    const push = (tag: string): Promise<string> =>
      pushImage(registry, { repository: "shop/web", tag, created: `2020-01-0${tag}T00:00:00Z` });
    await push("1");
    const gnupg = stack.use(await GnuPg.with("flux"));
    signed = gnupg.git("flux");
    repository = stack.use(
      await TestRepository.create(
        {
          "a.yaml": configMap("monitored"),
          "web.yaml": automatedDeployment("web", `${name}:1`, "glob:*"),
        },
        signed,
      ),
    );
    files.write("github.key", "sesame");
    const webhooks = { fluxRecvVersion: 1, endpoints: [{ source: "GitHub", keyPath: "github.key" }] };
    const webhookPort = await freePort();
    fluxd = stack.use(
      await Fluxd.start({
        gitUrl: repository.url,
        flags: [
          "--embedded-cluster",
          "--git-verify-signatures-mode=all",
          `--git-gpg-key-import=${files.write("flux.asc", await gnupg.secretKey("flux"))}`,
          "--git-signing-key=flux@example.test",
          "--registry-disable-scanning=false",
          `--registry-insecure-host=${registry.host}`,
          "--memcached-service=",
          `--memcached-hostname=${memcached.host}`,
          `--memcached-port=${memcached.port}`,
          `--connect=${console.url}`,
          `--listen-webhooks=127.0.0.1:${webhookPort}`,
          `--webhooks-config=${files.write("fluxrecv.yaml", JSON.stringify(webhooks))}`,
        ],
      }),
    );
    prometheus = stack.use(
      await PrometheusServer.start({
        job: "flux",
        targets: [new URL(fluxd.baseUrl).host],
        ruleFiles: [join(folder, "alerts.yaml")],
      }),
    );
    start = Date.now() / 1000;
    await console.daemon();
    await until("the first sync", async () => (await repository.synced()) !== "");
    await scraped(() => sampleOf(fluxd, complete));

    // An automated update, and other jobs.
    await push("2");
    await fluxd.notifyImage(registry.host, "shop/web");
    const released = async (): Promise<boolean> =>
      (await repository.upstream("show", "master:web.yaml")).includes(`${name}:2`);
    await until("the automated update", released);
    await scraped(() => sampleOf(fluxd, doneJobs));
    const workload = "--workload=default:deployment/web";
    for (const command of [
      ["release", workload, `--update-image=${name}:1`, "--force", "--dry-run"],
      ["lock", workload],
      ["unlock", workload],
      ["release", workload, `--update-image=${name}:1`, "--force", "--dry-run"],
    ]) {
      const { code, stderr } = await fluxctl(fluxd, ...command);
      assert.equal(code, 0, stderr);
    }

    // A manifest that the cluster refuses, and then manifests that can't be read.
    await repository.pull();
    await repository.push({ "b.yaml": configMap("refused", "v1", "nowhere") }, "refused", signed);
    await fluxd.notify(repository.url);
    await scraped(() => sampleOf(fluxd, 'flux_daemon_sync_manifests{success="false"}'));
    await repository.push({ "c.yaml": configMap("monitored") }, "twice", signed);
    await fluxd.notify(repository.url);
    await scraped(() => sampleOf(fluxd, failedSyncs));
    await repository.push({ "c.yaml": configMap("monitored", "v2") }, "still twice", signed);
    await fluxd.notify(repository.url);
    await until("the second failure", async () => (await sampleOf(fluxd, failedSyncs)) > 1);
    await scraped(() => sampleOf(fluxd, failedSyncs));

    await fetch(`http://127.0.0.1:${webhookPort}/hook/unknown`, { method: "POST" });
  });
  after(() => stack[Symbol.asyncDispose]());

  const complete = 'weir_last_sync_timestamp_seconds{outcome="complete"}';
  const doneJobs = 'flux_daemon_job_duration_seconds_count{success="true"}';
  const failedSyncs = 'flux_daemon_sync_duration_seconds_count{success="false"}';

  /** Waits for a value other than 0, and until Prometheus has scraped after that. */
  async function scraped(value: () => Promise<number>): Promise<void> {
    await until("the value", async () => (await value()) > 0);
    const now = Date.now() / 1000;
    await until("a scrape", async () => {
      const [series] = await prometheus.range("timestamp(up)", {
        start: now,
        end: Date.now() / 1000,
        step: 1,
      });
      return series?.values.some(([, at]) => Number(at) > now);
    });
  }

  /** From the start of the fluxd until now. */
  function sinceStart(): QueryRange {
    return { start, end: Date.now() / 1000, step: 1 };
  }

  /** Waits until a query has returned a number for some time. */
  async function returnsData(query: (range: QueryRange) => string): Promise<void> {
    await until(`data for ${query(sinceStart())}`, async () => {
      const range = sinceStart();
      return (await prometheus.range(query(range), range)).some(hasNumber);
    });
  }

  function hasNumber({ values }: RangeSeries): boolean {
    return values.some(([, value]) => Number.isFinite(Number(value)));
  }

  it("has samples of each metric in the table, and of no other", async () => {
    const text = await (await fetch(`${fluxd.baseUrl}/metrics`)).text();
    const shown = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);

    assert.deepEqual(shown.toSorted(), allMetrics.map(({ name, type }) => `${name} ${type}`).toSorted());
  });

  it("has only labels and values that the table lists", async () => {
    const text = await (await fetch(`${fluxd.baseUrl}/metrics`)).text();
    const samples = [...text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)];
    assert.ok(samples.length > 100);
    for (const [line, sample = "", labels = ""] of samples) {
      const declaration = allMetrics.find(
        ({ name, type }) =>
          name === sample || (type === "histogram" && sample.replace(/_(bucket|sum|count)$/, "") === name),
      );
      assert.ok(declaration, line);
      for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
        const values = declaration.labels[label];
        const isListed = typeof values === "string" || values?.includes(value) === true;
        assert.ok(isListed || (label === "le" && declaration.type === "histogram"), line);
      }
    }
  });

  it("fills each panel of the dashboard", async () => {
    const chosen = await until("the values of the variables", async () => {
      const all = await chooseAll(dashboard, prometheus);
      return all.get("instance") === "()" ? undefined : all;
    });
    assert.equal(chosen.get("job"), "flux");

    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    assert.ok(queries.length > 30);
    for (const expr of queries) {
      await returnsData((range) => resolve(expr, chosen, range));
    }
    for (const { expr } of dashboard.annotations.list) {
      await prometheus.range(resolve(expr, chosen, sinceStart()), sinceStart());
    }
  });

  for (const query of queriesOfFlux) {
    it(`answers a query for Flux v1: ${query}`, () => returnsData(() => query));
  }

  it("evaluates all alerts without an error", async () => {
    const rules = await until("the evaluation of the alerts", async () => {
      const { groups } = (await prometheus.ask("rules")) as RulesAnswer;
      const all = groups.flatMap((group) => group.rules);
      return all.length > 0 && all.every(({ health }) => health !== "unknown") && all;
    });

    assert.ok(rules.length > 15);
    for (const { name, health, lastError } of rules) {
      assert.equal(health, "ok", `${name}: ${lastError ?? ""}`);
    }
  });

  it("has names and help texts that promtool doesn't object to, except in what Flux v1 named", async () => {
    const text = await (await fetch(`${fluxd.baseUrl}/metrics`)).text();
    const own = text.split("\n\n").filter((metric) => !metric.startsWith("# HELP flux_"));

    const { status, stdout, stderr } = spawnSync(
      findProgram("promtool") ?? "promtool",
      ["check", "metrics"],
      { input: `${own.join("\n")}\n`, encoding: "utf8" },
    );

    assert.deepEqual([status, stdout, stderr], [0, "", ""]);
  });

  it("has a log with what the queries for Loki look for", () => {
    const page = readFileSync(join(folder, "..", "docs", "monitoring.md"), "utf8");
    const queries = [...page.matchAll(/^```logql\n(.*)\n```$/gm)].map(([, query = ""]) => query);

    assert.equal(queries.length, 5);
    for (const query of queries) {
      assert.notEqual(selectLines(query, fluxd.log.split("\n")).length, 0, query);
    }
  });

  it("shows that a commit isn't signed, with the query of the dashboard and the alert", async () => {
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const expr = queries.find((each) => each.includes("weir_git_head_verified")) ?? "";
    const chosen = await chooseAll(dashboard, prometheus);
    const values = async (from: number): Promise<readonly string[]> => {
      const range = { start: from, end: Date.now() / 1000, step: 1 };
      const [series] = await prometheus.range(resolve(expr, chosen, range), range);
      return series?.values.map(([, value]) => value) ?? [];
    };
    assert.deepEqual([...new Set(await values(start))], ["1"]);
    const before = Date.now() / 1000;

    await repository.push({ "c.yaml": null }, "unsigned");
    await fluxd.notify(repository.url);

    await until("the panel to show it", async () => (await values(before)).at(-1) === "0");
    const alert = 'ALERTS{alertname="WeirCommitNotVerified"}';
    await until("the alert", async () =>
      (await prometheus.range(alert, { start: before, end: Date.now() / 1000, step: 1 })).some(hasNumber),
    );
  });

  // The last test, because it takes the upstream away.
  it("shows that git isn't ready, with Flux v1's query and the alert", async () => {
    const now = (): number => Date.now() / 1000;
    // It wasn't ready at the start, either.
    const before = now();
    const unready = (from: number): ReturnType<PrometheusServer["range"]> =>
      prometheus.range("flux_git_ready < 1", { start: from, end: now(), step: 1 });
    assert.deepEqual(await unready(before), []);

    await rename(repository.bare, `${repository.bare}.away`);
    await fluxd.notify(repository.url);

    await until("git to be shown as not ready", async () => (await unready(before)).some(hasNumber));
    const alert = 'ALERTS{alertname="WeirGitNotReady"}';
    await until("the alert", async () =>
      (await prometheus.range(alert, { start: before, end: now(), step: 1 })).some(hasNumber),
    );
  });
});

interface RulesAnswer {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly name: string;
      readonly health: string;
      readonly lastError?: string;
    }[];
  }[];
}

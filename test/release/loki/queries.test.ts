import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { automatedDeployment, configMap } from "../../support/manifests.ts";
import { pushImage } from "../../support/registry-push.ts";
import { RegistryServer } from "../../support/registry-server.ts";
import { TestRepository } from "../../support/repository.ts";
import { LokiServer, type TimedLine } from "./loki-server.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/monitoring.md"), "utf8");

/** The queries of the page, in its order. */
const queries = [...page.matchAll(/^```logql\n(.*)\n```$/gm)].map(([, query = ""]) => query);

/** What the page's configuration makes labels of, for a fluxd in the namespace "flux". */
const labels = { namespace: "flux", container: "flux", app: "flux" };

describe("Loki with the log of a fluxd", { skip: lacks("Go") || lacks("docker-registry") }, () => {
  const stack = new AsyncDisposableStack();
  let loki: LokiServer;
  before(async () => {
    loki = stack.use(await LokiServer.start());
  });
  after(() => stack.disposeAsync());

  it("is asked each kind of query", () => {
    assert.equal(queries.length, 5);
    const targets = ["namespace", "container", "app"].map((label) => `target_label  = "${label}"`);
    assert.deepEqual(
      targets.filter((target) => !page.includes(target)),
      [],
    );
  });

  for (const format of ["logfmt", "json"]) {
    it(`answers each query of the documentation, with --log-format=${format}`, async () => {
      const log = await logOf(format === "json" ? "json" : "fmt");
      const namespace = `flux-${format}`;
      await loki.push({ ...labels, namespace }, log);
      /** The query for this format and namespace. */
      const results = async (index: number): Promise<readonly string[]> => {
        const query = (queries[index] ?? "")
          .replace('namespace="flux"', `namespace="${namespace}"`)
          .replace("| logfmt", `| ${format}`);
        const found = await until(`data for ${query}`, async () => {
          const streams = await loki.query(query);
          return streams.length > 0 && streams;
        });
        return found.flatMap(({ values, metric = {} }) =>
          values.map(([, text]) => ("component" in metric ? `${metric["component"]}: ${text}` : text)),
        );
      };

      const [errors, syncs, jobs, updates, byComponent] = [
        await results(0),
        await results(1),
        await results(2),
        await results(3),
        await results(4),
      ];

      const lines = log.map(([, line]) => line);
      assert.ok(errors.every((line) => lines.includes(line) && line.includes("err")));
      assert.ok(errors.some((line) => line.includes("nowhere")));
      assert.match(syncs.join("\n"), /^[0-9a-f]{40}\.\.[0-9a-f]{40}$/m);
      assert.match(jobs.join("\n"), /^[0-9a-f-]{36} success=true\s*$/m);
      assert.match(updates.join("\n"), /^default:deployment\/web: \S+\/shop\/web:1 to \S+\/shop\/web:2$/m);
      assert.ok(
        byComponent.some((line) => /^sync-loop: [1-9]/.test(line)),
        byComponent.join("\n"),
      );
    });
  }
});

/** The log of a fluxd that has synced, done jobs, updated an image, and met a manifest that the cluster refuses. */
async function logOf(format: "fmt" | "json"): Promise<readonly TimedLine[]> {
  await using stack = new AsyncDisposableStack();
  const registry = stack.use(await RegistryServer.start());
  const name = `${registry.host}/shop/web`;
  const push = (tag: string): Promise<string> =>
    pushImage(registry, { repository: "shop/web", tag, created: `2020-01-0${tag}T00:00:00Z` });
  await push("1");
  const repository = stack.use(
    await TestRepository.create({ "web.yaml": automatedDeployment("web", `${name}:1`, "glob:*") }),
  );
  const fluxd = stack.use(
    await Fluxd.start({
      gitUrl: repository.url,
      flags: [
        "--embedded-cluster",
        `--log-format=${format}`,
        "--registry-disable-scanning=false",
        `--registry-insecure-host=${registry.host}`,
      ],
    }),
  );
  await fluxd.ready();
  await until("the first sync", async () => (await repository.synced()) !== "");
  await push("2");
  await until("the automated update", async () => {
    await fluxd.notifyImage(registry.host, "shop/web");
    return (await repository.upstream("show", "master:web.yaml")).includes(`${name}:2`);
  });
  const { code, stderr } = await fluxctl(fluxd, "lock", "--workload=default:deployment/web");
  assert.equal(code, 0, stderr);
  await repository.pull();
  await repository.push({ "b.yaml": configMap("refused", "v1", "nowhere") }, "refused");
  await fluxd.notify(repository.url);
  await fluxd.logged("nowhere");
  await fluxd.stop();
  const lines = fluxd.log.split("\n").filter((line) => line !== "");
  const now = BigInt(Date.now()) * 1_000_000n;
  return lines.map((line, index) => [String(now + BigInt(index)), line]);
}

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { findProgram, lacks, TempFolder, until } from "@weir/testing";
import { chooseAll, type Dashboard, resolve } from "../../../../test/support/grafana.ts";
import { PrometheusServer, type QueryRange, type RangeSeries } from "../../../../test/support/prometheus.ts";
import { ConsoleServer } from "../../support/console-server.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "..", "monitoring");
const dashboard = JSON.parse(readFileSync(join(folder, "console-dashboard.json"), "utf8")) as Dashboard;

describe("monitoring of a console", { skip: lacks("prometheus") }, () => {
  const stack = new AsyncDisposableStack();
  let console: ConsoleServer;
  let prometheus: PrometheusServer;
  let start: number;
  before(async () => {
    console = stack.use(await ConsoleServer.start({ folder: stack.use(new TempFolder()).path }));
    prometheus = stack.use(
      await PrometheusServer.start({
        job: "console",
        targets: [new URL(console.url).host],
        ruleFiles: [join(folder, "console-alerts.yaml")],
      }),
    );
    start = Date.now() / 1000;
  });
  after(() => stack.disposeAsync());

  const sinceStart = (): QueryRange => ({ start, end: Date.now() / 1000, step: 1 });

  it("returns data for every query of the dashboard", async () => {
    const chosen = await until("the variables of the dashboard", async () => {
      const values = await chooseAll(dashboard, prometheus);
      return values.get("job") === "console" && values.get("instance") !== "()" && values;
    });

    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    assert.ok(queries.length > 10);
    for (const expr of queries) {
      await until(`data for ${expr}`, async () => {
        // Requests are counted when they are answered.
        await console.browser().ask("loginOptions");
        const range = sinceStart();
        return (await prometheus.range(resolve(expr, chosen, range), range)).some(hasNumber);
      });
    }
    for (const { expr } of dashboard.annotations.list) {
      await prometheus.range(resolve(expr, chosen, sinceStart()), sinceStart());
    }
  });

  it("evaluates all alerts without an error, and none of them fires", async () => {
    const rules = await until("the evaluation of the alerts", async () => {
      const { groups } = (await prometheus.ask("rules")) as RulesAnswer;
      const all = groups.flatMap((group) => group.rules);
      return all.length > 0 && all.every(({ health }) => health !== "unknown") && all;
    });

    assert.deepEqual(
      rules.filter(({ health, state }) => health !== "ok" || state !== "inactive"),
      [],
    );
  });

  it("has names and help texts that promtool doesn't object to", async () => {
    const text = await (await fetch(`${console.url}/metrics`)).text();

    const { status, stdout, stderr } = spawnSync(
      findProgram("promtool") ?? "promtool",
      ["check", "metrics"],
      { input: text, encoding: "utf8" },
    );

    assert.deepEqual([status, stdout, stderr], [0, "", ""]);
  });
});

function hasNumber({ values }: RangeSeries): boolean {
  return values.some(([, value]) => Number.isFinite(Number(value)));
}

interface RulesAnswer {
  readonly groups: readonly {
    readonly rules: readonly { readonly name: string; readonly health: string; readonly state: string }[];
  }[];
}

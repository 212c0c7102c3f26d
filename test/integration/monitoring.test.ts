import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { MetricDeclaration } from "@weir/base";
import { parse } from "yaml";
import { allMetrics } from "../../cmd/fluxd/metrics.ts";
import { allConsoleMetrics } from "../../hub/src/program/metrics.ts";
import type { Dashboard, Panel } from "../support/grafana.ts";

const folder = join(import.meta.dirname, "..", "..", "monitoring");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
}

interface AlertCase {
  readonly alertname: string;
  readonly exp_alerts: readonly unknown[];
}

/** What is delivered for a program. */
interface Monitored {
  readonly program: string;
  /** What its files begin with. */
  readonly prefix: string;
  readonly metrics: readonly MetricDeclaration[];
}

const programs: readonly Monitored[] = [
  { program: "fluxd", prefix: "", metrics: allMetrics },
  { program: "the console", prefix: "console-", metrics: allConsoleMetrics },
];

function read(name: string): unknown {
  return parse(readFileSync(join(folder, name), "utf8"));
}

for (const monitored of programs) {
  describeAlerts(monitored);
  describeDashboard(monitored);
}

function describeAlerts({ program, prefix, metrics }: Monitored): void {
  describe(`the alerts of ${program}`, () => {
    const { groups } = read(`${prefix}alerts.yaml`) as {
      readonly groups: readonly { readonly rules: readonly Rule[] }[];
    };
    const alerts = groups.flatMap(({ rules }) => rules);

    it("each have a test in which they fire, and one in which they don't", () => {
      const { tests } = read(`${prefix}alerts.test.yaml`) as {
        readonly tests: readonly { readonly alert_rule_test: readonly AlertCase[] }[];
      };
      const cases = tests.flatMap((each) => each.alert_rule_test);
      for (const { alert } of alerts) {
        const own = cases.filter(({ alertname }) => alertname === alert);
        assert.ok(
          own.some(({ exp_alerts }) => exp_alerts.length > 0),
          `${alert} fires`,
        );
        assert.ok(
          own.some(({ exp_alerts }) => exp_alerts.length === 0),
          `${alert} doesn't fire`,
        );
      }
    });

    it("say how bad it is, in one of two words", () => {
      for (const { alert, labels } of alerts) {
        assert.ok(["critical", "warning"].includes(labels.severity), alert);
      }
    });

    for (const { alert, expr } of alerts) {
      it(`use only metrics and label values that exist: ${alert}`, () => assertKnown(expr, metrics));
    }
  });
}

function describeDashboard({ program, prefix, metrics }: Monitored): void {
  describe(`the dashboard of ${program}`, () => {
    const dashboard = JSON.parse(readFileSync(join(folder, `${prefix}dashboard.json`), "utf8")) as Dashboard;
    const panels = dashboard.panels.filter(({ type }) => type !== "row");

    it("can be imported: a schema of Grafana 9, an own uid, and a data source to choose", () => {
      assert.equal(dashboard.schemaVersion, 37);
      assert.match(dashboard.uid, /^[a-zA-Z0-9_-]{1,40}$/);
      assert.deepEqual(
        dashboard.templating.list.map(({ name, type }) => `${name}: ${type}`),
        ["datasource: datasource", "job: query", "instance: query"],
      );
      const sources = panels.map(({ datasource }) => JSON.stringify(datasource));
      assert.deepEqual([...new Set(sources)], ['{"type":"prometheus","uid":"${datasource}"}']);
    });

    it("has panels with IDs of their own, and queries with names of their own", () => {
      const ids = dashboard.panels.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      for (const { title, targets = [] } of panels) {
        const names = targets.map(({ refId }) => refId);
        assert.ok(names.length > 0, title);
        assert.equal(new Set(names).size, names.length, title);
      }
    });

    it("has panels that are inside its 24 columns and don't overlap", () => {
      for (const [at, one] of dashboard.panels.entries()) {
        assert.ok(one.gridPos.x >= 0 && one.gridPos.x + one.gridPos.w <= 24, one.title);
        for (const other of dashboard.panels.slice(0, at)) {
          assert.ok(!overlap(one, other), `${one.title} and ${other.title}`);
        }
      }
    });

    it("uses only metrics and label values that exist, and all metrics", () => {
      const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      queries.forEach((query) => assertKnown(query, metrics));
      const shown = new Set(queries.flatMap((query) => metricsIn(query, metrics)));
      const missing = metrics.map(({ name }) => name).filter((name) => !shown.has(name));
      assert.deepEqual(missing, []);
    });
  });
}

function overlap({ gridPos: one }: Panel, { gridPos: other }: Panel): boolean {
  return (
    one.x < other.x + other.w &&
    other.x < one.x + one.w &&
    one.y < other.y + other.h &&
    other.y < one.y + one.h
  );
}

/** The names of the metrics in a query, without the suffixes of histograms. */
function metricsIn(expr: string, metrics: readonly MetricDeclaration[]): readonly string[] {
  return [...expr.matchAll(/\b(?:flux|weir|process)_\w+/g)].map(([name]) => {
    const base = name.replace(/_(bucket|sum|count)$/, "");
    return metrics.some((each) => each.name === base && each.type === "histogram") ? base : name;
  });
}

function assertKnown(expr: string, metrics: readonly MetricDeclaration[]): void {
  assert.ok(metricsIn(expr, metrics).length > 0, expr);
  for (const name of metricsIn(expr, metrics)) {
    assert.ok(
      metrics.some((each) => each.name === name),
      `${name} in ${expr}`,
    );
  }
  for (const [, name = "", labels = ""] of expr.matchAll(/\b(\w+)\{([^}]*)\}/g)) {
    const declared = metrics.find((each) => each.name === metricsIn(name, metrics)[0]);
    for (const [, label = "", values = ""] of labels.matchAll(/(\w+)(?:=~|!~|=|!=)"([^"]*)"/g)) {
      const known = declared?.labels[label];
      if (!["job", "instance"].includes(label)) {
        assert.ok(known !== undefined, `${name} has the label ${label}`);
        assert.ok(
          values.split("|").every((value) => typeof known === "string" || known.includes(value)),
          `${label} can be ${values}`,
        );
      }
    }
  }
}

import type { PanelSpec, Query, RowSpec } from "./rows.ts";

/** Grafana's columns. */
const columns = 24;
const rowHeight = 1;
const heights: Readonly<Record<PanelSpec["kind"], number>> = { stat: 4, graph: 8 };

const datasource = { type: "prometheus", uid: "${datasource}" };

/** The series of the chosen processes. */
const selector = 'job=~"$job",instance=~"$instance"';

/** A dashboard: what it's of, and what it shows. */
export interface DashboardSpec {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** The program whose processes can be chosen. */
  readonly program: string;
  /** A metric that each of them has. */
  readonly buildInfo: string;
  readonly rows: readonly RowSpec[];
}

/** The dashboard as JSON that Grafana 9 and newer import. */
export function dashboard({ rows, program, buildInfo, ...heading }: DashboardSpec): string {
  const model = {
    ...heading,
    schemaVersion: 37,
    version: 1,
    editable: true,
    graphTooltip: 1,
    time: { from: "now-6h", to: "now" },
    refresh: "1m",
    annotations: { list: [restartsOf(program)] },
    templating: {
      list: [
        { type: "datasource", name: "datasource", label: "Data source", query: "prometheus", current: {} },
        variable("job", "Job", `label_values(${buildInfo}, job)`),
        variable("instance", "Instance", `label_values(${buildInfo}{job=~"$job"}, instance)`),
      ],
    },
    panels: placed(rows),
  };
  return `${JSON.stringify(model, undefined, 2)}\n`;
}

function restartsOf(program: string): object {
  return {
    name: "Restarts",
    datasource,
    enable: true,
    iconColor: "orange",
    expr: `changes(process_start_time_seconds{${selector}}[2m]) > 0`,
    step: "1m",
    titleFormat: `${program} has restarted`,
  };
}

function variable(name: string, label: string, query: string): object {
  return {
    type: "query",
    name,
    label,
    datasource,
    query: { query, refId: name },
    definition: query,
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    current: { selected: true, text: ["All"], value: ["$__all"] },
  };
}

/** All panels with their places: rows below each other, and in each, panels from left to right. */
function placed(rows: readonly RowSpec[]): readonly object[] {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: "row",
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y, w: columns, h: rowHeight },
      panels: [],
    });
    y += rowHeight;
    let x = 0;
    let lineHeight = 0;
    for (const spec of row.panels) {
      if (x + spec.width > columns) {
        [x, y, lineHeight] = [0, y + lineHeight, 0];
      }
      const h = heights[spec.kind];
      panels.push({ id: panels.length + 1, ...panel(spec), gridPos: { x, y, w: spec.width, h } });
      x += spec.width;
      lineHeight = Math.max(lineHeight, h);
    }
    y += lineHeight;
  }
  return panels;
}

function panel(spec: PanelSpec): object {
  const { kind, title, description, unit } = spec;
  return {
    type: kind === "stat" ? "stat" : "timeseries",
    title,
    description,
    datasource,
    targets: spec.queries.map((query, at) => target(query, at, kind)),
    fieldConfig: {
      defaults: {
        unit,
        min: unit === "dateTimeFromNow" ? null : 0,
        thresholds: { mode: "absolute", steps: thresholds(spec.alarm) },
        color: { mode: kind === "stat" ? "thresholds" : "palette-classic" },
      },
      overrides: [],
    },
    options:
      kind === "stat"
        ? { reduceOptions: { calcs: ["lastNotNull"] }, colorMode: "value", graphMode: "none" }
        : { tooltip: { mode: "multi", sort: "desc" }, legend: { displayMode: "list", placement: "bottom" } },
  };
}

function target({ expr, legend }: Query, at: number, kind: PanelSpec["kind"]): object {
  return {
    refId: String.fromCharCode("A".charCodeAt(0) + at),
    datasource,
    expr: expr.replaceAll("$chosen", selector),
    legendFormat: legend,
    ...(kind === "stat" ? { instant: true } : { range: true }),
  };
}

function thresholds(alarm: PanelSpec["alarm"]): readonly object[] {
  if (alarm === undefined) {
    return [{ color: "green", value: null }];
  }
  if ("low" in alarm) {
    return [
      { color: "red", value: null },
      { color: "green", value: alarm.low },
    ];
  }
  return [
    { color: "green", value: null },
    ...(alarm.warning === undefined ? [] : [{ color: "yellow", value: alarm.warning }]),
    ...(alarm.critical === undefined ? [] : [{ color: "red", value: alarm.critical }]),
  ];
}

import { hasPolicy } from "@weir/flux";
import { fit, type Line, type Span, span } from "./line.ts";
import type { TopState } from "./model.ts";
import { type Row, shortName, type Tally } from "./rows.ts";
import { healthMark, syncMark, syncWord } from "./status.ts";

/** The widths of the columns of the tree; words instead of marks where there's room. */
export interface TreeColumns {
  readonly name: number;
  readonly sync: number;
  readonly health: number;
  readonly message: number;
  readonly hasWords: boolean;
}

/** Divides the width of the screen. */
export function columnsOf(width: number): TreeColumns {
  const hasWords = width >= 60;
  const [sync, health] = hasWords ? [10, 12] : [2, 3];
  const rest = Math.max(8, width - sync - health);
  const message = width < 80 ? 0 : Math.floor(rest * 0.45);
  return { name: rest - message, sync, health, message, hasWords };
}

/** The names of the columns. */
export function headingLine({ name, sync, health, message, hasWords }: TreeColumns): Line {
  const names = hasWords
    ? [fit("  RESOURCE", name), fit("SYNC", sync), fit("HEALTH", health), fit("MESSAGE", message)]
    : [fit("  RESOURCE", name), fit("S", sync), fit("H", health)];
  return { spans: names.map((text) => span(text, "heading")) };
}

/** How to draw a row. */
interface RowLook {
  readonly columns: TreeColumns;
  readonly state: Pick<TopState, "findings">;
  readonly isSelected: boolean;
}

/** A node: its place in the tree, its name, and how it stands. */
export function treeLine(row: Row, { columns, state, isSelected }: RowLook): Line {
  const { depth, isOpen, node } = row;
  const pointer = isSelected ? ">" : " ";
  const mark = isOpen === undefined ? " " : isOpen ? "-" : "+";
  const name = (text: string): string =>
    cell(`${pointer}${"  ".repeat(depth)}${mark} ${span(text).text}`, columns.name);
  return {
    isSelected,
    spans:
      node.kind === "namespace"
        ? [span(name(node.name), "heading"), ...tallySpans(node.tally, columns)]
        : [
            span(name(`${shortName(node.status.id)}${policyMarks(row, state)}`)),
            ...statusSpans(node.status, columns, state),
          ],
  };
}

/** The policies that decide whether a workload changes. */
function policyMarks({ node }: Row, { findings }: RowLook["state"]): string {
  const policies =
    node.kind === "resource" && node.status.id === node.root
      ? (findings.workloads.get(node.root)?.policies ?? {})
      : {};
  const set = ["locked", "automated", "ignore"].filter((policy) => hasPolicy(policies, policy));
  return set.length === 0 ? "" : ` [${set.join(",")}]`;
}

function statusSpans(
  status: Extract<Row["node"], { kind: "resource" }>["status"],
  { sync, health, message, hasWords }: TreeColumns,
  { findings }: RowLook["state"],
): readonly Span[] {
  const compared = syncMark(syncWord(status, findings.unapplied));
  const state = healthMark(status.health);
  const written = ({ word, short }: { word: string; short: string }): string => (hasWords ? word : short);
  return [
    span(cell(written(compared), sync), compared.tone),
    span(cell(written(state), health), state.tone),
    ...(message === 0
      ? []
      : [span(fit(span(status.message).text, message), state.tone === "bad" ? "bad" : "faint")]),
  ];
}

/** A text in a column, with a space after it. */
function cell(text: string, width: number): string {
  return `${fit(text, width - 1)} `;
}

/** What a namespace has that needs attention; where there's little room, only its marks. */
function tallySpans(
  { resources, unhealthy, progressing, pending, drifted }: Tally,
  columns: TreeColumns,
): readonly Span[] {
  if (!columns.hasWords) {
    const sync = drifted > 0 ? syncMark("drift") : syncMark(pending > 0 ? "pending" : "synced");
    const health = healthMark(unhealthy > 0 ? "Degraded" : progressing > 0 ? "Progressing" : "Healthy");
    return [
      span(cell(sync.short, columns.sync), sync.tone),
      span(cell(health.short, columns.health), health.tone),
    ];
  }
  return [
    ...(unhealthy === 0 ? [] : [span(`${unhealthy} unhealthy  `, "bad")]),
    ...(progressing === 0 ? [] : [span(`${progressing} progressing  `, "pending")]),
    ...(drifted === 0 ? [] : [span(`${drifted} drifted  `, "bad")]),
    ...(pending === 0 ? [] : [span(`${pending} pending  `, "pending")]),
    span(`${resources} in all`, "faint"),
  ];
}

import { nameOf, printAge } from "../../tables/cell-text.ts";
import { nodeAt, numberAt, stringAt, type Tree, type TreeNode } from "../../tree.ts";

/** The cells of Events. */
export function eventCells(event: Tree, now: number): TreeNode[] {
  const first = printAge(nodeAt(event, "firstTimestamp") ?? nodeAt(event, "eventTime"), now);
  const seriesTime = nodeAt(event, "series", "lastObservedTime");
  const lastTime = nodeAt(event, "lastTimestamp");
  const last = lastTime === null || lastTime === undefined ? first : printAge(lastTime, now);
  const kind = stringAt(event, "involvedObject", "kind").toLowerCase();
  const target = stringAt(event, "involvedObject", "name");
  return [
    seriesTime === undefined ? last : printAge(seriesTime, now),
    stringAt(event, "type"),
    stringAt(event, "reason"),
    target === "" ? kind : `${kind}/${target}`,
    stringAt(event, "involvedObject", "fieldPath"),
    eventSource(event),
    stringAt(event, "message").trim(),
    first,
    numberAt(event, "series", "count") ?? (numberAt(event, "count") || 1),
    nameOf(event),
  ];
}

function eventSource(event: Tree): string {
  const component = stringAt(event, "source", "component") || stringAt(event, "reportingComponent");
  const host = stringAt(event, "source", "host") || stringAt(event, "reportingInstance");
  return host === "" ? component : `${component}, ${host}`;
}

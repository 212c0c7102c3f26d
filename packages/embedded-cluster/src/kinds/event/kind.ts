import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { nameOf, printAge } from "../../tables/cell-text.ts";
import { nodeAt, numberAt, stringAt, type Tree, type TreeNode } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import type { Kind } from "../kind.ts";

/** The rules of Events, which are kept in the form of the core group. */
const eventRules: KindRules = {
  dependents: "unsupported",
  createOnUpdate: true,
  check: (event) => (event.at("eventTime").isSet ? checkNew(event) : checkOld(event)),
  selectableFields: (event) => ({
    ...Object.fromEntries(
      ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map((field) => [
        `involvedObject.${field}`,
        stringAt(event, "involvedObject", field),
      ]),
    ),
    reason: stringAt(event, "reason"),
    reportingComponent: stringAt(event, "reportingComponent"),
    source: stringAt(event, "source", "component") || stringAt(event, "reportingComponent"),
    type: stringAt(event, "type"),
  }),
};

const mismatch = "does not match event.namespace";

function checkOld(event: Field): FieldError[] {
  const namespace = event.at("metadata.namespace").text;
  const about = event.at("involvedObject.namespace");
  const isMatch = about.text === "" ? namespace === "default" : about.text === namespace;
  return faults(isMatch || about.invalid(mismatch));
}

const limits = { reportingInstance: 128, action: 128, reason: 128, message: 1024 };

/** Events with a time of their own say who reports them, and what was done. */
function checkNew(event: Field): FieldError[] {
  const about = event.at("involvedObject.namespace");
  const isFree = ["default", "kube-system"].includes(event.at("metadata.namespace").text);
  return faults(
    about.text !== "" || isFree || about.invalid(mismatch),
    event.all(["reportingComponent", "reportingInstance", "action", "reason"], (field) => field.needs()),
    Object.entries(limits).flatMap(([name, limit]) => checkLength(event.at(name), limit)),
  );
}

function checkLength(field: Field, limit: number): FieldError[] {
  return faults(field.text.length <= limit || field.invalid(`can have at most ${limit} characters`, ""));
}

/** The cells of Events. */
function eventCells(event: Tree, now: number): TreeNode[] {
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

/** Events. */
export const event: Kind = { bucket: "events", rules: eventRules, cells: eventCells };

import { type FieldError, faults, invalid, required } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { stringAt, type Tree } from "../../tree.ts";

/** The rules of Events, which are kept in the form of the core group. */
export const eventRules: KindRules = {
  dependents: "unsupported",
  createOnUpdate: true,
  check: ({ tree: event }) => (stringAt(event, "eventTime") === "" ? checkOld(event) : checkNew(event)),
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

function checkOld(event: Tree): FieldError[] {
  const namespace = stringAt(event, "metadata", "namespace");
  const about = stringAt(event, "involvedObject", "namespace");
  const isMatch = about === "" ? namespace === "default" : about === namespace;
  return isMatch ? [] : [invalid("involvedObject.namespace", about, mismatch)];
}

const limits: Readonly<Record<string, number>> = {
  reportingInstance: 128,
  action: 128,
  reason: 128,
  message: 1024,
};

/** Events with a time of their own say who reports them, and what was done. */
function checkNew(event: Tree): FieldError[] {
  const about = stringAt(event, "involvedObject", "namespace");
  const isFree = ["default", "kube-system"].includes(stringAt(event, "metadata", "namespace"));
  return faults(
    about === "" && !isFree && invalid("involvedObject.namespace", about, mismatch),
    ["reportingComponent", "reportingInstance", "action", "reason"].flatMap((field) =>
      stringAt(event, field) === "" ? [required(field)] : [],
    ),
    Object.entries(limits).flatMap(([field, limit]) =>
      stringAt(event, field).length > limit
        ? [invalid(field, "", `can have at most ${limit} characters`)]
        : [],
    ),
  );
}

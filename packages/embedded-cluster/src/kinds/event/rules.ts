import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { stringAt } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";

/** The rules of Events, which are kept in the form of the core group. */
export const eventRules: KindRules = {
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

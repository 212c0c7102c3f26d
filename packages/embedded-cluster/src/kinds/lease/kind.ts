import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { stringAt } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import type { Kind } from "../kind.ts";

/** The rules of Leases. */
const leaseRules: KindRules = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  check: (lease) => checkSpec(lease.at("spec")),
};

function checkSpec(spec: Field): FieldError[] {
  const [seconds, holder] = [spec.at("leaseDurationSeconds"), spec.at("preferredHolder")];
  const isChosen = holder.text !== "" && spec.at("strategy").text === "";
  return faults(
    seconds.isSet && seconds.number <= 0 && seconds.invalid("must be greater than 0"),
    spec.at("leaseTransitions").atLeast(0),
    isChosen && holder.forbidden("may only be specified if `strategy` is defined"),
  );
}

/** The cells of Leases. */
const leaseCells: Cells = (object, now) => [
  nameOf(object),
  stringAt(object, "spec", "holderIdentity"),
  ageOf(object, now),
];

/** Leases. */
export const lease: Kind = { bucket: "leases.coordination.k8s.io", rules: leaseRules, cells: leaseCells };

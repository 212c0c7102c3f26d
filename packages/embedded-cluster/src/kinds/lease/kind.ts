import { type FieldError, faults } from "../../field-errors.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { drop, ensureTree, stringAt, type Tree } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import type { Kind } from "../kind.ts";

/** Coordinated leader election is off by default. The API server then drops its fields. */
function dropElection(lease: Tree): void {
  const spec = ensureTree(lease, "spec");
  drop(spec, "preferredHolder");
  drop(spec, "strategy");
}

function checkSpec(spec: Field): FieldError[] {
  const seconds = spec.at("leaseDurationSeconds");
  return faults(
    seconds.isSet && seconds.number <= 0 && seconds.invalid("must be greater than 0"),
    spec.at("leaseTransitions").atLeast(0),
  );
}

/** Leases. */
export const lease: Kind = {
  bucket: "leases.coordination.k8s.io",
  rules: {
    createOnUpdate: true,
    unconditionalUpdate: false,
    prepareCreate: dropElection,
    prepareUpdate: dropElection,
    check: (lease) => checkSpec(lease.at("spec")),
  },
  cells: (object, now) => [nameOf(object), stringAt(object, "spec", "holderIdentity"), ageOf(object, now)],
};

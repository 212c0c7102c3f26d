import { faults, forbidden, invalid } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { numberAt, stringAt, treeAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";

/** The rules of Leases. */
const leaseRules: KindRules = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  check: ({ tree: lease }) => {
    const spec = treeAt(lease, "spec");
    const [seconds, transitions] = [
      numberAt(spec, "leaseDurationSeconds"),
      numberAt(spec, "leaseTransitions"),
    ];
    const strategy = stringAt(spec, "strategy");
    return faults(
      seconds !== undefined &&
        seconds <= 0 &&
        invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0"),
      transitions !== undefined &&
        transitions < 0 &&
        invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0"),
      stringAt(spec, "preferredHolder") !== "" &&
        strategy === "" &&
        forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined"),
    );
  },
};

/** The cells of Leases. */
const leaseCells: Cells = (object, now) => [
  nameOf(object),
  stringAt(object, "spec", "holderIdentity"),
  ageOf(object, now),
];

/** Leases. */
export const lease: Kind = { bucket: "leases.coordination.k8s.io", rules: leaseRules, cells: leaseCells };

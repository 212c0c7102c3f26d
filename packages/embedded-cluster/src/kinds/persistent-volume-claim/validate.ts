/** What a claim asks of storage. */

import { parseQuantity } from "@weir/kube";
import { type FieldError, faults } from "../../field-errors.ts";
import { checkLabelSelector } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { dnsSubdomain } from "../../validate/text-rules.ts";

/** The spec of a PersistentVolumeClaim. */
export function checkClaimSpec(spec: Field): FieldError[] {
  const modes = spec.at("accessModes");
  return faults(
    modes.items.length === 0 && modes.required("at least 1 access mode is required"),
    checkLabelSelector(spec.at("selector")),
    checkModes(modes),
    checkStorage(spec.at("resources.requests.storage").shownAs(`${spec.path}.resources[storage]`)),
    spec.at("storageClassName").check(dnsSubdomain),
    spec.at("volumeMode").check(),
    checkSource(spec.at("dataSource")),
  );
}

/** Access modes that are known; one of them does not go with others. */
export function checkModes(modes: Field): FieldError[] {
  const isMixed = modes.texts.includes("ReadWriteOncePod") && new Set(modes.texts).size > 1;
  return faults(
    modes.each((mode) => mode.shownAs(modes.path).oneOf(modes.words)),
    isMixed && modes.forbidden("may not use ReadWriteOncePod with other access modes"),
  );
}

/** The mode of a volume, or of the one that a claim asks for, stays. */
export function checkSameMode(object: Field, old: Field): FieldError[] {
  // As in the API server, the path leaves the spec out.
  return object.at("spec.volumeMode").shownAs("volumeMode").unchanged(old.at("spec.volumeMode"));
}

function checkStorage(storage: Field): FieldError[] {
  if (typeof storage.value !== "string") {
    return [storage.required()];
  }
  return faults((parseQuantity(storage.text) ?? 0n) <= 0n && storage.invalid("must be greater than zero"));
}

function checkSource(source: Field): FieldError[] {
  return source.isSet ? source.all(["name", "kind"], (field) => field.needs()) : [];
}

/** Pods, and what an update of a pod may change. */
import { type FieldError, faults } from "../../../field-errors.ts";
import { equalNodes, semanticallyEqual, type Tree } from "../../../tree.ts";
import { maxInt32, without } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { specDiff } from "../../../validate/spec-diff.ts";
import { checkImage } from "./containers.ts";
import { checkPodSpec } from "./pod-spec.ts";
import { checkToleration } from "./scheduling.ts";

/** A new pod. */
export function checkPod(pod: Field): FieldError[] {
  const spec = pod.at("spec");
  const [ephemeral, node] = [spec.at("ephemeralContainers"), spec.at("nodeName")];
  const isGated = spec.at("schedulingGates").items.length > 0;
  return faults(
    checkPodSpec(spec),
    ephemeral.items.length > 0 && ephemeral.forbidden("cannot be set on create"),
    isGated &&
      node.text !== "" &&
      node.forbidden("cannot be set until all schedulingGates have been cleared"),
  );
}

const containerLists = ["containers", "initContainers"];

/** A pod that replaces `old`: images, deadlines, added tolerations and removed gates are all that may change. */
export function checkPodUpdate(pod: Field, old: Field): FieldError[] {
  const [spec, before] = [pod.at("spec"), old.at("spec")];
  const resized = containerLists.find((list) => spec.at(list).items.length !== before.at(list).items.length);
  if (resized === undefined) {
    return [...checkPodSpec(spec), ...spec.all(containerLists, checkImages), ...checkChanges(spec, before)];
  }
  const kept = containerLists.slice(0, containerLists.indexOf(resized));
  return faults(
    checkPodSpec(spec),
    spec.all(kept, checkImages),
    spec.at(resized).forbidden("pod updates may not add or remove containers"),
  );
}

function checkImages(containers: Field): FieldError[] {
  return containers.each(checkImage);
}

function checkChanges(spec: Field, before: Field): FieldError[] {
  return [
    ...checkDeadline(spec.at("activeDeadlineSeconds"), before.at("activeDeadlineSeconds")),
    ...checkOnlyAdded(spec.at("tolerations"), before.at("tolerations")),
    ...checkOnlyUngated(spec.at("schedulingGates"), before.at("schedulingGates")),
    ...checkRest(spec, before),
  ];
}

function checkDeadline(now: Field, before: Field): FieldError[] {
  if (!now.isSet) {
    return faults(before.isSet && now.invalid("must not update from a positive integer to nil value"));
  }
  const range = now.between(0, maxInt32);
  const isLater = range.length === 0 && before.isSet && before.number < now.number;
  return faults(range, isLater && now.invalid("must be less than or equal to previous value"));
}

function checkOnlyAdded(tolerations: Field, before: Field): FieldError[] {
  const now = withoutSeconds(tolerations);
  const isKept = withoutSeconds(before).every((old) => now.some((one) => equalNodes(one, old)));
  const why = "existing toleration can not be modified except its tolerationSeconds";
  return isKept ? tolerations.each(checkToleration) : [tolerations.forbidden(why)];
}

function withoutSeconds(tolerations: Field): readonly Tree[] {
  return tolerations.items.map(({ tree }) => without(tree, "tolerationSeconds"));
}

function checkOnlyUngated(gates: Field, before: Field): FieldError[] {
  const known = before.items.map((gate) => gate.at("name").text);
  return gates.each((gate) => {
    const name = gate.at("name");
    const why = `only deletion is allowed, but found new scheduling gate '${name.text}'`;
    return faults(known.includes(name.text) || name.forbidden(why));
  });
}

const changeable =
  "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` " +
  "(only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it " +
  "was previously negative)";

/** All other fields stay: with those that may change set back, nothing differs. */
function checkRest(spec: Field, before: Field): FieldError[] {
  const munged = withChangesUndone(spec, before);
  if (semanticallyEqual(munged, before.tree)) {
    return [];
  }
  const why = `pod updates may not change fields other than ${changeable}`;
  return [spec.forbidden(`${why}\n${specDiff(before.tree, munged)}`)];
}

function withChangesUndone(spec: Field, before: Field): Tree {
  const undone: Tree = { ...spec.tree };
  for (const list of containerLists) {
    const images = before.at(list).items.map((container) => container.at("image").text);
    undone[list] = spec.at(list).items.map(({ tree }, index) => ({ ...tree, image: images[index] ?? "" }));
  }
  for (const field of ["activeDeadlineSeconds", "schedulingGates", "tolerations"]) {
    undone[field] = before.at(field).value;
  }
  const grace = "terminationGracePeriodSeconds";
  if (before.at(grace).number < 0 && spec.at(grace).number === 1) {
    undone[grace] = before.at(grace).number;
  }
  return undone;
}

/** Pods, and what an update of a pod may change. */

import { type FieldError, faults, forbidden, invalid, required } from "../../../field-errors.ts";
import {
  equalNodes,
  nodeAt,
  numberAt,
  semanticallyEqual,
  stringAt,
  type Tree,
  treeAt,
  treesAt,
} from "../../../tree.ts";
import { specDiff } from "../../../validate/spec-diff.ts";
import { rangeMessage } from "../../../validate/text-rules.ts";
import { checkPodSpec } from "./pod-spec.ts";
import { checkTolerations } from "./scheduling.ts";

/** A new pod. */
export function checkPod(pod: Tree): FieldError[] {
  const spec = treeAt(pod, "spec") ?? {};
  const isGated = treesAt(spec, "schedulingGates").length > 0;
  return faults(
    checkPodSpec("spec", spec),
    treesAt(spec, "ephemeralContainers").length > 0 &&
      forbidden("spec.ephemeralContainers", "cannot be set on create"),
    isGated &&
      stringAt(spec, "nodeName") !== "" &&
      forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared"),
  );
}

/** A pod that replaces `old`: images, deadlines, added tolerations and removed gates are all that may change. */
export function checkPodUpdate(pod: Tree, old: Tree): FieldError[] {
  const spec = treeAt(pod, "spec") ?? {};
  const before = treeAt(old, "spec") ?? {};
  const errors = checkPodSpec("spec", spec);
  const containers = ["containers", "initContainers"].map((field) => checkImages(spec, before, field));
  const lost = containers.findIndex(({ isCountChanged }) => isCountChanged);
  const shown = lost === -1 ? containers : containers.slice(0, lost + 1);
  errors.push(...shown.flatMap((check) => check.errors));
  if (lost !== -1) {
    return errors;
  }
  return [
    ...errors,
    ...checkDeadline(numberAt(spec, "activeDeadlineSeconds"), numberAt(before, "activeDeadlineSeconds")),
    ...checkOnlyAdded(spec, before),
    ...checkOnlyUngated(spec, before),
    ...checkRest(spec, before),
  ];
}

function checkImages(spec: Tree, before: Tree, field: string) {
  const containers = treesAt(spec, field);
  if (containers.length !== treesAt(before, field).length) {
    const errors = [forbidden(`spec.${field}`, "pod updates may not add or remove containers")];
    return { isCountChanged: true, errors };
  }
  const errors = containers.flatMap((container, index) => {
    const image = stringAt(container, "image");
    const path = `spec.${field}[${index}].image`;
    if (image === "") {
      return [required(path)];
    }
    return image.trim() === image
      ? []
      : [invalid(path, image, "must not have leading or trailing whitespace")];
  });
  return { isCountChanged: false, errors };
}

const mostSeconds = 2 ** 31 - 1;

function checkDeadline(now: number | undefined, before: number | undefined): FieldError[] {
  const path = "spec.activeDeadlineSeconds";
  if (now === undefined) {
    const why = "must not update from a positive integer to nil value";
    return before === undefined ? [] : [invalid(path, null, why)];
  }
  if (now < 0 || now > mostSeconds) {
    return [invalid(path, now, rangeMessage(0, mostSeconds))];
  }
  return before !== undefined && before < now
    ? [invalid(path, now, "must be less than or equal to previous value")]
    : [];
}

function checkOnlyAdded(spec: Tree, before: Tree): FieldError[] {
  const now = treesAt(spec, "tolerations").map(withoutSeconds);
  const isKept = treesAt(before, "tolerations").every((old) =>
    now.some((toleration) => equalNodes(toleration, withoutSeconds(old))),
  );
  return isKept
    ? checkTolerations("spec.tolerations", spec)
    : [forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

function withoutSeconds(toleration: Tree): Tree {
  return { ...toleration, tolerationSeconds: null };
}

function checkOnlyUngated(spec: Tree, before: Tree): FieldError[] {
  const known = treesAt(before, "schedulingGates").map((gate) => stringAt(gate, "name"));
  const added = treesAt(spec, "schedulingGates").flatMap((gate) => stringAt(gate, "name"));
  const extra = added.filter((name) => !known.includes(name)).sort();
  return extra.length === 0
    ? []
    : [
        forbidden(
          "spec.schedulingGates",
          `only deletion is allowed, but found new scheduling gates '${extra.join(",")}'`,
        ),
      ];
}

const changeable =
  "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` " +
  "(only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it " +
  "was previously negative)";

/** All other fields stay: with those that may change set back, nothing differs. */
function checkRest(spec: Tree, before: Tree): FieldError[] {
  const munged: Tree = { ...spec };
  for (const field of ["containers", "initContainers"]) {
    const images = treesAt(before, field).map((container) => nodeAt(container, "image") ?? "");
    munged[field] = treesAt(spec, field).map((container, index) => ({
      ...container,
      image: images[index] ?? "",
    }));
  }
  for (const field of ["activeDeadlineSeconds", "schedulingGates", "tolerations"]) {
    munged[field] = before[field];
  }
  const seconds = numberAt(before, "terminationGracePeriodSeconds") ?? 0;
  if (seconds < 0 && spec["terminationGracePeriodSeconds"] === 1) {
    munged["terminationGracePeriodSeconds"] = seconds;
  }
  return semanticallyEqual(munged, before)
    ? []
    : [
        forbidden(
          "spec",
          `pod updates may not change fields other than ${changeable}\n${specDiff(before, munged)}`,
        ),
      ];
}

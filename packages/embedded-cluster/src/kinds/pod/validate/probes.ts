/** Probes and lifecycle hooks of containers: one way each to look in or to speak to it. */

import { type FieldError, faults, forbidden, invalid, required } from "../../../field-errors.ts";
import { nodeAt, numberAt, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../../../tree.ts";
import { type TextRule, withRegex } from "../../../validate/text-rules.ts";
import {
  below,
  checkCounts,
  checkEnum,
  checkPortOrName,
  checkRequiredText,
  checkText,
  fieldsSet,
} from "../../../validate/tree-checks.ts";

const counts = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
];

/** A probe; only readiness may ask for more than one success. */
export function checkProbe(path: string, probe: Tree | undefined, isReadiness: boolean): FieldError[] {
  if (probe === undefined) {
    return [];
  }
  const grace = numberAt(probe, "terminationGracePeriodSeconds");
  const successes = numberAt(probe, "successThreshold") ?? 0;
  return faults(
    checkHandler(path, probe, ["exec", "httpGet", "tcpSocket", "grpc"]),
    checkCounts(path, probe, counts),
    grace !== undefined &&
      (isReadiness || grace <= 0) &&
      (isReadiness
        ? invalid(below(path, "terminationGracePeriodSeconds"), grace, "must not be set for readinessProbes")
        : invalid(below(path, "terminationGracePeriodSeconds"), grace, "must be greater than 0")),
    !isReadiness && successes !== 1 && invalid(below(path, "successThreshold"), successes, "must be 1"),
  );
}

/** What is done after the start and before the end of a container. */
export function checkLifecycle(path: string, lifecycle: Tree | undefined, gracePeriod: number): FieldError[] {
  return ["postStart", "preStop"].flatMap((field) => {
    const hook = treeAt(lifecycle, field);
    const at = below(path, field);
    const sleep = numberAt(hook, "sleep", "seconds");
    return hook === undefined
      ? []
      : faults(
          checkHandler(at, hook, ["exec", "httpGet", "tcpSocket", "sleep"]),
          sleep !== undefined &&
            (sleep < 0 || sleep > gracePeriod) &&
            invalid(
              below(at, "sleep"),
              sleep,
              `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`,
            ),
        );
  });
}

function checkHandler(path: string, handler: Tree, kinds: readonly string[]): FieldError[] {
  const [first, ...more] = fieldsSet(handler, kinds);
  if (first === undefined) {
    return [required(path, "must specify a handler type")];
  }
  return [
    ...checkAction(below(path, first), first, treeAt(handler, first)),
    ...more.map((kind) => forbidden(below(path, kind), "may not specify more than 1 handler type")),
  ];
}

function checkAction(path: string, kind: string, action: Tree | undefined): FieldError[] {
  switch (kind) {
    case "exec":
      return stringsAt(action, "command").length === 0 ? [required(below(path, "command"))] : [];
    case "httpGet":
      return [
        ...checkRequiredText(below(path, "path"), stringAt(action, "path")),
        ...checkPortOrName(below(path, "port"), nodeAt(action, "port")),
        ...checkEnum(path, action, "core.v1.HTTPGetAction.scheme"),
        ...treesAt(action, "httpHeaders").flatMap((header) =>
          checkText(below(path, "httpHeaders"), stringAt(header, "name"), headerName),
        ),
      ];
    case "tcpSocket":
    case "grpc":
      return checkPortOrName(below(path, "port"), nodeAt(action, "port"));
    default:
      return [];
  }
}

const headerName: TextRule = (value) =>
  /^[-A-Za-z0-9]+$/.test(value)
    ? []
    : [
        withRegex(
          "a valid HTTP header must consist of alphanumeric characters or '-'",
          "[-A-Za-z0-9]+",
          "X-Header-Name",
        ),
      ];

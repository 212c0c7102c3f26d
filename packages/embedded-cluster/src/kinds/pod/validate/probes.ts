/** Probes and lifecycle hooks of containers. Each has exactly one handler. */
import { type FieldError, faults } from "../../../field-errors.ts";
import { checkCounts, checkPortOrName } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { checkOneType, type Types } from "../../../validate/one-type.ts";
import { type TextRule, withRegex } from "../../../validate/text-rules.ts";

/** The probes of a container, and what holds for each beside what holds for all. */
const probes: ReadonlyMap<string, (probe: Field) => FieldError[]> = new Map([
  ["livenessProbe", checkStopping],
  ["readinessProbe", checkReadiness],
  ["startupProbe", checkStopping],
]);

const counts = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
];

/** The probes of a container. */
export function checkProbes(container: Field): FieldError[] {
  return [...probes].flatMap(([name, check]) =>
    container
      .whichSet([name])
      .flatMap((probe) => [
        ...checkOneType(probe, ["exec", "httpGet", "tcpSocket", "grpc"], handlers),
        ...checkCounts(probe, ...counts),
        ...check(probe),
      ]),
  );
}

/** An init container that runs to completion has neither probes nor hooks. */
export function forbidProbes(container: Field): FieldError[] {
  const why = "may not be set for init containers without restartPolicy=Always";
  return container.whichSet(["lifecycle", ...probes.keys()]).map((field) => field.forbidden(why));
}

/** A probe that stops the container when it fails. */
function checkStopping(probe: Field): FieldError[] {
  const [grace, successes] = [probe.at("terminationGracePeriodSeconds"), probe.at("successThreshold")];
  return faults(
    grace.isSet && grace.number <= 0 && grace.invalid("must be greater than 0"),
    successes.number === 1 || successes.invalid("must be 1"),
  );
}

/** A probe that stops nothing, so it has no grace period. It alone may ask for more than one success. */
function checkReadiness(probe: Field): FieldError[] {
  const grace = probe.at("terminationGracePeriodSeconds");
  return faults(grace.isSet && grace.invalid("must not be set for readinessProbes"));
}

/** What is done after the start and before the end of a container. */
export function checkLifecycle(lifecycle: Field, gracePeriod: number): FieldError[] {
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return lifecycle.whichSet(["postStart", "preStop"]).flatMap((hook) => {
    const sleep = hook.at("sleep");
    const seconds = sleep.at("seconds").number;
    return faults(
      checkOneType(hook, ["exec", "httpGet", "tcpSocket", "sleep"], handlers),
      sleep.isSet && (seconds < 0 || seconds > gracePeriod) && sleep.invalid(why, seconds),
    );
  });
}

const handlers: Types = {
  what: "handler",
  checks: new Map([
    ["exec", checkExec],
    ["httpGet", checkHttpGet],
    ["tcpSocket", checkSocket],
    ["grpc", checkSocket],
  ]),
};

function checkExec(action: Field): FieldError[] {
  const command = action.at("command");
  return faults(command.items.length > 0 || command.required());
}

function checkHttpGet(action: Field): FieldError[] {
  const headers = action.at("httpHeaders");
  return [
    ...action.at("path").needs(),
    ...checkPortOrName(action.at("port")),
    ...action.at("scheme").check(),
    // As in the API server, the path does not say which header is meant.
    ...headers.each((header) => headers.holding(header.at("name").text).follows(headerName)),
  ];
}

function checkSocket(action: Field): FieldError[] {
  return checkPortOrName(action.at("port"));
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

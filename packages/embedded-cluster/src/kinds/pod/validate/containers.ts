/** Containers of pods and pod templates. */
import { type FieldError, faults } from "../../../field-errors.ts";
import { checkPort, repeats } from "../../../validate/checks.ts";
import type { Field } from "../../../validate/field.ts";
import { dnsLabel, portName } from "../../../validate/text-rules.ts";
import { checkEnv, checkEnvFrom } from "./environment.ts";
import { checkMounts } from "./mounts.ts";
import { checkLifecycle, checkProbes, forbidProbes } from "./probes.ts";
import { checkContainerResources } from "./resource-amounts.ts";
import { checkContainerSecurity } from "./security.ts";

/** What the containers of a pod are checked against. */
export interface ContainerSurroundings {
  /** The volumes that are there, by name. */
  readonly volumes: ReadonlySet<string>;
  readonly gracePeriod: number;
}

/** The containers that make up a pod: at least one. */
export function checkContainers(containers: Field, around: ContainerSurroundings): FieldError[] {
  if (containers.items.length === 0) {
    return [containers.required()];
  }
  const names = new Set<string>();
  return [
    ...containers.each((container) => {
      const policy = container.at("restartPolicy");
      return faults(
        checkContainer(container, around),
        checkUnique(container.at("name"), names),
        checkLifecycle(container.at("lifecycle"), around.gracePeriod),
        checkProbes(container),
        policy.isSet && policy.forbidden("may not be set for non-init containers"),
      );
    }),
    ...checkHostPorts(containers),
  ];
}

/** The containers that run before; those that restart always go on beside the others. */
export function checkInitContainers(spec: Field, around: ContainerSurroundings): FieldError[] {
  const names = new Set(spec.at("containers").items.map((container) => container.at("name").text));
  return spec.at("initContainers").each((container) => {
    const policy = container.at("restartPolicy");
    return faults(
      checkContainer(container, around),
      policy.isSet && policy.oneOf(["Always"]),
      checkUnique(container.at("name"), names),
      policy.text === "Always" ? checkProbes(container) : forbidProbes(container),
    );
  });
}

/** On the network of its node a container has the ports that it has. */
export function checkNodeNetwork(spec: Field): FieldError[] {
  if (!spec.at("hostNetwork").isTrue) {
    return [];
  }
  return eachPort(spec.at("containers"), (port) => {
    const host = port.at("hostPort");
    const isSame = host.number === port.at("containerPort").number;
    return faults(isSame || host.invalid("must match `containerPort` when `hostNetwork` is true"));
  });
}

/** The image must be there, with nothing around its name. */
export function checkImage(container: Field): FieldError[] {
  return container.at("image").needs(untrimmed);
}

function checkContainer(container: Field, around: ContainerSurroundings): FieldError[] {
  return [
    ...container.at("name").check(dnsLabel),
    ...checkImage(container),
    ...container.at("terminationMessagePolicy").oneOf(["File", "FallbackToLogsOnError"]),
    ...checkPorts(container.at("ports")),
    ...checkEnv(container.at("env")),
    ...checkEnvFrom(container.at("envFrom")),
    ...checkMounts(container, around.volumes),
    ...container.at("imagePullPolicy").check(),
    ...checkContainerResources(container.at("resources")),
    ...checkContainerSecurity(container.at("securityContext")),
  ];
}

function untrimmed(text: string): readonly string[] {
  return text.trim() === text ? [] : ["must not have leading or trailing whitespace"];
}

/** Names are unique. Two that are missing count as the same. */
function checkUnique(name: Field, names: Set<string>): FieldError[] {
  return faults(names.size === names.add(name.text).size && name.duplicate());
}

function checkPorts(ports: Field): FieldError[] {
  const isTwice = repeats();
  return ports.each((port) => {
    const [name, inner, host] = [port.at("name"), port.at("containerPort"), port.at("hostPort")];
    const found = name.check(portName);
    return faults(
      found,
      found.length === 0 && isTwice(name.text) && name.duplicate(),
      inner.number === 0 ? inner.required() : checkPort(inner),
      host.number === 0 || checkPort(host),
      port.at("protocol").check(),
    );
  });
}

function checkHostPorts(containers: Field): FieldError[] {
  const isTwice = repeats();
  return eachPort(containers, (port) => {
    const host = port.at("hostPort");
    const key = `${port.at("protocol").text}/${port.at("hostIP").text}/${host.number}`;
    return faults(host.number !== 0 && isTwice(key) && host.duplicate(key));
  });
}

function eachPort(containers: Field, check: (port: Field) => FieldError[]): FieldError[] {
  return containers.each((container) => container.at("ports").each(check));
}

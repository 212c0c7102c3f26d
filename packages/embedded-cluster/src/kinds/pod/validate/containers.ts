/** Containers of pods and pod templates. */

import {
  duplicate,
  type FieldError,
  faults,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../field-errors.ts";
import { enumField } from "../../../schema/enum-fields.ts";
import { isTrueAt, numberAt, stringAt, type Tree, treeAt, treesAt } from "../../../tree.ts";
import { dnsLabel, portName } from "../../../validate/text-rules.ts";
import {
  below,
  checkChoice,
  checkEach,
  checkEnum,
  checkOptionalText,
  checkPort,
  checkRequiredText,
} from "../../../validate/tree-checks.ts";
import { checkEnv, checkEnvFrom } from "./environment.ts";
import { checkLifecycle, checkProbe } from "./probes.ts";
import { checkContainerResources } from "./resource-amounts.ts";
import { checkContainerSecurity } from "./security.ts";

/** What the containers of a pod are checked against. */
export interface ContainerSurroundings {
  /** The volumes that are there, by name. */
  readonly volumes: ReadonlySet<string>;
  readonly gracePeriod: number;
}

/** The containers that make up a pod: at least one. */
export function checkContainers(path: string, spec: Tree, around: ContainerSurroundings): FieldError[] {
  const containers = treesAt(spec, "containers");
  if (containers.length === 0) {
    return [required(path)];
  }
  const names = new Set<string>();
  return [
    ...checkEach(path, containers, (at, container) =>
      faults(
        checkContainer(at, container, around),
        checkUniqueName(at, container, names),
        checkLifecycle(below(at, "lifecycle"), treeAt(container, "lifecycle"), around.gracePeriod),
        checkProbes(at, container),
        container["restartPolicy"] === undefined ||
          forbidden(below(at, "restartPolicy"), "may not be set for non-init containers"),
      ),
    ),
    ...checkHostPorts(path, containers),
  ];
}

/** The containers that run before; those that restart always go on beside the others. */
export function checkInitContainers(path: string, spec: Tree, around: ContainerSurroundings): FieldError[] {
  const names = new Set(treesAt(spec, "containers").map((container) => stringAt(container, "name")));
  return checkEach(path, treesAt(spec, "initContainers"), (at, container) => {
    const policy = container["restartPolicy"];
    return faults(
      checkContainer(at, container, around),
      policy === undefined ||
        policy === "Always" ||
        notSupported(below(at, "restartPolicy"), policy, ["Always"]),
      checkUniqueName(at, container, names),
      policy === "Always" ? checkProbes(at, container) : forbidProbes(at, container),
    );
  });
}

function checkContainer(path: string, container: Tree, around: ContainerSurroundings): FieldError[] {
  const policies = ["File", "FallbackToLogsOnError"];
  return [
    ...checkRequiredText(below(path, "name"), stringAt(container, "name"), dnsLabel),
    ...checkRequiredText(below(path, "image"), stringAt(container, "image"), untrimmed),
    ...checkChoice(
      below(path, "terminationMessagePolicy"),
      stringAt(container, "terminationMessagePolicy"),
      policies,
    ),
    ...checkPorts(below(path, "ports"), container),
    ...checkEnv(below(path, "env"), container),
    ...checkEnvFrom(below(path, "envFrom"), container),
    ...checkMounts(below(path, "volumeMounts"), container, around.volumes),
    ...checkEnum(path, container, "core.v1.Container.imagePullPolicy"),
    ...checkContainerResources(below(path, "resources"), treeAt(container, "resources")),
    ...checkContainerSecurity(below(path, "securityContext"), treeAt(container, "securityContext")),
  ];
}

/** An image says nothing around its name. */
function untrimmed(text: string): readonly string[] {
  return text.trim() === text ? [] : ["must not have leading or trailing whitespace"];
}

function checkUniqueName(path: string, container: Tree, names: Set<string>): FieldError[] {
  const name = stringAt(container, "name");
  if (names.has(name)) {
    return [duplicate(below(path, "name"), name)];
  }
  names.add(name);
  return [];
}

function checkProbes(path: string, container: Tree): FieldError[] {
  return ["livenessProbe", "readinessProbe", "startupProbe"].flatMap((field) =>
    checkProbe(below(path, field), treeAt(container, field), field === "readinessProbe"),
  );
}

function forbidProbes(path: string, container: Tree): FieldError[] {
  return ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"].flatMap((field) =>
    treeAt(container, field) === undefined
      ? []
      : [forbidden(below(path, field), "may not be set for init containers without restartPolicy=Always")],
  );
}

function checkPorts(path: string, container: Tree): FieldError[] {
  const names = new Set<string>();
  return checkEach(path, treesAt(container, "ports"), (at, port) => {
    const name = stringAt(port, "name");
    const found = checkOptionalText(below(at, "name"), name, portName);
    const isTwice = name !== "" && found.length === 0 && names.has(name);
    names.add(name);
    const number = numberAt(port, "containerPort") ?? 0;
    const hostPort = numberAt(port, "hostPort") ?? 0;
    return faults(
      found,
      isTwice && duplicate(below(at, "name"), name),
      number === 0 ? required(below(at, "containerPort")) : checkPort(below(at, "containerPort"), number),
      hostPort === 0 || checkPort(below(at, "hostPort"), hostPort),
      checkEnum(at, port, "core.v1.ContainerPort.protocol"),
    );
  });
}

/** On the network of its node a container has the ports that it has. */
export function checkNodeNetwork(path: string, spec: Tree): FieldError[] {
  const why = "must match `containerPort` when `hostNetwork` is true";
  return isTrueAt(spec, "hostNetwork")
    ? checkEach(path, treesAt(spec, "containers"), (at, container) =>
        checkEach(below(at, "ports"), treesAt(container, "ports"), (portAt, port) =>
          port["hostPort"] === port["containerPort"]
            ? []
            : [invalid(below(portAt, "hostPort"), port["hostPort"], why)],
        ),
      )
    : [];
}

function checkHostPorts(path: string, containers: readonly Tree[]): FieldError[] {
  const taken = new Set<string>();
  return checkEach(path, containers, (at, container) =>
    checkEach(below(at, "ports"), treesAt(container, "ports"), (portAt, port) => {
      const number = numberAt(port, "hostPort") ?? 0;
      const key = `${stringAt(port, "protocol")}/${stringAt(port, "hostIP")}/${number}`;
      const isTwice = number !== 0 && taken.has(key);
      taken.add(key);
      return isTwice ? [duplicate(below(portAt, "hostPort"), key)] : [];
    }),
  );
}

function checkMounts(path: string, container: Tree, volumes: ReadonlySet<string>): FieldError[] {
  const paths = new Set<string>();
  return checkEach(path, treesAt(container, "volumeMounts"), (at, mount) => {
    const name = stringAt(mount, "name");
    const mountPath = stringAt(mount, "mountPath");
    const isTwice = paths.has(mountPath);
    paths.add(mountPath);
    return faults(
      checkRequiredText(below(at, "name"), name),
      volumes.has(name) || notFoundVolume(below(at, "name"), name),
      checkRequiredText(below(at, "mountPath"), mountPath),
      isTwice && invalid(below(at, "mountPath"), mountPath, "must be unique"),
      // As in the API server, these two paths do not say which mount is meant.
      checkDescending(below(path, "subPath"), stringAt(mount, "subPath")),
      checkPropagation(below(path, "mountPropagation"), mount, container),
    );
  });
}

function notFoundVolume(path: string, name: string): FieldError {
  return { reason: "FieldValueNotFound", field: path, message: `Not found: ${JSON.stringify(name)}` };
}

function checkPropagation(path: string, mount: Tree, container: Tree): FieldError[] {
  const mode = stringAt(mount, "mountPropagation");
  const isPrivileged = isTrueAt(container, "securityContext", "privileged");
  if (mode === "") {
    return [];
  }
  return faults(
    checkChoice(path, mode, enumField("core.v1.VolumeMount.mountPropagation").words),
    mode === "Bidirectional" &&
      !isPrivileged &&
      forbidden(path, "Bidirectional mount propagation is available only to privileged containers"),
  );
}

/** A path within a volume: relative, and not out of it. */
export function checkDescending(path: string, target: string): FieldError[] {
  return faults(
    target.startsWith("/") && invalid(path, target, "must be a relative path"),
    target.split("/").includes("..") && invalid(path, target, "must not contain '..'"),
  );
}

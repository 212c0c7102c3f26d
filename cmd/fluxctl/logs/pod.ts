import { JsonReader, type JsonValue } from "@weir/base";
import type { KubeObject, OwnerReference } from "@weir/kube";

/** What matters of a pod for its logs. */
export interface PodView {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The object that manages it, if there is one. */
  readonly owner: OwnerReference | undefined;
  /** In the order in which they start. */
  readonly containers: readonly ContainerView[];
  /** True if none of its containers will run again. */
  readonly isOver: boolean;
}

/** A container of a pod. Each start of it is a run with an ID and a log of its own. */
export interface ContainerView {
  readonly name: string;
  /** The run whose log the API server gives: the running one, or the last one. undefined: it has never run. */
  readonly run: string | undefined;
  /** The run before it, whose log is there as the previous one. */
  readonly previous: string | undefined;
  readonly restarts: number;
  readonly isRunning: boolean;
  /** Why it doesn't run, such as ImagePullBackOff; "" if unknown. */
  readonly reason: string;
}

/** Reads a pod. Throws JsonShapeError if it's malformed. */
export function podView({ metadata, spec, status }: KubeObject): PodView {
  const pod = new JsonReader(spec ?? null, "spec");
  const state = new JsonReader(status ?? null, "status");
  const lists = [
    ["initContainers", "initContainerStatuses"],
    ["containers", "containerStatuses"],
    ["ephemeralContainers", "ephemeralContainerStatuses"],
  ] as const;
  return {
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    owner: metadata.ownerReferences?.find(({ controller }) => controller === true),
    containers: lists.flatMap(([specs, statuses]) => {
      const known = new Map(state.list(statuses, named) ?? []);
      return (pod.list(specs, named) ?? []).map(([name]) => containerView(name, known.get(name)));
    }),
    isOver: ["Succeeded", "Failed"].includes(state.text("phase")),
  };
}

function named(value: JsonValue, path: string): readonly [name: string, fields: JsonReader] {
  const fields = new JsonReader(value, path);
  return [fields.text("name"), fields];
}

function containerView(name: string, status = new JsonReader(null)): ContainerView {
  const [now, before] = [status.object("state"), status.object("lastState")];
  const restarts = status.integer("restartCount");
  const idOf = (state: JsonReader): string | undefined =>
    state.has("terminated")
      ? state.object("terminated").text("containerID") || status.text("containerID") || `run ${restarts}`
      : undefined;
  const isRunning = now.has("running");
  const current = isRunning ? status.text("containerID") || `run ${restarts}` : idOf(now);
  const last = idOf(before);
  return {
    name,
    run: current ?? last,
    previous: current === undefined || current === last ? undefined : last,
    restarts,
    isRunning,
    reason: now.object("waiting").text("reason") || now.object("terminated").text("reason"),
  };
}

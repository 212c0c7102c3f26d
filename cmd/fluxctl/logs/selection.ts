import { UsageError } from "../command.ts";
import type { ContainerView, PodView } from "./pod.ts";

/** The containers of a pod whose logs are wanted; all of them if `wanted` is "". */
export function chosenContainers({ containers }: PodView, wanted: string): readonly ContainerView[] {
  return containers.filter(({ name }) => wanted === "" || name === wanted);
}

/** Throws UsageError if none of the pods has the wanted container. */
export function requireContainer(pods: readonly PodView[], wanted: string): void {
  const names = [...new Set(pods.flatMap(({ containers }) => containers.map(({ name }) => name)))];
  if (wanted !== "" && names.length > 0 && !names.includes(wanted)) {
    throw new UsageError(`no container is called ${wanted}; the containers are ${names.join(", ")}`);
  }
}

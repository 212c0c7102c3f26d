import { messageOf } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import type { Workload } from "../cluster/workload.ts";
import { parseImageRef } from "../image/ref.ts";
import { type WrittenContainer, writtenContainers } from "../manifests/workload.ts";
import type { Container } from "../resource/resource.ts";

/** The containers of a live workload, as far as their images can be parsed. */
export type LiveContainers = Pick<Workload, "containers" | "unreadable">;

/**
 * The containers of a live object, then its init containers. As in Flux v1, an image that can't be parsed removes all
 * containers before it, and those after it in the same list.
 */
export function liveContainers(object: KubeObject): LiveContainers {
  const { containers, initContainers } = writtenContainers(object);
  return [containers, initContainers].reduce(readOn, { containers: [] });
}

function readOn(before: LiveContainers, written: readonly WrittenContainer[]): LiveContainers {
  try {
    const read = written.map(({ name, image }): Container => ({ name, image: parseImageRef(image) }));
    return { ...before, containers: [...before.containers, ...read] };
  } catch (error) {
    return { containers: [], unreadable: messageOf(error) };
  }
}

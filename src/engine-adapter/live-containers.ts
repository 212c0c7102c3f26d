import { messageOf } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import type { Workload } from "../cluster/workload.ts";
import { parseImageRef } from "../image/ref.ts";
import { type WrittenContainer, writtenContainers } from "../manifests/workload.ts";
import type { Container } from "../resource/resource.ts";

/** What runs in a live workload, as far as its images can be read. */
export type LiveContainers = Pick<Workload, "containers" | "unreadable">;

/**
 * The containers of a live object and then its init containers. As Flux v1, an image that cannot be read takes away
 * all that stand before it, and those that stand behind it in the same list.
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

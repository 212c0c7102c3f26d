/** Kinds that are served in more versions than the one in which they are kept. */

import { autoscalerFromV1, autoscalerToV1 } from "../kinds/autoscaler/conversion.ts";
import { coreEventFrom, eventFromCore } from "../kinds/event/conversion.ts";
import type { Tree } from "../tree.ts";

/** How a version of a kind is kept. */
export interface Conversion {
  readonly bucket: string;
  readonly storageVersion: string;
  readonly toStorage: (object: Tree) => Tree;
  readonly fromStorage: (object: Tree) => Tree;
}

/** The conversion of a version; undefined where objects are kept as they are. */
export function conversionOf(group: string, resource: string, apiVersion: string): Conversion | undefined {
  return conversions.get(`${group} ${resource} ${apiVersion}`);
}

const conversions: ReadonlyMap<string, Conversion> = new Map([
  [
    "autoscaling horizontalpodautoscalers autoscaling/v1",
    {
      bucket: "horizontalpodautoscalers.autoscaling",
      storageVersion: "autoscaling/v2",
      toStorage: autoscalerFromV1,
      fromStorage: autoscalerToV1,
    },
  ],
  [
    "events.k8s.io events events.k8s.io/v1",
    { bucket: "events", storageVersion: "v1", toStorage: coreEventFrom, fromStorage: eventFromCore },
  ],
]);

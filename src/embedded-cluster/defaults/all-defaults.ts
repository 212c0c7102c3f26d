import type { Defaulters } from "../schema/apply-defaults.ts";
import { admissionDefaulters } from "./admission.ts";
import { appsDefaulters } from "./apps.ts";
import { autoscalingDefaulters } from "./autoscaling.ts";
import { batchDefaulters } from "./batch.ts";
import { clusterWideDefaulters } from "./cluster-wide.ts";
import { coreDefaulters } from "./core.ts";
import { networkingDefaulters } from "./networking.ts";
import { podDefaulters } from "./pods.ts";

/** The defaulters of all built-in types that have one. */
export const builtinDefaulters: Defaulters = new Map(
  [
    podDefaulters,
    coreDefaulters,
    appsDefaulters,
    batchDefaulters,
    networkingDefaulters,
    admissionDefaulters,
    autoscalingDefaulters,
    clusterWideDefaulters,
  ].flatMap((table) => Object.entries(table)),
);

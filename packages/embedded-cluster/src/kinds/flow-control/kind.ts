import { changesOf } from "../../resources/kind-rules.ts";
import { setDefault } from "../../tree.ts";
import type { Kind } from "../kind.ts";

/** FlowSchemas and PriorityLevelConfigurations. */
export const flowControlKinds: readonly Kind[] = [
  {
    bucket: "flowschemas.flowcontrol.apiserver.k8s.io",
    rules: { generation: changesOf("spec") },
    defaults: {
      "io.k8s.api.flowcontrol.v1.FlowSchemaSpec": (spec) => setDefault(spec, "matchingPrecedence", 1000),
    },
  },
  {
    bucket: "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
    rules: { generation: changesOf("spec") },
    defaults: {
      "io.k8s.api.flowcontrol.v1.ExemptPriorityLevelConfiguration": (exempt) => {
        setDefault(exempt, "nominalConcurrencyShares", 0);
        setDefault(exempt, "lendablePercent", 0);
      },
      "io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration": (limited) => {
        setDefault(limited, "nominalConcurrencyShares", 30);
        setDefault(limited, "lendablePercent", 0);
      },
      "io.k8s.api.flowcontrol.v1.QueuingConfiguration": (queuing) => {
        setDefault(queuing, "handSize", 8);
        setDefault(queuing, "queues", 64);
        setDefault(queuing, "queueLengthLimit", 50);
      },
    },
  },
];

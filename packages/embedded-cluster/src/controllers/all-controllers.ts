import type { Logger } from "@weir/base";
import type { ApiContext } from "../api/api-context.ts";
import { nodeName } from "../bootstrap/system-objects.ts";
import { cronJobController } from "../kinds/cron-job/controller.ts";
import { DefinitionController } from "../kinds/custom-resource-definition/controller.ts";
import { daemonSetController } from "../kinds/daemon-set/controller.ts";
import { deploymentController } from "../kinds/deployment/controller.ts";
import { DisruptionController } from "../kinds/disruption-budget/controller.ts";
import { EndpointsController } from "../kinds/endpoints/controller.ts";
import { jobController } from "../kinds/job/controller.ts";
import { NamespaceController } from "../kinds/namespace/controller.ts";
import { VolumeController } from "../kinds/persistent-volume/controller.ts";
import { PodController } from "../kinds/pod/controller.ts";
import { PodAddresses } from "../kinds/pod/pod-addresses.ts";
import { replicaSetController } from "../kinds/replica-set/controller.ts";
import { LoadBalancerController } from "../kinds/service/load-balancer-controller.ts";
import { ServiceAccountController } from "../kinds/service-account/controller.ts";
import { statefulSetController } from "../kinds/stateful-set/controller.ts";
import type { StoreEvent } from "../storage/bucket.ts";
import { ClusterWriter } from "./cluster-writer.ts";
import type { Controller } from "./controller.ts";
import { ControllerLoop } from "./controller-loop.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { OwnerIndex } from "./owner-index.ts";

/** Which controllers run, and how. */
export interface ControllerPlan {
  /** False for those of the API server only. */
  readonly controllerManager: boolean;
  /** How long pods take to become ready. */
  readonly readyAfterMs: number;
}

/** Runs the controllers of a cluster until the signal is aborted. */
export async function runControllers(
  context: ApiContext,
  plan: ControllerPlan,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = context;
  const index = new OwnerIndex();
  const addresses = new PodAddresses();
  const follow = (event: StoreEvent): void => {
    index.observe(event);
    addresses.observe(event);
  };
  for (const bucket of store.bucketNames()) {
    for (const object of store.bucket(bucket).list("")) {
      follow({ type: "ADDED", revision: object.revision, object, previous: undefined });
    }
  }
  // Before the loop subscribes: what it asks the index must be true already.
  const stop = store.onEvent(follow);
  try {
    const chosen = [
      new DefinitionController(new ClusterWriter(context, "kube-apiserver")),
      ...(plan.controllerManager ? managed(context, index, addresses, plan.readyAfterMs) : []),
    ];
    await new ControllerLoop({ store, clock, logger }, chosen).run(signal);
  } finally {
    stop();
  }
}

function managed(
  context: ApiContext,
  index: OwnerIndex,
  addresses: PodAddresses,
  readyAfterMs: number,
): readonly Controller[] {
  const manager = new ClusterWriter(context, "kube-controller-manager");
  const tools = { writer: manager, index };
  return [
    new ServiceAccountController(manager),
    deploymentController(tools),
    replicaSetController(tools, "replicasets.apps"),
    replicaSetController(tools, "replicationcontrollers"),
    statefulSetController(tools),
    daemonSetController(tools),
    cronJobController(tools),
    jobController(tools),
    new VolumeController(manager),
    new PodController(new ClusterWriter(context, "kubelet"), { name: nodeName, addresses, readyAfterMs }),
    new DisruptionController(manager),
    new EndpointsController(manager),
    new LoadBalancerController(manager),
    new GarbageCollector(manager, index),
    new NamespaceController(manager),
  ];
}

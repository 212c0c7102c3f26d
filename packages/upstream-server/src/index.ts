/**
 * What a console uses, as the package `@weir/upstream-server`: it accepts the daemons that connect with --connect, calls
 * their methods, and gets their events.
 */
export { type Clock, systemClock } from "@weir/base";
export type { EventDetail, UpdateSpec } from "@weir/flux";
export { FluxError } from "@weir/flux";
export type {
  Change,
  GitConfigReport,
  JobStatusReport,
  ListImagesOptions,
  ListWorkloadsOptions,
  WorkloadImagesReport,
  WorkloadStatusReport,
} from "@weir/flux/api";
export type { InspectionClient } from "@weir/flux/client";
export type { ChannelEnd } from "@weir/flux/websocket";
export type { Call } from "./asker.ts";
export {
  FatalError,
  RemoteError,
  UnavailableError,
  unavailableError,
  unsupportedKindError,
  upgradeNeededError,
} from "./errors.ts";
export { Inspectable } from "./inspection.ts";
export { type ProtocolVersion, protocolOf, protocolVersions } from "./protocol.ts";
export { decodeReceivedEvent, type ReceivedEvent } from "./received-event.ts";
export { type RemoteDaemon, remoteDaemon } from "./remote-daemon.ts";
export type { CallLimits } from "./rpc-client.ts";
export {
  type Admission,
  type Caller,
  type ConnectedDaemon,
  UpstreamServer,
  type UpstreamServerOptions,
} from "./server.ts";

/**
 * What a console uses, as the package `@weir/upstream-server`: it accepts the daemons that connect with --connect, calls
 * their methods, and gets their events.
 */
export { type Clock, systemClock } from "@weir/base";
export { FluxError } from "../../errors/flux-error.ts";
export type { EventDetail } from "../../event/event.ts";
export type { UpdateSpec } from "../../update/spec.ts";
export type { InspectionClient } from "../client/inspection-client.ts";
export type {
  Change,
  GitConfigReport,
  JobStatusReport,
  ListImagesOptions,
  ListWorkloadsOptions,
  WorkloadImagesReport,
  WorkloadStatusReport,
} from "../types/api-server.ts";
export type { ChannelEnd } from "../upstream/channel.ts";
export { FatalError, RemoteError } from "./errors.ts";
export type { ProtocolVersion } from "./protocol.ts";
export type { ReceivedEvent } from "./received-event.ts";
export type { RemoteDaemon } from "./remote-daemon.ts";
export {
  type Admission,
  type Caller,
  type ConnectedDaemon,
  UpstreamServer,
  type UpstreamServerOptions,
} from "./server.ts";

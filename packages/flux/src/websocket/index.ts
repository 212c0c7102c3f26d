/** What both ends of the websocket connection between a daemon and its upstream speak: Go's net/rpc in JSON. */
export { Channel, type ChannelEnd, socketOptions } from "./channel.ts";
export { refusalBy } from "./envelope.ts";
export { defaultLimits, JsonSplitter, JsonStreamError } from "./json-splitter.ts";
export {
  argumentOf,
  MessageError,
  parseRequest,
  parseResponse,
  printRequest,
  printResponse,
  type RpcOutcome,
  type RpcRequest,
  type RpcResponse,
} from "./messages.ts";
export {
  type Inspect,
  inspectionMethod,
  methods,
  type RpcCall,
  type RpcMethod,
  serviceName,
} from "./methods.ts";
export type { RpcStream } from "./rpc-stream.ts";

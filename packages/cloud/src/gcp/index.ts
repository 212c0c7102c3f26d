/** Credentials of Google Cloud. */
export { type GcpMetadataOptions, machineToken } from "./metadata.ts";

/** Credentials of Google Cloud. */
export { type GoogleIdentityOptions, googleToken } from "./find-credentials.ts";
export { type GcpMetadataOptions, machineToken } from "./metadata.ts";

/** Sends requests to the services of a cloud. */
export { describeCloudFailure } from "./refusal.ts";
export { Renewed } from "./renewed.ts";
export { askCloud, askCloudForJson, type CloudAccess, CloudError, type CloudRequest } from "./request.ts";
export { withRetries } from "./retry.ts";
export { secureUrl } from "./secure-url.ts";
export type { AccessToken } from "./token.ts";

/** Sends requests to the services of a cloud. */
export { askCloud, askCloudForJson, type CloudAccess, CloudError } from "./request.ts";

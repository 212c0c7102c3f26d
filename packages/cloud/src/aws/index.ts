/** Credentials of AWS, and requests that are signed with them. */
export { type AwsIdentityOptions, awsKeys } from "./identity.ts";
export { Ec2Metadata, ec2MetadataUrl } from "./metadata.ts";
export { awsServiceUrl } from "./service-url.ts";
export { configuredRegion } from "./shared-config.ts";
export { type AwsKeys, signedHeaders } from "./signature.ts";
export { assumeRole, stsUrl } from "./sts.ts";

/** Credentials of Azure. */
export { type AzureIdentityOptions, azureToken } from "./identity.ts";
export { type ManagedIdentityAccess, managedIdentityToken } from "./managed-identity.ts";

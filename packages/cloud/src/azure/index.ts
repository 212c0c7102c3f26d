/** Credentials of Azure. */
export { type ManagedIdentityAccess, managedIdentityToken } from "./managed-identity.ts";

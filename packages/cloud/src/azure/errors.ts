/** An identity can't be used. The message names the setting and the remedy, and contains no secret. */
export class AzureIdentityError extends Error {
  override readonly name = "AzureIdentityError";
}

import { FluxError } from "@weir/flux";

/** Decrypts the content of a file; resolves to it unchanged if it isn't encrypted, and rejects if that fails. */
export type Decrypt = (content: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/** As Flux v1, looks at files for sops only if this is anywhere in them. */
export function mayBeEncrypted(content: Buffer): boolean {
  return content.includes("sops:");
}

/** The error for a change to a file that could not be decrypted after the change. */
export function encryptedFileError(source: string, cause: unknown): FluxError {
  return new FluxError(
    "user",
    `${source} is encrypted with sops, and can't be changed without it`,
    `The file ${source} is encrypted with sops. Its checksum (MAC) also covers the
values that are in plain text, so after this change, the file could not
be decrypted, and no sync would succeed. Nothing was committed.

Make the change with "sops edit ${source}", and commit it. If the
workload is automated, move what is secret to a file of its own, such as
a Secret, and keep the workload in a file that isn't encrypted.
`,
    { cause },
  );
}

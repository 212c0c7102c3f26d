import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeFileError, type Environment, isMissing } from "@weir/base";
import type { HttpTransport } from "@weir/http";
import type { CloudAccess } from "../request.ts";
import { secureUrl } from "../secure-url.ts";
import type { AccessToken } from "../token.ts";
import {
  type GoogleCredentials,
  GoogleCredentialsError,
  parseGoogleCredentials,
} from "./credentials-file.ts";
import { machineToken } from "./metadata.ts";
import { tokenOf } from "./token.ts";

/** What finding credentials needs. */
export interface GoogleIdentityOptions extends CloudAccess {
  readonly env: Environment;
  /** The JSON of credentials that the caller has; they take precedence. */
  readonly given?: { readonly text: string; readonly what: string } | undefined;
  /** For the metadata service: never uses a proxy. */
  readonly localTransport: HttpTransport;
}

/**
 * A token for Google's APIs, from the first of these: the given credentials, the file that
 * GOOGLE_APPLICATION_CREDENTIALS names, the file of the gcloud command, and the metadata service.
 */
export async function googleToken(options: GoogleIdentityOptions, signal: AbortSignal): Promise<AccessToken> {
  const credentials = await findCredentials(options);
  if (credentials !== undefined) {
    return tokenOf(credentials, options, signal);
  }
  const { env, localTransport, clock } = options;
  const host = env["GCE_METADATA_HOST"] || "metadata.google.internal";
  const metadataUrl = secureUrl(`http://${host}`, "GCE_METADATA_HOST").href;
  return machineToken({ metadataUrl, transport: localTransport, clock }, signal);
}

async function findCredentials({
  env,
  given,
}: GoogleIdentityOptions): Promise<GoogleCredentials | undefined> {
  if (given !== undefined) {
    return parseGoogleCredentials(given.text, given.what);
  }
  const named = env["GOOGLE_APPLICATION_CREDENTIALS"];
  if (named) {
    const text = await readFile(named, "utf8").catch((error: unknown) => {
      const why = describeFileError("open", named, error);
      throw new GoogleCredentialsError(`GOOGLE_APPLICATION_CREDENTIALS: ${why}`);
    });
    return parseGoogleCredentials(text, named);
  }
  const folder = env["CLOUDSDK_CONFIG"] || (env["HOME"] ? join(env["HOME"], ".config/gcloud") : "");
  const usual = join(folder, "application_default_credentials.json");
  const text = folder === "" ? undefined : await readIfThere(usual);
  return text === undefined ? undefined : parseGoogleCredentials(text, usual);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw new GoogleCredentialsError(describeFileError("open", path, error), { cause: error });
  }
}

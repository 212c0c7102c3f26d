import { readFileSync } from "node:fs";
import { describeFileError, type Environment } from "@weir/base";
import type { ConsoleSettings } from "../src/program/settings.ts";
import { StartError } from "../src/program/start-error.ts";
import type { ServeFlags } from "./flags.ts";
import { atLeastOne } from "./number-flag.ts";

/** The identity provider; nothing if there's none. Throws StartError. */
export function readOpenId(flags: ServeFlags, env: Environment): Pick<ConsoleSettings, "openId"> {
  const {
    openIdIssuer: issuer,
    openIdClientId: clientId,
    openIdName,
    openIdGroupsClaim,
    openIdScopes,
    openIdConfirmed,
  } = flags;
  if (issuer.value === "" && clientId.value === "") {
    return {};
  }
  if (!URL.canParse(issuer.value) || clientId.value === "") {
    throw new StartError(
      "an identity provider needs both --openid-issuer, a URL like https://login.example.com, and --openid-client-id",
    );
  }
  const clientSecret = readSecret(flags, env);
  return {
    openId: {
      issuer: new URL(issuer.value),
      clientId: clientId.value,
      ...(clientSecret === "" ? {} : { clientSecret }),
      name: openIdName.value,
      groupsClaim: openIdGroupsClaim.value,
      scopes: openIdScopes.value,
      confirmedFor: atLeastOne(openIdConfirmed, "lets nobody in") * 3_600_000,
    },
  };
}

function readSecret({ openIdClientSecretFile: { value: file } }: ServeFlags, env: Environment): string {
  if (file === "") {
    return env["WEIR_CONSOLE_OPENID_CLIENT_SECRET"] ?? "";
  }
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new StartError(
      `cannot read the file given by --openid-client-secret-file: ${describeFileError("open", file, error)}`,
      { cause: error },
    );
  }
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Environment } from "@weir/base";
import { dedent, TempFolder } from "@weir/testing";
import { Amazon } from "../../../support/amazon.ts";

const never = new AbortController().signal;
const host = "123.dkr.ecr.eu-west-1.amazonaws.com";

const credentials = dedent(`
  [default]
  aws_access_key_id = DEFAULT
  aws_secret_access_key = s3cret

  [prod]
  aws_access_key_id = PROD
  aws_secret_access_key = s3cret
  aws_session_token = t0ken

  [lent]
  role_arn = arn:aws:iam::123:role/lent
  source_profile = prod
  external_id = outside
  role_session_name = weir
  duration_seconds = 1200
`);

/** What is asked of Amazon with a home folder like that: the key that signs, and what was lent before. */
async function ask(
  files: Readonly<Record<string, string>>,
  env: (home: string) => Environment = () => ({}),
): Promise<{ readonly key: string | undefined; readonly lent: Amazon["lent"]; readonly log: string }> {
  await using cloud = await Amazon.start();
  using home = new TempFolder();
  Object.entries(files).forEach(([name, text]) => home.write(name, text));
  const ecr = cloud.ecr({ HOME: home.path, AWS_REGION: "eu-west-1", ...env(home.path) });
  await ecr.credentialsFor(host, never);
  const [authorization = ""] = cloud.authorizations;
  const log = cloud.log.lines.join("\n");
  assert.ok(!log.includes("s3cret") && !log.includes("t0ken"), log);
  return { key: /Credential=(\w+)\//.exec(authorization)?.[1], lent: cloud.lent, log };
}

describe("credentials from Amazon with shared files", () => {
  it("are asked for with the keys of the default profile", async () => {
    const { key } = await ask({ ".aws/credentials": credentials });

    assert.equal(key, "DEFAULT");
  });

  it("are asked for with the profile and the file that the environment names", async () => {
    const { key } = await ask({ "elsewhere.ini": credentials }, (home) => ({
      AWS_SHARED_CREDENTIALS_FILE: `${home}/elsewhere.ini`,
      AWS_PROFILE: "prod",
    }));

    assert.equal(key, "PROD");
  });

  it("are asked for with the role that a profile takes on with the keys of another", async () => {
    const { key, lent } = await ask({ ".aws/credentials": credentials }, () => ({ AWS_PROFILE: "lent" }));

    assert.equal(key, "lent");
    assert.deepEqual(lent, [
      {
        Action: "AssumeRole",
        Version: "2011-06-15",
        RoleArn: "arn:aws:iam::123:role/lent",
        RoleSessionName: "weir",
        ExternalId: "outside",
        DurationSeconds: "1200",
        key: "PROD",
      },
    ]);
  });

  it("come after the keys of the environment, and before those of the machine", async () => {
    const own = { AWS_ACCESS_KEY_ID: "OWN", AWS_SECRET_ACCESS_KEY: "s3cret" };

    const [environment, machine] = await Promise.all([
      ask({ ".aws/credentials": credentials }, () => own),
      ask({ ".aws/credentials": "[other]\naws_access_key_id = X\n" }),
    ]);

    assert.deepEqual([environment.key, machine.key], ["OWN", "MACHINE"]);
  });

  it("are in the config file only for those who ask for it, as with Flux; the region is there for all", async () => {
    const config =
      "[profile prod]\nregion = eu-west-1\naws_access_key_id = CONFIG\naws_secret_access_key = s3cret\n";
    const files = { ".aws/config": config };
    const env = { AWS_PROFILE: "prod", AWS_REGION: undefined };

    const [without, asked] = await Promise.all([
      ask(files, () => env),
      ask(files, (home) => ({ ...env, AWS_SDK_LOAD_CONFIG: "1", AWS_CONFIG_FILE: `${home}/.aws/config` })),
    ]);

    assert.deepEqual([without.key, asked.key], ["MACHINE", "CONFIG"]);
    await using cloud = await Amazon.start();
    using home = new TempFolder();
    home.write(".aws/config", config);
    assert.ok(
      await cloud
        .ecr({ HOME: home.path, AWS_PROFILE: "prod" })
        .isWanted({ domain: host, image: "app" }, never),
    );
    assert.ok(cloud.log.lines.includes("info=detected cluster region source=local config region=eu-west-1"));
  });

  it("are not, and why is said, where a profile needs a person or a program", async () => {
    const { key, log } = await ask({ ".aws/credentials": "[default]\ncredential_process = /bin/login\n" });

    assert.equal(key, undefined);
    assert.match(
      log,
      /error=fetching credentials for AWS region region=eu-west-1 err=AWS profile default: credential_process isn't supported; set keys/,
    );
  });
});

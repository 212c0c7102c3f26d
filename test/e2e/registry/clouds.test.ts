import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Ecr } from "../../../src/registry/credentials/aws/ecr.ts";
import type { AwsEnvironment } from "../../../src/registry/credentials/aws/identity.ts";
import { Ec2Metadata } from "../../../src/registry/credentials/aws/metadata.ts";
import { azureCredentials } from "../../../src/registry/credentials/azure.ts";
import { gcpCredentials } from "../../../src/registry/credentials/gcp.ts";
import { createTransport } from "../../../src/registry/http/undici-transport.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { answer, type HttpServer, serve } from "../../support/http-server.ts";
import { RecordedLog } from "../../support/recorded-log.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const never = new AbortController().signal;
const minute = 60_000;
const hour = 60 * minute;

describe("credentials from Google", () => {
  it("are the token of the machine, until it is about to end", async () => {
    let issued = 0;
    await using metadata = await serve(({ url, headers }, response) => {
      assert.equal(url, "/computeMetadata/v1/instance/service-accounts/default/token");
      assert.equal(headers["metadata-flavor"], "Google");
      issued += 1;
      answer(response, 200, { access_token: `token-${issued}`, expires_in: 3_600, token_type: "Bearer" });
    });
    await using transport = closing();
    const clock = new FakeClock();
    const source = gcpCredentials({ metadataUrl: metadata.url, transport, clock });
    const passwordFor = async (host: string): Promise<string | undefined> =>
      (await source.credentialsFor(host, never))?.password;

    assert.deepEqual(
      [await passwordFor("gcr.io"), await passwordFor("eu.gcr.io"), await passwordFor("a-docker.pkg.dev")],
      Array(3).fill("token-1"),
    );
    assert.equal(await passwordFor("quay.io"), undefined);
    await clock.advance(54 * minute);
    assert.equal(await passwordFor("gcr.io"), "token-1");
    await clock.advance(2 * minute);
    assert.equal(await passwordFor("gcr.io"), "token-2");
  });
});

describe("credentials from Azure", () => {
  it("are the principal of the cluster, where its file is there", async () => {
    using folder = new TempFolder();
    const file = folder.write("azure.json", '{"aadClientId":"id","aadClientSecret":"s3cret"}');

    const found = await azureCredentials(file).credentialsFor("mine.azurecr.io", never);

    assert.deepEqual(found, { username: "id", password: "s3cret", provenance: "azure.json" });
    assert.equal(await azureCredentials(file).credentialsFor("quay.io", never), undefined);
    assert.equal(
      await azureCredentials(`${folder.path}/none`).credentialsFor("mine.azurecr.io", never),
      undefined,
    );
  });
});

describe("credentials from Amazon", () => {
  const host = "123.dkr.ecr.eu-west-1.amazonaws.com";
  const other = "456.dkr.ecr.eu-west-1.amazonaws.com";

  it("are tokens for all accounts of a region, until they are about to end", async () => {
    await using cloud = await Amazon.start();
    const ecr = cloud.ecr({ AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "s3cret" });

    assert.deepEqual(await ecr.credentialsFor(host, never), {
      username: "AWS",
      password: "token-1-123",
      provenance: "AWS API",
    });
    assert.equal((await ecr.credentialsFor(other, never))?.password, "token-2-456");
    assert.equal((await ecr.credentialsFor(host, never))?.password, "token-2-123");
    await cloud.clock.advance(11 * hour + 49 * minute);
    assert.equal((await ecr.credentialsFor(host, never))?.password, "token-2-123");
    await cloud.clock.advance(2 * minute);
    assert.equal((await ecr.credentialsFor(host, never))?.password, "token-3-123");
    assert.deepEqual(cloud.registries, [["123"], ["123", "456"], ["123", "456"]]);
    assert.match(
      cloud.authorizations[0] ?? "",
      /^AWS4-HMAC-SHA256 Credential=AKID\/19700101\/eu-west-1\/ecr\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, /,
    );
  });

  it("are not asked for again for ten minutes where there were none", async () => {
    await using cloud = await Amazon.start();
    cloud.isBroken = true;
    const ecr = cloud.ecr({ AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "s3cret" });

    assert.equal(await ecr.credentialsFor(host, never), undefined);
    assert.equal(await ecr.credentialsFor(host, never), undefined);
    assert.equal(cloud.registries.length, 1);
    cloud.isBroken = false;
    await cloud.clock.advance(10 * minute);
    assert.equal((await ecr.credentialsFor(host, never))?.password, "token-2-123");
    assert.ok(cloud.log.lines.some((line) => line.startsWith("error=fetching credentials for AWS region")));
    assert.ok(!cloud.log.lines.join("\n").includes("s3cret"));
  });

  it("are asked for with the role of the machine where there are no keys", async () => {
    await using cloud = await Amazon.start();
    const ecr = cloud.ecr({});

    assert.ok(await ecr.isWanted({ domain: host, image: "app" }, never));
    assert.equal((await ecr.credentialsFor(host, never))?.password, "token-1-123");
    assert.match(cloud.authorizations[0] ?? "", /Credential=MACHINE\/.*x-amz-security-token/);
    assert.ok(
      cloud.log.lines.includes("info=detected cluster region source=EC2 metadata service region=eu-west-1"),
    );
  });

  it("are asked for with the role of the service account where it has one", async () => {
    await using cloud = await Amazon.start();
    using folder = new TempFolder();
    const env = {
      AWS_REGION: "eu-west-1",
      AWS_ROLE_ARN: "arn:aws:iam::123:role/scanner",
      AWS_WEB_IDENTITY_TOKEN_FILE: folder.write("token", "a-token\n"),
    };
    const ecr = cloud.ecr(env);

    assert.equal((await ecr.credentialsFor(host, never))?.password, "token-1-123");
    assert.match(cloud.authorizations[0] ?? "", /Credential=ROLE\//);
  });

  it("leave out images of other regions and accounts, and of all where the region is not known", async () => {
    await using cloud = await Amazon.start();
    const wanted = async (ecr: Ecr, ...domains: readonly string[]): Promise<readonly boolean[]> =>
      Promise.all(domains.map((domain) => ecr.isWanted({ domain, image: "app" }, never)));
    const here = cloud.ecr({ AWS_REGION: "eu-west-1" }, ["456"]);

    assert.deepEqual(
      await wanted(here, host, other, "123.dkr.ecr.us-east-1.amazonaws.com", "quay.io", "x.amazonaws.com"),
      [true, false, false, true, true],
    );
    cloud.isBroken = true;
    const nowhere = cloud.ecr({});
    assert.deepEqual(await wanted(nowhere, host, "quay.io"), [false, true]);
    await assert.rejects(nowhere.checkRegion(never), /answers 500/);
    cloud.isBroken = false;
    await cloud.clock.advance(10 * minute);
    assert.deepEqual(await wanted(nowhere, host), [true], "the region is looked for again");
  });
});

function closing(): ReturnType<typeof createTransport> & AsyncDisposable {
  const transport = createTransport({ connections: 2 });
  return {
    send: (request) => transport.send(request),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** The services of Amazon that are asked, as far as they are. */
class Amazon implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly log = new RecordedLog();
  readonly registries: (readonly string[])[] = [];
  readonly authorizations: string[] = [];
  isBroken = false;
  readonly #transport = closing();
  #server: HttpServer | undefined;

  static async start(): Promise<Amazon> {
    const amazon = new Amazon();
    amazon.#server = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        if (request.headers["x-amz-target"] !== undefined) {
          amazon.#note(request.headers.authorization ?? "", body);
        }
        if (amazon.isBroken) {
          answer(response, 500, {});
        } else if (request.headers["x-amz-target"] !== undefined) {
          answer(response, 200, amazon.#tokens());
        } else {
          response.end(amazon.#metadata(request.url ?? "", body));
        }
      });
    });
    return amazon;
  }

  ecr(env: AwsEnvironment, exclude: readonly string[] = []): Ecr {
    const url = this.#server?.url ?? "";
    return new Ecr({
      regions: [],
      scope: { include: [], exclude },
      env,
      metadata: new Ec2Metadata(url, this.#transport),
      stsUrl: () => `${url}/sts`,
      ecrUrl: () => `${url}/`,
      transport: this.#transport,
      clock: this.clock,
      logger: this.log,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
    await this.#server?.[Symbol.asyncDispose]();
  }

  #note(authorization: string, body: string): void {
    this.authorizations.push(authorization);
    this.registries.push((JSON.parse(body) as { registryIds: string[] }).registryIds);
  }

  #tokens(): object {
    const token = (account: string): string =>
      Buffer.from(`AWS:token-${this.registries.length}-${account}`).toString("base64");
    return {
      authorizationData: (this.registries.at(-1) ?? []).map((account) => ({
        authorizationToken: token(account),
        expiresAt: this.clock.now() / 1000 + 12 * 3_600,
        proxyEndpoint: `https://${account}.dkr.ecr.eu-west-1.amazonaws.com`,
      })),
    };
  }

  #metadata(url: string, body: string): string {
    const answers: Readonly<Record<string, string>> = {
      "/latest/api/token": "session",
      "/latest/meta-data/placement/region": "eu-west-1",
      "/latest/meta-data/iam/security-credentials/": "role",
      "/latest/meta-data/iam/security-credentials/role":
        '{"AccessKeyId":"MACHINE","SecretAccessKey":"s3cret","Token":"t"}',
      "/sts":
        "<AssumeRoleWithWebIdentityResponse><AccessKeyId>ROLE</AccessKeyId><SecretAccessKey>s3cret</SecretAccessKey><SessionToken>t</SessionToken></AssumeRoleWithWebIdentityResponse>",
    };
    assert.ok(url !== "/sts" || body.includes("WebIdentityToken=a-token"), body);
    return answers[url] ?? "";
  }
}

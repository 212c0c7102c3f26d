import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import type { Ecr } from "../../../../src/registry/credentials/aws/ecr.ts";
import { Amazon } from "../../../support/amazon.ts";

const never = new AbortController().signal;
const minute = 60_000;
const hour = 60 * minute;

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

  it("are asked for with the role of the machine also where its metadata service is of the first version", async () => {
    await using cloud = await Amazon.start();
    cloud.isOld = true;
    const ecr = cloud.ecr({});

    assert.ok(await ecr.isWanted({ domain: host, image: "app" }, never));
    assert.equal((await ecr.credentialsFor(host, never))?.password, "token-1-123");

    cloud.isOld = false;
    await cloud.clock.advance(12 * hour);
    assert.equal(await ecr.credentialsFor(host, never).then((found) => found?.password), "token-1-123");
    await cloud.clock.advance(10 * minute);
    assert.equal((await ecr.credentialsFor(host, never))?.password, "token-2-123", "it has sessions now");
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
    assert.match(cloud.authorizations[0] ?? "", /Credential=scanner\//);
    assert.deepEqual(cloud.lent, [
      {
        Action: "AssumeRoleWithWebIdentity",
        Version: "2011-06-15",
        RoleArn: "arn:aws:iam::123:role/scanner",
        RoleSessionName: "fluxd",
        WebIdentityToken: "a-token",
        key: "",
      },
    ]);
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
    await assert.rejects(nowhere.checkRegion(never), /responded with status 500/);
    const shut = cloud.ecr({ AWS_EC2_METADATA_DISABLED: "true" });
    await assert.rejects(shut.checkRegion(never), /AWS_EC2_METADATA_DISABLED turns off/);
    cloud.isBroken = false;
    await cloud.clock.advance(10 * minute);
    assert.deepEqual(await wanted(nowhere, host), [true], "the region is looked for again");
  });
});

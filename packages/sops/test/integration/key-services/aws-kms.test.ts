import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { dedent, TempFolder } from "@weir/testing";
import type { KmsKey } from "../../../src/master-key.ts";
import { Aws, keyArn } from "../../support/aws.ts";
import { refused } from "../../support/refused.ts";

const never = new AbortController().signal;
const dataKey = randomBytes(32);
const own = { AWS_ACCESS_KEY_ID: "AKIAOWN", AWS_SECRET_ACCESS_KEY: "own-s3cret" };

describe("a data key in AWS KMS", () => {
  it("is decrypted with a signed request, in its encryption context", async () => {
    await using aws = await Aws.start();
    const service = aws.service(own);
    const context = { Environment: "production", app: "web" };

    assert.deepEqual(Buffer.from(await service.decrypt(aws.record(dataKey), never)), dataKey);
    assert.deepEqual(Buffer.from(await service.decrypt(aws.record(dataKey, { context }), never)), dataKey);
    assert.deepEqual([...aws.routes.origins], ["https://kms.eu-west-1.amazonaws.com"]);
  });

  it("is decrypted in the region and partition of its ARN", async () => {
    await using aws = await Aws.start();
    const arn = "arn:aws-cn:kms:cn-north-1:111122223333:alias/sops";

    const plain = await aws.service(own).decrypt(aws.record(dataKey, { arn }), never);

    assert.deepEqual(Buffer.from(plain), dataKey);
    assert.deepEqual([...aws.routes.origins], ["https://kms.cn-north-1.amazonaws.com.cn"]);
  });

  it("is decrypted at the endpoint in the environment", async () => {
    await using aws = await Aws.start();
    const env = { ...own, AWS_ENDPOINT_URL_KMS: aws.kmsUrl };

    await aws.service(env).decrypt(aws.record(dataKey), never);

    assert.deepEqual([...aws.routes.origins], [aws.kmsUrl]);
    const insecure = { ...own, AWS_ENDPOINT_URL: "http://kms.example.com" };
    await refused(
      aws.service(insecure).decrypt(aws.record(dataKey), never),
      /AWS_ENDPOINT_URL names kms\.example\.com without TLS, .*; use https:\/\/$/,
    );
  });

  it("is decrypted with a role that the key names, assumed with our own keys", async () => {
    await using aws = await Aws.start();
    const role = "arn:aws:iam::111122223333:role/decrypter";

    const plain = await aws.service(own).decrypt(aws.record(dataKey, { role }), never);

    assert.deepEqual(Buffer.from(plain), dataKey);
    assert.deepEqual(aws.decryptedFor, ["ASIAdecrypter"]);
    assert.deepEqual(aws.assumed, [
      {
        Action: "AssumeRole",
        Version: "2011-06-15",
        RoleArn: role,
        RoleSessionName: "sops@pod1.x",
        by: "AKIAOWN",
      },
    ]);
  });

  it("is decrypted with the profile that the key names, also if there are keys in the environment", async () => {
    await using aws = await Aws.start();
    aws.keys.set("AKIAPROD", { secret: "prod-s3cret" });
    using home = new TempFolder();
    home.write(
      ".aws/config",
      dedent(`
        [profile prod]
        aws_access_key_id = AKIAPROD
        aws_secret_access_key = prod-s3cret

        [profile lent]
        role_arn = arn:aws:iam::111122223333:role/lent
        source_profile = prod

        [profile outside]
        role_arn = arn:aws:iam::111122223333:role/outside
        credential_source = Environment
      `),
    );
    const service = aws.service({ ...own, HOME: home.path });
    const decryptAs = (awsProfile: string): Promise<Uint8Array> =>
      service.decrypt(aws.record(dataKey, { awsProfile }), never);

    await decryptAs("prod");
    await decryptAs("lent");
    await decryptAs("outside");

    assert.deepEqual(aws.decryptedFor, ["AKIAPROD", "ASIAlent", "ASIAoutside"]);
    await refused(decryptAs("nobody"), /AWS profile nobody: it isn't in .*\.aws\/config or .*; add it there/);
  });

  it("is decrypted with the web identity of a pod, with a pod identity, and with the role of the machine", async () => {
    await using aws = await Aws.start();
    using folder = new TempFolder();
    const tokenFile = folder.write("token", "pod-t0ken\n");
    const webIdentity = {
      AWS_ROLE_ARN: "arn:aws:iam::111122223333:role/web",
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
    };
    const podIdentity = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://169.254.170.23/v1/credentials",
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
    };

    for (const env of [webIdentity, podIdentity, {}]) {
      const plain = await aws.service(env).decrypt(aws.record(dataKey), never);
      assert.deepEqual(Buffer.from(plain), dataKey);
    }

    assert.deepEqual(aws.decryptedFor, ["ASIAweb", "ASIAPOD", "ASIAMACHINE"]);
    const elsewhere = {
      ...podIdentity,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://10.0.0.1/v1/credentials",
    };
    await refused(
      aws.service(elsewhere).decrypt(aws.record(dataKey), never),
      /FULL_URI names 10\.0\.0\.1 without TLS/,
    );
  });

  it("is decrypted with the same temporary keys for ten minutes", async () => {
    await using aws = await Aws.start();
    const service = aws.service(own);
    const record = aws.record(dataKey, { role: "arn:aws:iam::111122223333:role/r" });

    await Promise.all([service.decrypt(record, never), service.decrypt(record, never)]);
    assert.equal(aws.assumed.length, 1);
    await aws.clock.advance(10 * 60_000);
    await service.decrypt(record, never);
    assert.equal(aws.assumed.length, 2);
  });

  it("is decrypted with new keys after AWS has refused the old ones", async () => {
    await using aws = await Aws.start();
    const service = aws.service(own);
    const record = aws.record(dataKey, { role: "arn:aws:iam::111122223333:role/r" });
    await service.decrypt(record, never);

    aws.faults.push({
      status: 400,
      body: { __type: "ExpiredTokenException", message: "t0ken-of-ASIAr expired" },
    });
    await refused(service.decrypt(record, never), /ExpiredTokenException: … expired/);

    assert.deepEqual(Buffer.from(await service.decrypt(record, never)), dataKey);
    assert.equal(aws.assumed.length, 2);
  });

  it("isn't asked for any more after four attempts", async () => {
    await using aws = await Aws.start();
    const throttled = { status: 429, body: { __type: "ThrottlingException" } };
    aws.faults.push(throttled, throttled, throttled, throttled);

    const attempt = refused(
      aws.service(own).decrypt(aws.record(dataKey), never),
      /can't decrypt with AWS KMS: .* status 429 \(ThrottlingException\); the service is overloaded or down/,
    );
    for (const ms of [500, 1_000, 2_000]) {
      await aws.clock.sleeping(ms);
      await aws.clock.advance(ms);
    }
    await attempt;
  });

  for (const [what, change, message] of [
    [
      "another context",
      { context: { app: "other" } },
      /InvalidCiphertextException\); .* run sops updatekeys/,
    ],
    ["another key", { arn: keyArn.replace("1234abcd", "ffffffff") }, /IncorrectKeyException: .*updatekeys/],
    [
      "no valid ARN",
      { arn: "arn:aws:kms:evil.example.com/#:1:key/x" },
      /this isn't the ARN of a key in AWS KMS/,
    ],
    ["an ARN of another service", { arn: "arn:aws:s3:eu-west-1:1:key/x" }, /this isn't the ARN/],
    ["a value that isn't base64", { encryptedDataKey: "%%" }, /the field enc of this key isn't valid base64/],
    ["no value", { encryptedDataKey: "" }, /the field enc of this key isn't valid base64/],
  ] as readonly (readonly [string, Partial<KmsKey>, RegExp])[]) {
    it(`isn't decrypted for a record with ${what}`, async () => {
      await using aws = await Aws.start();

      await refused(aws.service(own).decrypt({ ...aws.record(dataKey), ...change }, never), message);
    });
  }

  it("isn't decrypted with the wrong secret, or without permission", async () => {
    await using aws = await Aws.start();
    const wrong = { AWS_ACCESS_KEY_ID: "AKIAOWN", AWS_SECRET_ACCESS_KEY: "other-s3cret" };

    await refused(aws.service(wrong).decrypt(aws.record(dataKey), never), /InvalidSignatureException/);
    aws.faults.push({
      status: 400,
      body: {
        __type: "com.amazon.coral.service#AccessDeniedException",
        Message: `User: arn:aws:iam::111122223333:user/weir is not authorized to perform: kms:Decrypt on ${keyArn}`,
      },
    });
    await refused(
      aws.service(own).decrypt(aws.record(dataKey), never),
      /status 400 \(AccessDeniedException: User: arn:.*user\/weir is not authorized to perform: kms:Decrypt on arn:aws:kms:eu-west-1:111122223333:key\/1234abcd-12ab-34cd-56ef-1234567890ab\); allow the role of this process the action kms:Decrypt on the key/,
    );
  });

  it("isn't decrypted by a service that is silent, talks nonsense, or never stops", async () => {
    await using aws = await Aws.start();
    const service = aws.service(own);
    const attempt = (): Promise<Uint8Array> => service.decrypt(aws.record(dataKey), never);

    aws.faults.push("silence");
    const late = refused(
      attempt(),
      /no response from https:\/\/kms\.eu-west-1\.amazonaws\.com\/ within 5 seconds/,
    );
    await aws.clock.sleeping(5_000);
    await aws.clock.advance(5_000);
    await late;
    aws.faults.push({ status: 200, text: "<html>" });
    await refused(attempt(), /isn't valid JSON; check whether a proxy responds in place of the service/);
    aws.faults.push({ status: 200, body: { Plaintext: 5 } });
    await refused(attempt(), /AWS KMS responded without a decrypted key/);
    aws.faults.push({ status: 200, text: "x".repeat(1_100_000) });
    await refused(attempt(), /the response is larger than 1048576 bytes/);
    aws.faults.push({ status: 302, text: "" });
    await refused(attempt(), /status 302/);
  });

  it("isn't decrypted where the service can't be reached, or where there are no credentials", async () => {
    await using aws = await Aws.start();
    const arn = keyArn.replace("eu-west-1", "us-east-1");

    await refused(
      aws.service(own).decrypt(aws.record(dataKey, { arn }), never),
      /can't decrypt with AWS KMS: getaddrinfo ENOTFOUND kms\.us-east-1\.amazonaws\.com; check that this host can reach/,
    );
    await refused(
      aws.service({ AWS_EC2_METADATA_DISABLED: "true" }).decrypt(aws.record(dataKey), never),
      /no credentials for AWS KMS: found no other AWS credentials or region/,
    );
  });
});

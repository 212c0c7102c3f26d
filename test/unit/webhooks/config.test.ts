import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseWebhooksConfig, WebhooksConfigError } from "../../../src/webhooks/config.ts";
import { hookSources } from "../../../src/webhooks/sources.ts";

function refused(text: string, message: RegExp): void {
  assert.throws(
    () => parseWebhooksConfig(text),
    (error) => error instanceof WebhooksConfigError && message.test(error.message),
  );
}

describe("the configuration of webhooks", () => {
  it("is that of flux-recv", () => {
    const endpoints = parseWebhooksConfig(`
fluxRecvVersion: 1
api: http://localhost:3031/api/flux
endpoints:
- source: GitHub
  keyPath: ./github_rsa
- keyPath: nexus.key
  source: Nexus
  registryHost: container.example.com
- source: GoogleContainerRegistry
  keyPath: gcr.key
  gcr:
    audience: flux-push-notification
`);

    const none = { registryHost: "", signed: false, topicArn: "" };
    assert.deepEqual(
      endpoints.map(({ source, ...endpoint }) => {
        assert.equal(source, hookSources.get(endpoint.name));
        return endpoint;
      }),
      [
        { ...none, name: "GitHub", keyPath: "./github_rsa" },
        { ...none, name: "Nexus", keyPath: "nexus.key", registryHost: "container.example.com" },
        {
          ...none,
          name: "GoogleContainerRegistry",
          keyPath: "gcr.key",
          google: { audience: "flux-push-notification", email: "" },
        },
      ],
    );
  });

  it("says more where Weir knows more", () => {
    const endpoints = parseWebhooksConfig(`
fluxRecvVersion: 1
endpoints:
- { source: BitbucketCloud, keyPath: a, signed: true }
- { source: AmazonECR, keyPath: b, ecr: { topicArn: "arn:aws:sns:us-west-2:123456789012:pushes" } }
- { source: GoogleContainerRegistry, keyPath: c, gcr: { audience: x, email: y@example.com } }
`);

    assert.deepEqual(
      endpoints.map(({ signed, topicArn, google }) => ({ signed, topicArn, google })),
      [
        { signed: true, topicArn: "", google: undefined },
        { signed: false, topicArn: "arn:aws:sns:us-west-2:123456789012:pushes", google: undefined },
        { signed: false, topicArn: "", google: { audience: "x", email: "y@example.com" } },
      ],
    );
  });

  it("reads keys in any case, as Go does", () => {
    const [endpoint] = parseWebhooksConfig("FluxRecvVersion: 1\nEndpoints: [{Source: Quay, keypath: q}]\n");

    assert.equal(endpoint?.keyPath, "q");
  });

  it("says where it is wrong, and what to do", () => {
    const one = (endpoint: string): string => `fluxRecvVersion: 1\nendpoints: [${endpoint}]\n`;

    refused("", /^it isn't valid YAML: .*empty/);
    refused("- a", /^it isn't a mapping/);
    refused("a: [", /^it isn't valid YAML at line \d+: /);
    refused("endpoints: []", /^fluxRecvVersion must be 1$/);
    refused("fluxRecvVersion: 2", /^fluxRecvVersion must be 1$/);
    refused('fluxRecvVersion: "1"', /^fluxRecvVersion should be a whole number, not a string$/);
    refused("fluxRecvVersion: 1", /^it has no endpoints; add at least one under the key endpoints$/);
    refused(one("x"), /^endpoints\[0\] should be an object, not a string$/);
    refused(one("{keyPath: k}"), /^endpoints\[0\]\.source is ""; use one of AmazonECR, .*Quay$/);
    refused(one("{source: github, keyPath: k}"), /^endpoints\[0\]\.source is "github"; use one of .*GitHub/);
    refused(one("{source: GitHub}"), /^endpoints\[0\]\.keyPath is missing/);
    refused(
      one("{source: GoogleContainerRegistry, keyPath: k, gcr: {}}"),
      /^endpoints\[0\]\.gcr\.audience is missing/,
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { awsServiceUrl } from "../../../src/aws/service-url.ts";

describe("the URL of a service of AWS", () => {
  for (const [region, url] of [
    ["eu-west-1", "https://kms.eu-west-1.amazonaws.com/"],
    ["us-gov-west-1", "https://kms.us-gov-west-1.amazonaws.com/"],
    ["cn-north-1", "https://kms.cn-north-1.amazonaws.com.cn/"],
    ["us-iso-east-1", "https://kms.us-iso-east-1.c2s.ic.gov/"],
    ["us-isob-east-1", "https://kms.us-isob-east-1.sc2s.sgov.gov/"],
    ["eusc-de-east-1", "https://kms.eusc-de-east-1.amazonaws.eu/"],
  ] as const) {
    it(`is in the domain of its partition in ${region}`, () => {
      assert.equal(awsServiceUrl("kms", region), url);
    });
  }
});

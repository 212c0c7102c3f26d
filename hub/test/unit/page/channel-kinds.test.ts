import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settingsOf, textsOf } from "../../../page/screens/administration/channel-kinds.ts";

describe("the settings of a channel", () => {
  it("are sent as what they are, without those that are empty", () => {
    const texts = {
      host: " mail.example.com ",
      to: "a@example.com, b@example.com,",
      password: "",
      other: "x",
    };

    assert.deepEqual(settingsOf("mail", texts), {
      host: "mail.example.com",
      port: 587,
      security: "starttls",
      to: ["a@example.com", "b@example.com"],
    });
    assert.deepEqual(settingsOf("gitlab", { project: "acme/fleet", status: "false" }), {
      project: "acme/fleet",
      status: false,
      comment: false,
    });
  });

  it("are taken away if they were set and are empty now, except for secret ones", () => {
    const before = { host: "mail.example.com", user: "weir", port: 25, security: "none" };
    const texts = { ...textsOf(before), user: " ", password: "" };

    assert.deepEqual(settingsOf("mail", texts, before), {
      ...{ host: "mail.example.com", port: 25, security: "none" },
      user: null,
    });
  });

  it("come back as texts, to be changed", () => {
    assert.deepEqual(textsOf({ port: 25, to: ["a", "b"], status: true, from: "c" }), {
      port: "25",
      to: "a, b",
      status: "true",
      from: "c",
    });
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { systemClock } from "@weir/base";
import { createTransport } from "@weir/http";
import { channelSettings } from "../../src/notify/channel.ts";
import { Courier } from "../../src/notify/courier.ts";
import { checkTemplate } from "../../src/notify/template.ts";
import { listNames, valueNames } from "../../src/notify/view.ts";
import { notableEvent } from "../support/notable-events.ts";
import { webhookStandIn } from "../support/service-stand-ins.ts";

const page = readFileSync(join(import.meta.dirname, "../../../hub/docs/notifications.md"), "utf8");
const transport = createTransport({ connections: 1 });
after(() => transport.close());

function blocks(language: string): readonly string[] {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text = ""]) =>
    name === language ? [text] : [],
  );
}

describe("hub/docs/notifications.md", () => {
  it("shows templates that work, and every name that they know", () => {
    const templates = blocks("mustache");

    assert.equal(templates.length, 3);
    templates.forEach(checkTemplate);
    assert.deepEqual(
      [...valueNames, ...listNames].filter((name) => !page.includes(`\`${name}\``)),
      [],
    );
  });

  it("names every kind of channel and its settings", () => {
    const kinds = channelSettings.options.map(({ shape }) => Object.keys({ ...shape }));
    const names = channelSettings.options.map(({ shape }) => shape.kind.value);

    assert.deepEqual(
      [...names, ...kinds.flat().filter((name) => name !== "kind")].filter(
        (name) => !page.includes(`\`${name}\``),
      ),
      [],
    );
  });

  it("shows the webhook that is sent, and how to verify it", async () => {
    const key = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    await using receiver = await webhookStandIn(key);
    const courier = new Courier({ transport, privateHosts: ["127.0.0.1"], clock: systemClock });
    const settings = channelSettings.parse({ kind: "webhook", url: receiver.url, key });
    const [source = ""] = blocks("js");
    const url = `data:text/javascript,${encodeURIComponent(source)}`;
    const { verify } = (await import(url)) as {
      readonly verify: (headers: object, body: string, key: string) => boolean;
    };

    await courier.deliver(
      { id: "msg_1", events: [notableEvent()], template: {} },
      settings,
      new AbortController().signal,
    );

    const [request] = receiver.received;
    const { headers = {}, text = "" } = request ?? {};
    assert.deepEqual(request?.body, JSON.parse(blocks("json")[0] ?? ""));
    assert.equal(verify(headers, text, key), true);
    assert.equal(verify(headers, `${text} `, key), false);
    assert.equal(verify({ ...headers, "webhook-timestamp": "1714566600" }, text, key), false);
    assert.equal(verify(headers, text, key.replace("B", "C")), false);
  });
});

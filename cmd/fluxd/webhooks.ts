/** Receives webhooks, if configured. */

import { type Logger, version } from "@weir/base";
import { askCloud } from "@weir/cloud";
import type { ApiServer } from "@weir/flux/api";
import { createTransport, proxiesOf } from "@weir/http";
import { listen } from "../../src/api/server/listen.ts";
import { WebhooksConfigError } from "../../src/webhooks/config.ts";
import { readEndpoints, type ServedEndpoint } from "../../src/webhooks/endpoints.ts";
import { openWebhookMetrics } from "../../src/webhooks/metrics.ts";
import { createReceiver, receiverLimits } from "../../src/webhooks/receiver.ts";
import { createTrust, type Get } from "../../src/webhooks/trust.ts";
import type { ImageScanContext } from "./image-registry.ts";
import type { WebhookSettings } from "./settings.ts";
import { StartupError } from "./startup-checks.ts";

/** A listener for webhooks, or none. */
export interface Webhooks {
  /** Starts listening; rejects with ListenError. */
  start(api: ApiServer): Promise<void>;
}

type WebhookContext = Omit<ImageScanContext, "settings" | "images">;

/** Reads the webhook configuration and its keys. Rejects with StartupError if they're invalid. */
export async function openWebhooks(
  settings: WebhookSettings | undefined,
  given: WebhookContext,
): Promise<Webhooks> {
  if (settings === undefined) {
    return { start: () => Promise.resolve() };
  }
  const { clock, cleanup } = given;
  const logger = given.logger.with({ component: "webhooks" });
  const endpoints = await endpointsOf(settings.config);
  tell([...endpoints.values()], logger);
  const count = openWebhookMetrics(given.metrics);
  const get = openGet(given);
  const trust = createTrust(get, clock);
  return {
    async start(api) {
      const receiver = createReceiver({ endpoints, api, trust, get, count, logger, clock });
      const listening = await listen(receiver, settings.listen, receiverLimits);
      cleanup.defer(() => listening.stop());
      logger.log({ addr: settings.listen });
    },
  };
}

async function endpointsOf(file: string): Promise<ReadonlyMap<string, ServedEndpoint>> {
  try {
    return await readEndpoints(file);
  } catch (error) {
    throw error instanceof WebhooksConfigError ? new StartupError({ err: error.message }) : error;
  }
}

/** Like flux-recv, which prints its endpoints. */
function tell(endpoints: readonly ServedEndpoint[], logger: Logger): void {
  for (const { name, keyFile, shownPath, warnings } of endpoints) {
    logger.log({ endpoint: name, key: keyFile, hook: shownPath });
    warnings.forEach((warning) => logger.log({ warning, endpoint: name, key: keyFile }));
  }
}

/** Connects on first use, through the proxies in the environment. */
function openGet({ env, clock, cleanup, signal }: WebhookContext): Get {
  const transport = createTransport({ connections: 2, proxies: proxiesOf(env) });
  cleanup.defer(() => transport.close());
  const headers = { "User-Agent": `fluxd/${version}` };
  return (url) => askCloud({ method: "GET", url, headers }, { transport, clock }, signal);
}

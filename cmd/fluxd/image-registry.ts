/**
 * Creates the parts that handle images: the list of images in use, the metadata cache, and the warmer that fills it.
 * Takes settings and the cluster's images, and returns what the daemon queries.
 */

import { type Checkup, type Clock, type Environment, type Logger, type Metrics, version } from "@weir/base";
import type { ImageName, ImageRegistry } from "@weir/flux";
import { createTransport, proxiesOf } from "@weir/http";
import { deferredStore } from "../../src/registry/cache/deferred.ts";
import { Confirmer } from "../../src/registry/confirm.ts";
import { HttpRegistryClients } from "../../src/registry/http-client.ts";
import type { ImageSource } from "../../src/registry/image-source.ts";
import { openRegistryMetrics } from "../../src/registry/metrics.ts";
import { createCachedRegistry, disabledRegistry } from "../../src/registry/registry.ts";
import { Warmer } from "../../src/registry/warm/warmer.ts";
import { openImageCache } from "./image-cache.ts";
import { imageCheckup, noScanCheckup } from "./image-checkup.ts";
import { imagesToScan } from "./image-credentials.ts";
import type { RegistrySettings } from "./registry-settings.ts";

/** The image metadata, and the parts that keep it up to date. */
export interface ImageScan {
  readonly registry: ImageRegistry;
  /** Checks the cache and the results of scanning. */
  readonly checkup: Checkup;
  /** Starts scanning; calls back, if requested, when there are new images. */
  start(onNewImages?: () => void): void;
  /** A notice says that an image has something new, possibly with its tags. */
  prioritize(name: ImageName, tags: readonly string[]): void;
}

/** Opens everything that scanning needs; sends no requests to registries before `start`. */
export async function openImageScan(given: ImageScanContext): Promise<ImageScan> {
  const { settings, images, env, metrics, clock, logger, cleanup } = given;
  if (settings.disabled) {
    return {
      registry: disabledRegistry,
      checkup: noScanCheckup,
      start: () => undefined,
      prioritize: () => undefined,
    };
  }
  const measured = openRegistryMetrics(metrics, clock);
  const opening = openImageCache(settings, clock, logger);
  const store = measured.store(deferredStore(opening.then((opened) => opened.store)));
  cleanup.defer(() => store.close());
  const transport = createTransport({ connections: settings.burst, proxies: proxiesOf(env) });
  cleanup.defer(() => transport.close());
  const clients = measured.clients(
    new HttpRegistryClients({
      limits: { rps: settings.rps, burst: settings.burst },
      insecureHosts: settings.insecureHosts,
      trace: settings.trace,
      userAgent: `fluxd/${version}`,
      transport,
      clock,
      logger: logger.with({ component: "registry" }),
    }),
  );
  let notify: () => void = () => undefined;
  const wanted = await imagesToScan(images, settings, given);
  const warmer = new Warmer({
    images: wanted,
    clients,
    store,
    burst: settings.burst,
    trace: settings.trace,
    clock,
    logger: logger.with({ component: "warmer" }),
    onNewImages: () => notify(),
    metrics: measured,
  });
  cleanup.defer(() => warmer.stop());
  const confirmer = new Confirmer({
    clients,
    store,
    credentialsOf: (repository, signal) => warmer.credentialsOf(repository, signal),
    onDifference: (repository, tags) => warmer.prioritize(repository, tags),
    clock,
    logger: logger.with({ component: "registry" }),
  });
  const cached = createCachedRegistry({
    store,
    useLabels: settings.useLabels,
    confirm: (name, tags, signal) => confirmer.confirm(name, tags, signal),
  });
  return {
    registry: measured.registry(cached),
    checkup: imageCheckup(wanted, store, opening),
    start(onNewImages = () => undefined) {
      notify = onNewImages;
      warmer.start();
    },
    prioritize: (name, tags) => warmer.prioritize(name, tags),
  };
}

export interface ImageScanContext {
  readonly settings: RegistrySettings;
  /** The images in use, with the pull secrets of their workloads. */
  readonly images: ImageSource;
  readonly env: Environment;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Stops what was opened. */
  readonly cleanup: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

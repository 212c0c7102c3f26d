/** `fluxctl export --for=flux2`, loaded on demand: no other command waits for YAML and the Kubernetes client. */
import { stringifyGoJson } from "@weir/base";
import { exportToFlux2 } from "../../../src/switching/flux2/export.ts";
import type { ExportOptions } from "../../../src/switching/flux2/install.ts";
import { printExport, printNotes } from "../../../src/switching/flux2/print.ts";
import type { CommandContext } from "../command.ts";
import { readInstall } from "./install.ts";
import { type MarkRequest, markCheckout } from "./mark.ts";

/** What to export, and how to print it. */
export interface Flux2ExportRequest extends ExportOptions {
  readonly format: "yaml" | "json";
  /** The name of fluxd's Deployment; "" to find it by labels. */
  readonly deployment: string;
  /** Where to add the markers, instead of printing the objects. */
  readonly mark?: MarkRequest;
}

/** Reads the install and prints its objects (as JSON, with the notes on stderr), or adds markers to a checkout. */
export async function exportForFlux2(request: Flux2ExportRequest, context: CommandContext): Promise<void> {
  const install = await context.waitFor("the install", () => readInstall(request.deployment, context));
  const exported = exportToFlux2(install, request);
  if (request.mark !== undefined) {
    await markCheckout(request.mark, { exported, flags: install.flags }, context);
    return;
  }
  if (request.format === "yaml") {
    context.outDocument(printExport(exported, install.pod));
    return;
  }
  const items = exported.objects.map(({ object }) => object);
  context.outDocument(`${stringifyGoJson({ apiVersion: "v1", kind: "List", items }, { sortKeys: false })}\n`);
  context.err(`${printNotes(exported, install.pod).join("\n")}\n`);
}

import type { Notification } from "./content.ts";
import type { TemplateTexts } from "./template.ts";

/** A notification to try a channel with: it says that it's one. It names no commit, so it sets no status. */
export function sampleNotification(id: string, template: TemplateTexts, now: number): Notification {
  return {
    id: `msg_${id}`,
    template,
    events: [
      {
        id: 0,
        instance: { id: "", name: "test" },
        type: "test",
        severity: "info",
        namespaces: ["default"],
        workloads: ["default:deployment/helloworld"],
        revision: "",
        message: "This is a test of the notifications of weir-console. Nothing happened.",
        at: new Date(now),
        link: "",
      },
    ],
  };
}

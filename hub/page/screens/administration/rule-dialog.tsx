import { type ReactNode, useState } from "react";
import type { Channel, Rule } from "../../../src/contract/notifications.ts";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { Choices } from "../../ui/choices.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { AreaField, CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { eventTypes } from "../events/event-types.ts";

type RuleFields = Omit<Rule, "id">;

const groupings: readonly (readonly [Rule["groupBy"][number], string])[] = [
  ["instance", "Instance"],
  ["type", "Type"],
  ["severity", "Severity"],
  ["namespace", "Namespace"],
  ["revision", "Commit"],
];

const severities = ["info", "warning", "error"] as const;

/** How long events are collected at most, in seconds. */
const longestGroup = 86_400;

/** How long a template can be. */
const longestTemplate = 2_000;

/** Adds a rule, or changes one. */
export function RuleDialog({
  rule,
  channels,
  onClose,
}: {
  /** Undefined: a new one. */
  readonly rule: Rule | undefined;
  readonly channels: readonly Channel[];
  readonly onClose: () => void;
}): ReactNode {
  const create = useChange("createRule");
  const change = useChange("changeRule");
  const [fields, setFields] = useState<RuleFields>(() => fieldsOf(rule, channels[0]?.id ?? ""));
  const set = (next: Partial<RuleFields>): void => setFields({ ...fields, ...next });
  const save = (): void =>
    rule === undefined
      ? create.mutate({ body: fields }, { onSuccess: onClose })
      : change.mutate({ params: { rule: rule.id }, body: fields }, { onSuccess: onClose });
  return (
    <Dialog title={rule === undefined ? "Add a rule" : `Change ${rule.name}`} onClose={onClose}>
      <Form
        submit="Save"
        busy={create.isPending || change.isPending}
        error={create.error ?? change.error}
        onCancel={onClose}
        onSubmit={save}
      >
        <TextField label="Name" name="name" value={fields.name} onValue={(name) => set({ name })} required />
        <SelectField
          label="Channel"
          name="channelId"
          value={fields.channelId}
          options={channels.map(({ id, name }) => [id, name] as const)}
          onValue={(channelId) => set({ channelId })}
        />
        <EventFields fields={fields} onChange={set} />
        <TextField
          label="Seconds to collect events"
          name="groupSeconds"
          help="0: each event by itself."
          type="number"
          min={0}
          max={longestGroup}
          value={String(fields.groupSeconds)}
          onValue={(text) => set({ groupSeconds: Number(text) })}
        />
        {fields.groupSeconds > 0 && (
          <div className="field">
            <p className="label">One message for events with the same</p>
            <div className="filters">
              <Choices
                label="Groups"
                choices={groupings.map(([value, text]) => ({ value, text }))}
                chosen={fields.groupBy}
                onChange={(chosen) =>
                  set({
                    groupBy: groupings.map(([each]) => each).filter((each) => chosen.includes(each)),
                  })
                }
              />
            </div>
          </div>
        )}
        <TextField
          label="Template of the title"
          help="Empty: the usual title."
          maxLength={longestTemplate}
          value={fields.title ?? ""}
          onValue={(text) => set({ title: text === "" ? null : text })}
        />
        <AreaField
          label="Template of the text"
          name="text"
          help={`Empty: the usual text. At most ${longestTemplate} characters.`}
          value={fields.template ?? ""}
          onValue={(text) => set({ template: text === "" ? null : text })}
        />
        <CheckField label="On" checked={fields.enabled} onChecked={(enabled) => set({ enabled })} />
      </Form>
    </Dialog>
  );
}

function EventFields({
  fields,
  onChange,
}: {
  readonly fields: RuleFields;
  readonly onChange: (change: Partial<RuleFields>) => void;
}): ReactNode {
  const instances = useAnswer("instances", { query: { limit: 200 } });
  return (
    <>
      <div className="field">
        <p className="label">Only</p>
        <div className="filters">
          <Choices
            label="Instance"
            choices={(instances.data?.rows ?? []).map(({ id, name }) => ({ value: id, text: name }))}
            chosen={fields.instances}
            onChange={(chosen) => onChange({ instances: [...chosen] })}
          />
          <Choices
            label="Type"
            choices={eventTypes.map((value) => ({ value, text: value }))}
            chosen={fields.eventTypes}
            onChange={(chosen) => onChange({ eventTypes: [...chosen] })}
          />
          <Choices
            label="Severity"
            choices={severities.map((value) => ({ value, text: value }))}
            chosen={fields.severities}
            onChange={(chosen) =>
              onChange({ severities: severities.filter((each) => chosen.includes(each)) })
            }
          />
        </div>
      </div>
      <TextField
        label="Namespaces"
        name="namespaces"
        help="Several with commas; empty: all."
        value={fields.namespaces.join(",")}
        onValue={(text) =>
          onChange({ namespaces: text === "" ? [] : text.split(",").map((part) => part.trim()) })
        }
      />
    </>
  );
}

function fieldsOf(rule: Rule | undefined, channelId: string): RuleFields {
  return (
    rule ?? {
      name: "",
      channelId,
      enabled: true,
      instances: [],
      namespaces: [],
      eventTypes: [],
      severities: ["warning", "error"],
      title: null,
      template: null,
      groupBy: ["instance", "type"],
      groupSeconds: 300,
    }
  );
}

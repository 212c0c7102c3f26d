import { type ReactNode, useState } from "react";
import type { Channel } from "../../../src/contract/notifications.ts";
import { useChange } from "../../api/use-answer.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { AreaField, CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { type ChannelSetting, channelKinds, settingsOf, textsOf } from "./channel-kinds.ts";

const kindOptions = (
  ["slack-webhook", "slack-app", "teams", "discord", "mail", "webhook", "github", "gitlab"] as const
).map((kind) => [kind, channelKinds[kind].name] as const);

/** Adds a channel, or changes one. */
export function ChannelDialog({
  channel,
  onClose,
}: {
  /** Undefined: a new one. */
  readonly channel: Channel | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const create = useChange("createChannel");
  const change = useChange("changeChannel");
  const [name, setName] = useState(channel?.name ?? "");
  const [kind, setKind] = useState<Channel["kind"]>(channel?.kind ?? "slack-webhook");
  const [enabled, setEnabled] = useState(channel?.enabled ?? true);
  const [texts, setTexts] = useState(textsOf(channel?.settings ?? {}));
  const save = (): void => {
    const settings = settingsOf(kind, texts, channel?.settings);
    if (channel === undefined) {
      create.mutate({ body: { name, kind, settings } }, { onSuccess: onClose });
    } else {
      change.mutate(
        { params: { channel: channel.id }, body: { name, enabled, settings } },
        { onSuccess: onClose },
      );
    }
  };
  return (
    <Dialog title={channel === undefined ? "Add a channel" : `Change ${channel.name}`} onClose={onClose}>
      <Form
        submit="Save"
        busy={create.isPending || change.isPending}
        error={create.error ?? change.error}
        onCancel={onClose}
        onSubmit={save}
      >
        <TextField label="Name" name="name" value={name} onValue={setName} maxLength={100} required />
        {channel === undefined ? (
          <SelectField label="Kind" name="kind" value={kind} options={kindOptions} onValue={setKind} />
        ) : (
          <CheckField label="On" checked={enabled} onChecked={setEnabled} />
        )}
        {channelKinds[kind].settings.map((setting) => (
          <SettingField
            key={setting.key}
            setting={setting}
            isKept={channel?.hasSecret === true}
            value={texts[setting.key] ?? setting.otherwise ?? ""}
            onValue={(text) => setTexts({ ...texts, [setting.key]: text })}
          />
        ))}
      </Form>
    </Dialog>
  );
}

function SettingField({
  setting: { key, label, help, form = "text", options = [] },
  isKept,
  value,
  onValue,
}: {
  readonly setting: ChannelSetting;
  /** Whether there's a secret already, which stays if none is written. */
  readonly isKept: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
}): ReactNode {
  const isSecret = form === "secret" || form === "secret-lines";
  const shownHelp = isSecret && isKept ? "Empty: as it is." : help;
  const common = {
    label,
    name: key,
    value,
    onValue,
    ...(shownHelp === undefined ? {} : { help: shownHelp }),
  };
  if (form === "yes-no") {
    return (
      <CheckField
        label={label}
        checked={value === "true"}
        onChecked={(on) => onValue(on ? "true" : "false")}
      />
    );
  }
  if (form === "choice") {
    return <SelectField {...common} options={options} />;
  }
  if (form === "secret-lines") {
    return <AreaField {...common} />;
  }
  return (
    <TextField
      {...common}
      type={form === "secret" ? "password" : form === "number" ? "number" : "text"}
      autoComplete={form === "secret" ? "new-password" : "off"}
    />
  );
}

import { WEBHOOK_URL_MAX, type Webhook, WebhookEvent } from '@settee/protocol/model/webhook';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { useState } from 'react';
import { CheckField } from '../../staff/CheckField.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useConfirmedApi } from '../../staff/security/useConfirmedApi.tsx';
import { useAdmin } from '../context.ts';
import { TextField } from '../parts/TextField.tsx';
import { Choices } from './Choices.tsx';

type WebhookDialogProps = {
  /** Without it, the dialog adds one. */
  webhook?: Webhook;
  onClose: () => void;
  onSecret: (secret: string) => void;
};

export function WebhookDialog({ webhook, onClose, onSecret }: WebhookDialogProps) {
  const { session } = useAdmin();
  const { ask, dialog } = useConfirmedApi(session);
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? WebhookEvent.options);
  const [withText, setWithText] = useState(webhook?.withText ?? false);

  async function save() {
    if (url.trim() === '') return webhookTexts.urlMissing;
    if (events.length === 0) return webhookTexts.eventsMissing;
    const body = { url, events: [...events], withText };
    if (webhook === undefined) return ask('createWebhook', { body });
    const saved = await ask('changeWebhook', { params: { id: webhook.id }, body });
    return saved.ok ? undefined : saved;
  }

  return (
    <>
      <FormDialog
        title={webhook === undefined ? webhookTexts.addTitle : webhookTexts.editTitle}
        action={webhook === undefined ? webhookTexts.add : adminTexts.save}
        onSubmit={save}
        {...(webhook && { say: webhookTexts.saved })}
        onDone={(made) => made && onSecret(made.secret)}
        onClose={onClose}
      >
        <TextField
          label={webhookTexts.url}
          hint={webhookTexts.urlHint}
          value={url}
          onChange={setUrl}
          // Not type=url: the browser's own messages are not our texts.
          inputMode="url"
          dir="ltr"
          autoCapitalize="none"
          maxLength={WEBHOOK_URL_MAX}
          autoComplete="off"
          spellCheck={false}
        />
        <Choices
          legend={webhookTexts.events}
          options={WebhookEvent.options}
          hints={webhookTexts.eventTexts}
          chosen={events}
          onChange={setEvents}
        />
        <CheckField
          label={webhookTexts.withText}
          hint={webhookTexts.withTextHint}
          checked={withText}
          onChange={setWithText}
        />
      </FormDialog>
      {dialog}
    </>
  );
}

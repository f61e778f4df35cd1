import { WEBHOOK_URL_MAX, type Webhook, WebhookEvent } from '@settee/protocol/model/webhook';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { texts } from '@settee/protocol/texts/texts';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { useRef, useState } from 'react';
import { CheckField } from '../../staff/CheckField.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useConfirmedApi } from '../../staff/security/useConfirmedApi.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
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
  const toasts = useToasts();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? WebhookEvent.options);
  const [withText, setWithText] = useState(webhook?.withText ?? false);
  /** Read when the dialog has closed, which is before the next render. */
  const secret = useRef<string>(null);

  async function save(): Promise<string | undefined> {
    if (url.trim() === '') return webhookTexts.urlMissing;
    if (events.length === 0) return webhookTexts.eventsMissing;
    const body = { url, events: [...events], withText };
    if (webhook !== undefined) {
      const saved = await ask('changeWebhook', { params: { id: webhook.id }, body });
      if (!saved.ok) return saved.text || texts.networkError;
      toasts.show({ text: webhookTexts.saved });
      return undefined;
    }
    const added = await ask('createWebhook', { body });
    if (!added.ok) return added.text || texts.networkError;
    secret.current = added.answer.secret;
    return undefined;
  }

  return (
    <>
      <FormDialog
        title={webhook === undefined ? webhookTexts.addTitle : webhookTexts.editTitle}
        action={webhook === undefined ? webhookTexts.add : adminTexts.save}
        onSubmit={save}
        onClose={() => (secret.current === null ? onClose() : onSecret(secret.current))}
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

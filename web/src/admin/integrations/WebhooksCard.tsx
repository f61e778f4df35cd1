import { WEBHOOK_URL_MAX, type Webhook, WebhookEvent } from '@settee/protocol/model/webhook';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { integrationTexts } from '@settee/protocol/texts/integrationTexts';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { useRef, useState } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { Card } from '../../staff/Card.tsx';
import { CheckField } from '../../staff/CheckField.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { Pill } from '../../staff/Pill.tsx';
import { useConfirmedApi } from '../../staff/security/useConfirmedApi.tsx';
import { useChange } from '../../staff/useChange.ts';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useAdmin } from '../context.ts';
import { Link } from '../parts/links.tsx';
import { QueryContent } from '../parts/QueryContent.tsx';
import { RowMenu } from '../parts/RowMenu.tsx';
import { ShownOnceDialog } from '../parts/ShownOnceDialog.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import { Choices } from './ApiKeysCard.tsx';
import styles from './integrations.module.css';

type Task = 'edit' | 'rotate' | 'remove';
type Open = { task: 'add' } | { task: 'show'; secret: string } | { task: Task; webhook: Webhook };

const tones = { active: 'good', paused: 'plain', disabled: 'bad' } as const;

export function WebhooksCard() {
  const { session } = useAdmin();
  const { ask, dialog } = useConfirmedApi(session);
  const { run } = useChange('toast');
  // Every change of a webhook is in the audit log.
  const query = useAdminQuery('audit', 'readWebhooks', {});
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen((now) => (now === open ? null : now));
  const addButton = useRef<HTMLButtonElement>(null);
  const show = (secret: string) => setOpen({ task: 'show', secret });

  const setState = ({ id }: Webhook, state: 'active' | 'paused') =>
    run(() => session.api('changeWebhook', { params: { id }, body: { state } }), {
      say: webhookTexts.saved,
      of: id,
    });

  function itemsOf(webhook: Webhook) {
    const item = (task: Task) => ({ text: webhookTexts[task], run: () => setOpen({ task, webhook }) });
    return [
      item('edit'),
      webhook.state === 'active'
        ? { text: webhookTexts.pause, run: () => void setState(webhook, 'paused') }
        : { text: webhookTexts.resume, run: () => void setState(webhook, 'active') },
      item('rotate'),
      { ...item('remove'), danger: true, apart: true },
    ];
  }

  return (
    <Card
      title={webhookTexts.title}
      note={webhookTexts.note}
      actions={
        <Button ref={addButton} look="outline" onClick={() => setOpen({ task: 'add' })}>
          {webhookTexts.add}
        </Button>
      }
    >
      <QueryContent query={query} thing={webhookTexts.thing}>
        {({ webhooks }) => (
          <>
            {webhooks.some(({ state }) => state === 'disabled') && (
              <div className={styles.notice}>
                <Notice tone="danger">{webhookTexts.disabledNotice}</Notice>
              </div>
            )}
            {webhooks.length === 0 ? (
              <p className="ink-3">{webhookTexts.empty}</p>
            ) : (
              <ul className="lined">
                {webhooks.map((webhook) => (
                  <li key={webhook.id} className={styles.row}>
                    <About webhook={webhook} />
                    <RowMenu
                      label={fillText(webhookTexts.actionsFor, { url: webhook.url })}
                      items={itemsOf(webhook)}
                    />
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </QueryContent>
      {open?.task === 'add' && <WebhookDialog onClose={close} onSecret={show} />}
      {open?.task === 'edit' && <WebhookDialog webhook={open.webhook} onClose={close} onSecret={show} />}
      {open?.task === 'rotate' && (
        <FormDialog
          title={webhookTexts.rotateTitle}
          note={webhookTexts.rotateNote}
          action={webhookTexts.rotate}
          onSubmit={() => ask('rotateWebhookSecret', { params: { id: open.webhook.id } })}
          onDone={({ secret }) => show(secret)}
          onClose={close}
        >
          <Address of={open.webhook} />
        </FormDialog>
      )}
      {open?.task === 'remove' && (
        <FormDialog
          title={webhookTexts.removeTitle}
          note={webhookTexts.removeNote}
          action={webhookTexts.remove}
          danger
          onSubmit={() => session.api('deleteWebhook', { params: { id: open.webhook.id } })}
          say={webhookTexts.removed}
          // The row disappears, and with it the button that opened the dialog.
          onDone={() => addButton.current?.focus()}
          onClose={close}
        >
          <Address of={open.webhook} />
        </FormDialog>
      )}
      {dialog}
      {open?.task === 'show' && (
        <ShownOnceDialog
          title={webhookTexts.secretTitle}
          note={webhookTexts.secretNote}
          label={webhookTexts.secret}
          value={open.secret}
          copyText={integrationTexts.copy}
          onClose={close}
        />
      )}
    </Card>
  );
}

function About({ webhook }: { webhook: Webhook }) {
  const { id, url, events, withText, state, failingSince, previousSecretUntil } = webhook;
  const now = useCurrentMinute();
  return (
    <>
      <span className={styles.main}>
        <Link to={`/integrations/${id}`}>
          <bdi>{url}</bdi>
        </Link>
        <span className={styles.pills}>
          {events.map((event) => (
            <Pill key={event} tone="plain">
              {event}
            </Pill>
          ))}
        </span>
      </span>
      <span className={styles.aside}>
        <span className={styles.pills}>
          <Pill tone={tones[state]}>{webhookTexts.states[state]}</Pill>
          {withText && <Pill tone="brand">{webhookTexts.textIncluded}</Pill>}
        </span>
        {failingSince !== null && (
          <small>{fillText(webhookTexts.failingSince, { time: dateAndTime(failingSince, now) })}</small>
        )}
        {previousSecretUntil !== null && (
          <small>
            {fillText(webhookTexts.secretOverlap, { time: dateAndTime(previousSecretUntil, now) })}
          </small>
        )}
      </span>
    </>
  );
}

/** Which one, if there are several. */
function Address({ of: { url } }: { of: Webhook }) {
  return (
    <p className={styles.address}>
      <bdi>{url}</bdi>
    </p>
  );
}

type WebhookDialogProps = {
  /** Without it, the dialog adds one. */
  webhook?: Webhook;
  onClose: () => void;
  onSecret: (secret: string) => void;
};

function WebhookDialog({ webhook, onClose, onSecret }: WebhookDialogProps) {
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

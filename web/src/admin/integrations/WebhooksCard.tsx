import type { Webhook } from '@settee/protocol/model/webhook';
import { fillText } from '@settee/protocol/texts/fillText';
import { integrationTexts } from '@settee/protocol/texts/integrationTexts';
import { texts } from '@settee/protocol/texts/texts';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { Card } from '../../staff/Card.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { Pill } from '../../staff/Pill.tsx';
import { useConfirmedApi } from '../../staff/security/useConfirmedApi.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useAdmin } from '../context.ts';
import { QueryContent } from '../parts/QueryContent.tsx';
import { RowMenu } from '../parts/RowMenu.tsx';
import { ShownOnceDialog } from '../parts/ShownOnceDialog.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import styles from './integrations.module.css';
import { WebhookDialog } from './WebhookDialog.tsx';

type Task = 'edit' | 'rotate' | 'remove';
type Open = { task: 'add' } | { task: 'show'; secret: string } | { task: Task; webhook: Webhook };

const tones = { active: 'good', paused: 'plain', disabled: 'bad' } as const;

export function WebhooksCard() {
  const { session } = useAdmin();
  const toasts = useToasts();
  // Every change of a webhook is in the audit log.
  const query = useAdminQuery('audit', 'readWebhooks', {});
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen((now) => (now === open ? null : now));
  const addButton = useRef<HTMLButtonElement>(null);
  const show = (secret: string) => setOpen({ task: 'show', secret });

  async function setState({ id }: Webhook, state: 'active' | 'paused'): Promise<void> {
    const done = await session.api('changeWebhook', { params: { id }, body: { state } });
    toasts.show({ text: done.ok ? webhookTexts.saved : done.text || texts.networkError });
  }

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
                <Notice tone="danger" icon="alert">
                  {webhookTexts.disabledNotice}
                </Notice>
              </div>
            )}
            {webhooks.length === 0 ? (
              <p className={styles.empty}>{webhookTexts.empty}</p>
            ) : (
              <ul className={styles.rows}>
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
      {open?.task === 'rotate' && <RotateDialog webhook={open.webhook} onClose={close} onSecret={show} />}
      {open?.task === 'remove' && (
        <RemoveDialog
          webhook={open.webhook}
          onClose={close}
          // The row disappears, and with it the button that opened the dialog.
          onRemoved={() => addButton.current?.focus()}
        />
      )}
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

type DialogProps = { webhook: Webhook; onClose: () => void };

/** Which one, if there are several. */
function Address({ of: { url } }: { of: Webhook }) {
  return (
    <p className={styles.address}>
      <bdi>{url}</bdi>
    </p>
  );
}

function RotateDialog({ webhook, onClose, onSecret }: DialogProps & { onSecret: (secret: string) => void }) {
  const { session } = useAdmin();
  const { ask, dialog } = useConfirmedApi(session);
  /** Read when the dialog has closed, which is before the next render. */
  const secret = useRef<string>(null);

  async function rotate(): Promise<string | undefined> {
    const done = await ask('rotateWebhookSecret', { params: { id: webhook.id } });
    if (!done.ok) return done.text || texts.networkError;
    secret.current = done.answer.secret;
    return undefined;
  }

  return (
    <>
      <FormDialog
        title={webhookTexts.rotateTitle}
        note={webhookTexts.rotateNote}
        action={webhookTexts.rotate}
        onClose={() => (secret.current === null ? onClose() : onSecret(secret.current))}
        onSubmit={rotate}
      >
        <Address of={webhook} />
      </FormDialog>
      {dialog}
    </>
  );
}

function RemoveDialog({ webhook, onClose, onRemoved }: DialogProps & { onRemoved: () => void }) {
  const { session } = useAdmin();
  const toasts = useToasts();
  const removed = useRef(false);

  async function remove(): Promise<string | undefined> {
    const done = await session.api('deleteWebhook', { params: { id: webhook.id } });
    if (!done.ok) return done.text || texts.networkError;
    toasts.show({ text: webhookTexts.removed });
    removed.current = true;
    return undefined;
  }

  return (
    <FormDialog
      title={webhookTexts.removeTitle}
      note={webhookTexts.removeNote}
      action={webhookTexts.remove}
      danger
      onClose={() => {
        onClose();
        if (removed.current) onRemoved();
      }}
      onSubmit={remove}
    >
      <Address of={webhook} />
    </FormDialog>
  );
}

import type { WebhookDelivery } from '@settee/protocol/model/webhook';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { useState } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { Pill } from '../../staff/Pill.tsx';
import { useChange } from '../../staff/useChange.ts';
import { useAdmin } from '../context.ts';
import { AdminList } from '../parts/AdminList.tsx';
import { EmptyList, ListPage } from '../parts/ListPage.tsx';
import type { Column } from '../parts/ListTable.tsx';
import { Chips } from '../parts/ListTools.tsx';
import { Link } from '../parts/links.tsx';
import { useAdminPages, useAdminQuery } from '../useAdminQuery.ts';
import styles from './integrations.module.css';

/** Deliveries happen without an entry in the audit log. */
const REFETCH_MS = 5_000;

const tones = { waiting: 'warn', delivered: 'good', failed: 'bad' } as const;
const shows = [
  { value: 'all', text: webhookTexts.all },
  { value: 'waiting', text: webhookTexts.deliveryStates.waiting },
  { value: 'delivered', text: webhookTexts.deliveryStates.delivered },
  { value: 'failed', text: webhookTexts.deliveryStates.failed },
] as const;
type Show = (typeof shows)[number]['value'];

const columns: readonly Column<WebhookDelivery>[] = [
  {
    text: webhookTexts.event,
    cell: ({ type, conversationId }) => (
      <span className={styles.main}>
        <span>{type}</span>
        {conversationId !== null && <small>{conversationId}</small>}
      </span>
    ),
  },
  {
    text: webhookTexts.state,
    width: 120,
    line: 'corner',
    cell: ({ state }) => <Pill tone={tones[state]}>{webhookTexts.deliveryStates[state]}</Pill>,
  },
  {
    text: webhookTexts.response,
    width: 290,
    cell: (row, now) => <span className={styles.wraps}>{responseText(row, now)}</span>,
  },
  { text: webhookTexts.attempts, width: 96, number: true, line: 'named', cell: ({ attempts }) => attempts },
  { text: webhookTexts.time, width: 140, cell: ({ at }, now) => dateAndTime(at, now) },
];

/** The events of one webhook, with responses. */
export function DeliveriesPage({ id }: { id: string }) {
  const { session } = useAdmin();
  const { run } = useChange('toast');
  const [show, setShow] = useState<Show>('all');
  const { data } = useAdminQuery('audit', 'readWebhooks', {});
  const webhook = data?.webhooks.find((each) => each.id === id);
  const isGone = data !== undefined && webhook === undefined;
  const query = useAdminPages('audit', 'readDeliveries', show === 'all' ? {} : { show }, {
    cursor: 'before',
    next: (page) => page.next,
    params: { id },
    refetchInterval: REFETCH_MS,
    enabled: !isGone,
  });

  async function resend({ position }: WebhookDelivery): Promise<void> {
    const call = () => session.api('resendDelivery', { params: { id }, body: { position } });
    await run(call, { say: webhookTexts.resent, of: String(position) });
    void query.refetch();
  }

  return (
    <ListPage title={webhookTexts.deliveries} actions={<Link to="/integrations">{webhookTexts.back}</Link>}>
      {isGone ? (
        <EmptyList title={webhookTexts.noSuchWebhook} note="" />
      ) : (
        <>
          <p className={styles.about}>
            {webhook && <bdi>{webhook.url}</bdi>}
            <span>{webhookTexts.deliveriesNote}</span>
          </p>
          <AdminList
            label={webhookTexts.deliveries}
            thing={webhookTexts.deliveriesThing}
            query={query}
            rows={query.data?.pages.flatMap((page) => page.deliveries)}
            columns={columns}
            tools={<Chips label={webhookTexts.show} value={show} options={shows} onChange={setShow} />}
            filtered={show !== 'all'}
            menus={{
              label: webhookTexts.resend,
              of: (delivery) => ({
                label: fillText(webhookTexts.deliveryActions, { type: delivery.type }),
                items:
                  delivery.state === 'waiting' && delivery.triedAt === null
                    ? []
                    : [{ text: webhookTexts.resend, run: () => void resend(delivery) }],
              }),
            }}
            empty={
              show === 'all' ? (
                <EmptyList title={webhookTexts.emptyDeliveries} note={webhookTexts.emptyDeliveriesNote} />
              ) : (
                <EmptyList
                  title={adminTexts.noMatches}
                  note=""
                  action={webhookTexts.all}
                  onAction={() => setShow('all')}
                />
              )
            }
          />
        </>
      )}
    </ListPage>
  );
}

function responseText(
  { status, problem, tookMs, triedAt, nextAt, state }: WebhookDelivery,
  now: number,
): string {
  const next = state === 'waiting' && nextAt !== null && triedAt !== null;
  const response =
    status !== null
      ? fillText(webhookTexts.took, { status: String(status), ms: String(tookMs ?? 0) })
      : triedAt === null
        ? webhookTexts.notTried
        : problemText(problem);
  return next ? `${response}. ${fillText(webhookTexts.next, { time: dateAndTime(nextAt, now) })}` : response;
}

/** A code of Node.js is shown as it is. */
function problemText(problem: string | null): string {
  const known: Readonly<Record<string, string>> = webhookTexts.problems;
  return problem === null ? webhookTexts.noResponse : (known[problem] ?? problem);
}

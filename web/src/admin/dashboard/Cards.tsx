import type { Dashboard, HandlerLoad, InviteFunnel, WaitingRow } from '@settee/protocol/model/dashboard';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { dateText } from '../../browser/dateText.ts';
import { listText } from '../../browser/listText.ts';
import { Card } from '../../staff/Card.tsx';
import { previewText } from '../../staff/previewText.ts';
import { tintOf, tintOfWord } from '../../staff/tint.ts';
import { formatShortDuration } from '../../staff/waiting.ts';
import { Button } from '../../ui/Button.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { useLiveAdmin } from '../context.ts';
import { ReassignDialog } from '../conversations/ConversationDialogs.tsx';
import { Link } from '../parts/links.tsx';
import { DeskName, useDeskNames } from '../useDesks.tsx';
import cards from './cards.module.css';
import { Face } from './Face.tsx';
import { reply, share, toneOf } from './figureText.ts';
import styles from './HandlersCard.module.css';
import funnel from './InvitesCard.module.css';
import waitingStyles from './WaitingCard.module.css';

const MINUTE_MS = 60_000;

/** The busiest desks, their presence and reply times. */
export function HandlersCard({ handlers, now }: { handlers: readonly HandlerLoad[]; now: number }) {
  const names = useDeskNames();
  return (
    <Card
      title={texts.desks}
      className={cards.card}
      aside={
        <Link className={cards.link} to="/handlers">
          {texts.allPeople}
        </Link>
      }
    >
      {handlers.length === 0 ? (
        <p className={cards.empty}>
          {texts.noDesks} <Link to="/handlers/new">{texts.addPerson}</Link>
        </p>
      ) : (
        <ul className={styles.list}>
          {handlers.map((handler) => (
            <li key={handler.alias} className={styles.handler}>
              <Face
                name={names[handler.alias] ?? handler.alias.replaceAll('-', ' ')}
                tint={tintOfWord(handler.alias)}
                online={handler.online}
              />
              <span className={styles.words} title={listText(handler.people)}>
                <b>
                  <DeskName alias={handler.alias} />
                </b>
                <small>{seenText(handler, now)}</small>
              </span>
              <span className={styles.load}>
                <b>{fillText(texts.open, { count: handler.open })}</b>
                <small>{handler.firstReplyMs === null ? texts.none : reply(handler.firstReplyMs)}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function seenText({ people, online, lastSeenAt }: HandlerLoad, now: number): string {
  if (people.length === 0) return texts.nobodyThere;
  if (online) return texts.online;
  if (lastSeenAt === null) return texts.neverSeen;
  return fillText(texts.lastSeen, { time: formatShortDuration(Math.max(MINUTE_MS, now - lastSeenAt)) });
}

/** The invite funnel of the period, and the newest unopened invite. */
export function InvitesCard({ invites, unopened }: Pick<Dashboard, 'invites' | 'unopened'>) {
  return (
    <Card
      title={texts.invites}
      className={`${cards.card} ${funnel.card}`}
      aside={
        <Link className={cards.link} to="/invites">
          {texts.allInvites}
        </Link>
      }
    >
      <Funnel invites={invites} />
      {unopened && <Unopened {...unopened} />}
    </Card>
  );
}

function Funnel({ invites: { created, opened, started, replied } }: { invites: InviteFunnel }) {
  const steps = [
    { name: texts.created, count: created, of: '' },
    { name: texts.opened, count: opened, of: share(opened, created) },
    { name: texts.started, count: started, of: share(started, opened) },
    { name: texts.replied, count: replied, of: share(replied, started) },
  ];
  return (
    <dl className={funnel.funnel}>
      {steps.map(({ name, count, of }) => (
        <div key={name} className={funnel.step}>
          <dt>{name}</dt>
          <dd className={funnel.track} aria-hidden="true">
            <span style={{ inlineSize: `${created === 0 ? 0 : (count / created) * 100}%` }} />
          </dd>
          <dd className={funnel.count}>{formatNumber(count)}</dd>
          <dd className={funnel.share}>{of}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The link cannot be shown again, so this opens the invite list. */
function Unopened({ label, expiresAt }: NonNullable<Dashboard['unopened']>) {
  const date = dateText(expiresAt, { day: 'numeric', month: 'short' });
  return (
    <div className={funnel.unopened}>
      <b dir="auto">{label || texts.unlabelled}</b>
      <small>{fillText(texts.notOpened, { date })}</small>
      <Link
        className={cards.tool}
        to={label === '' ? '/invites' : `/invites?search=${encodeURIComponent(label)}`}
      >
        {texts.showInvite}
      </Link>
    </div>
  );
}

/** The longest waits, with a button to reassign each. */
export function WaitingCard({ waiting, now }: { waiting: Dashboard['waiting']; now: number }) {
  const [moving, setMoving] = useState<WaitingRow | null>(null);
  const { rows, count } = waiting;
  return (
    <Card
      title={texts.waiting}
      className={`${cards.card} ${waitingStyles.card}`}
      aside={
        count > 0 && (
          <Link className={cards.link} to="/conversations?show=waiting">
            {fillText(texts.seeAll, { count })}
          </Link>
        )
      }
    >
      {rows.length === 0 ? (
        <p className={cards.empty}>
          {texts.nobodyWaiting} <Link to="/conversations?show=open">{texts.openConversations}</Link>
        </p>
      ) : (
        <table className={waitingStyles.table}>
          <colgroup>
            <col className={waitingStyles.whoColumn} />
            <col />
            <col className={waitingStyles.deskColumn} />
            <col className={waitingStyles.timeColumn} />
            <col className={waitingStyles.actColumn} />
          </colgroup>
          <thead className="hidden">
            <tr>
              {[texts.visitor, texts.lastMessage, texts.desk, texts.waitingTime, texts.action].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Waiting key={row.conversationId} row={row} now={now} onReassign={setMoving} />
            ))}
          </tbody>
        </table>
      )}
      {moving !== null && (
        <ReassignDialog
          ids={[moving.conversationId]}
          from={[moving.alias]}
          name={visitorNameOrLabel(moving)}
          onClose={() => setMoving(null)}
        />
      )}
    </Card>
  );
}

type WaitingProps = { row: WaitingRow; now: number; onReassign: (row: WaitingRow) => void };

function Waiting({ row, now, onReassign }: WaitingProps) {
  const { settings } = useLiveAdmin();
  const name = visitorNameOrLabel(row);
  const waited = Math.max(0, now - row.waitingSince);
  return (
    <tr>
      <td className={waitingStyles.who}>
        <span>
          <Face name={name} tint={tintOf(row.visitorId)} />
          <Link to={`/conversations/${row.conversationId}`} dir="auto">
            {name}
          </Link>
        </span>
      </td>
      <td className={waitingStyles.said}>
        <span dir="auto">{previewText(row.lastMessage)}</span>
      </td>
      <td className={waitingStyles.desk}>
        <DeskName alias={row.alias} />
      </td>
      <td className={waitingStyles.time}>
        <span className="pill" data-tone={toneOf(row.waitingSince, now, settings)}>
          {waited < 60_000 ? texts.justNow : formatShortDuration(waited)}
        </span>
      </td>
      <td className={waitingStyles.act}>
        <Button look="outline" className={cards.tool} onClick={() => onReassign(row)}>
          <span aria-hidden="true">{adminTexts.reassign}</span>
          <Hidden>{fillText(texts.reassignOf, { name })}</Hidden>
        </Button>
      </td>
    </tr>
  );
}

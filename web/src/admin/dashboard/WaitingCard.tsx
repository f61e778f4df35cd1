import type { Dashboard, WaitingRow } from '@settee/protocol/model/dashboard';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { Link } from 'react-router';
import { Card } from '../../staff/Card.tsx';
import { previewText } from '../../staff/previewText.ts';
import { tintOf } from '../../staff/tint.ts';
import { formatShortDuration } from '../../staff/waiting.ts';
import { Button } from '../../ui/Button.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { useLiveAdmin } from '../context.ts';
import { ReassignDialog } from '../conversations/ConversationDialogs.tsx';
import { DeskName } from '../useDesks.tsx';
import cards from './cards.module.css';
import { Face } from './Face.tsx';
import { toneOf } from './tone.ts';
import styles from './WaitingCard.module.css';

/** The longest waits, with a button to reassign each. */
export function WaitingCard({ waiting, now }: { waiting: Dashboard['waiting']; now: number }) {
  const [moving, setMoving] = useState<WaitingRow | null>(null);
  const { rows, count } = waiting;
  return (
    <Card
      title={texts.waiting}
      className={`${cards.card} ${styles.card}`}
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
        <table className={styles.table}>
          <colgroup>
            <col className={styles.whoColumn} />
            <col />
            <col className={styles.deskColumn} />
            <col className={styles.timeColumn} />
            <col className={styles.actColumn} />
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
      <td className={styles.who}>
        <span>
          <Face name={name} tint={tintOf(row.visitorId)} />
          <Link to={`/conversations/${row.conversationId}`} dir="auto">
            {name}
          </Link>
        </span>
      </td>
      <td className={styles.said}>
        <span dir="auto">{previewText(row.lastMessage)}</span>
      </td>
      <td className={styles.desk}>
        <DeskName alias={row.alias} />
      </td>
      <td className={styles.time}>
        <span className="pill" data-tone={toneOf(row.waitingSince, now, settings)}>
          {waited < 60_000 ? texts.justNow : formatShortDuration(waited)}
        </span>
      </td>
      <td className={styles.act}>
        <Button look="outline" className={cards.tool} onClick={() => onReassign(row)}>
          <span aria-hidden="true">{adminTexts.reassign}</span>
          <Hidden>{fillText(texts.reassignOf, { name })}</Hidden>
        </Button>
      </td>
    </tr>
  );
}

import type { HandlerLoad } from '@settee/protocol/model/dashboard';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { Link } from 'react-router';
import { listText } from '../../browser/listText.ts';
import { Card } from '../../staff/Card.tsx';
import { formatShortDuration } from '../../staff/waiting.ts';
import { useDeskNames } from '../useDesks.tsx';
import cards from './cards.module.css';
import { Face } from './Face.tsx';
import { reply } from './figureText.ts';
import styles from './HandlersCard.module.css';

const TINTS = 5;
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
                tint={tintOfDesk(handler.alias)}
                online={handler.online}
              />
              <span className={styles.words} title={listText(handler.people)}>
                <b>
                  <bdi>{names[handler.alias] ?? handler.alias}</bdi>
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

/** Stable per desk. */
function tintOfDesk(alias: string): number {
  return (Array.from(alias).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TINTS) + 1;
}

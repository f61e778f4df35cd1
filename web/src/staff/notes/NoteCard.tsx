import type { Note } from '@settee/protocol/model/note';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useLayoutEffect, useRef } from 'react';
import { dayLabel, dayOf, timeOfDay } from '../../browser/times.ts';
import { Shape } from '../../ui/Icon.tsx';
import { staffShapes } from '../shapes.ts';
import styles from './NoteCard.module.css';

type NoteCardProps = {
  note: Note;
  /** Just written here: scroll to it. */
  fresh: boolean;
};

export function NoteCard({ note, fresh }: NoteCardProps) {
  const { author, text, createdAt, handover } = note;
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (fresh) card.current?.scrollIntoView({ block: 'nearest' });
  }, [fresh]);

  return (
    <div ref={card} className={styles.note} role="note">
      <Shape paths={staffShapes.note} size={17} />
      <div>
        {handover && (
          <p className={styles.handover}>
            {fillText(consoleTexts.handedOver, { name: author, ...handover })}
          </p>
        )}
        {text !== '' && (
          <p className={styles.text} dir="auto">
            {text}
          </p>
        )}
        <small>
          {fillText(consoleTexts.noteFrom, { name: author, time: whenOf(createdAt, Date.now()) })}
        </small>
      </div>
    </div>
  );
}

/** It may be days newer than the message before it. */
function whenOf(at: number, now: number): string {
  const time = timeOfDay(at);
  return dayOf(at) === dayOf(now)
    ? time
    : fillText(consoleTexts.noteDayAndTime, { day: dayLabel(at, now), time });
}

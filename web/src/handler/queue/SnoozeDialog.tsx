import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useState } from 'react';
import { timeOfDay } from '../../browser/times.ts';
import { Dialog } from '../../staff/dialog/FormDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { dayAndTime } from '../dayAndTime.ts';
import styles from './SnoozeDialog.module.css';

type SnoozeDialogProps = { title: string; onChoose: (until: number) => void; onClose: () => void };

export function SnoozeDialog({ title, onChoose, onClose }: SnoozeDialogProps) {
  const [now] = useState(Date.now);
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <>
          <p className="ink-2">{consoleTexts.snoozeNote}</p>
          <div className={styles.choices}>
            {snoozeChoices(now).map(({ name, until }) => (
              <Button
                key={name}
                look="outline"
                className={styles.choice}
                onClick={() => {
                  close();
                  onChoose(until);
                }}
              >
                <span>{name}</span>
                <span className={styles.time}>
                  {isToday(until, now) ? timeOfDay(until) : dayAndTime(until, now)}
                </span>
              </Button>
            ))}
          </div>
          <Button look="quiet" className={styles.cancel} onClick={close}>
            {consoleTexts.cancel}
          </Button>
        </>
      )}
    </Dialog>
  );
}

function isToday(at: number, now: number): boolean {
  return new Date(at).toDateString() === new Date(now).toDateString();
}

type SnoozeChoice = { name: string; until: number };

const HOUR_MS = 3_600_000;
const MORNING = 9;

export function snoozeChoices(now: number): SnoozeChoice[] {
  const untilMonday = (8 - new Date(now).getDay()) % 7;
  return [
    { name: consoleTexts.snoozeHour, until: now + HOUR_MS },
    { name: consoleTexts.snoozeHours, until: now + 4 * HOUR_MS },
    { name: consoleTexts.snoozeTomorrow, until: morningIn(now, 1) },
    // On Sundays and Mondays, 'Monday' is not offered.
    ...(untilMonday > 1 ? [{ name: consoleTexts.snoozeMonday, until: morningIn(now, untilMonday) }] : []),
  ];
}

/** By the calendar: a day may have 23 or 25 hours. */
function morningIn(now: number, days: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() + days);
  return date.setHours(MORNING, 0, 0, 0);
}

import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useState } from 'react';
import { dayLabel, timeOfDay } from '../../browser/times.ts';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import { Button } from '../../ui/Button.tsx';
import styles from './SnoozeDialog.module.css';
import { snoozeChoices } from './snooze.ts';

type SnoozeDialogProps = { title: string; onChoose: (until: number) => void; onClose: () => void };

/** Asks until when. */
export function SnoozeDialog({ title, onChoose, onClose }: SnoozeDialogProps) {
  const [now] = useState(Date.now);
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <>
          <p className={styles.note}>{consoleTexts.snoozeNote}</p>
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
                  {isToday(until, now) ? timeOfDay(until) : `${dayLabel(until, now)}, ${timeOfDay(until)}`}
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

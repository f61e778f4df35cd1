import type { DeskWithHours } from '@settee/protocol/calls/deskCalls';
import { type DeskHours, SPANS_MAX } from '@settee/protocol/model/hours';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listText } from '../../browser/listText.ts';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Dialog } from '../../staff/dialog/FormDialog.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { useAdmin } from '../context.ts';
import { Select } from '../parts/Select.tsx';
import { useDeskNames } from '../useDesks.tsx';
import styles from './HoursDialog.module.css';
import { draftOf, FIRST_SPAN, firstDraft, type SpanDraft, weekOf } from './week.ts';

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function HoursDialog({ desk, onClose }: { desk: DeskWithHours; onClose: () => void }) {
  const { session } = useAdmin();
  const queries = useQueryClient();
  const [timeZone, setTimeZone] = useState(desk.hours?.timeZone ?? OWN_ZONE);
  const [week, setWeek] = useState(() => (desk.hours ? draftOf(desk.hours) : firstDraft()));
  const name = useDeskNames()[desk.alias] ?? desk.alias;
  const { busy, error, run, submit } = useChange();

  const change = (day: number, spans: readonly SpanDraft[]) =>
    setWeek(week.map((before, n) => (n === day ? spans : before)));

  const send = (hours: DeskHours | null) =>
    session.api('saveDeskHours', { params: { alias: desk.alias }, body: { hours } });

  function save() {
    const judged = weekOf(week);
    return 'problem' in judged ? judged.problem : send({ timeZone, week: judged.week });
  }

  function saved(close: () => void): void {
    void queries.invalidateQueries({ queryKey: ['profile', 'readDeskHours'] });
    close();
  }

  return (
    <Dialog title={fillText(hoursTexts.dialogTitle, { desk: name })} held={busy} onClose={onClose}>
      {(close) => (
        <form
          className={styles.form}
          onSubmit={submit(save, { say: hoursTexts.saved, done: () => saved(close) })}
          noValidate
        >
          {desk.people.length > 0 && <p className="muted">{listText(desk.people)}</p>}
          <Select
            label={hoursTexts.timeZone}
            value={timeZone}
            onChange={setTimeZone}
            options={zoneOptions(timeZone)}
          />
          <ul className={styles.days}>
            {hoursTexts.days.map((name, day) => (
              <Day key={name} name={name} spans={week[day] ?? []} onChange={(spans) => change(day, spans)} />
            ))}
          </ul>
          <Button look="bare" className={styles.copy} onClick={() => setWeek(week.map(() => week[0] ?? []))}>
            {hoursTexts.copyToAll}
          </Button>
          <FieldError text={error} />
          <div className={buttons.buttons}>
            {desk.hours && (
              <Button
                look="outline"
                danger
                disabled={busy}
                onClick={() =>
                  void run(() => send(null), { say: hoursTexts.removed, done: () => saved(close) })
                }
              >
                {hoursTexts.remove}
              </Button>
            )}
            <Button look="outline" disabled={busy} onClick={close}>
              {consoleTexts.cancel}
            </Button>
            <Button type="submit" disabled={busy}>
              {adminTexts.save}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

type DayProps = {
  name: string;
  spans: readonly SpanDraft[];
  onChange: (spans: readonly SpanDraft[]) => void;
};

function Day({ name, spans, onChange }: DayProps) {
  const open = spans.length > 0;
  const put = (at: number, span: SpanDraft) => onChange(spans.map((before, n) => (n === at ? span : before)));
  return (
    <li className={styles.day}>
      <label className={styles.name}>
        <input
          type="checkbox"
          checked={open}
          aria-label={fillText(hoursTexts.openOn, { day: name })}
          onChange={() => onChange(open ? [] : [FIRST_SPAN])}
        />
        {name}
      </label>
      {open ? (
        <div className={styles.spans}>
          {spans.map((span, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a span has no id but its position
            <span key={at} className={styles.span}>
              <TimeField
                label={fillText(hoursTexts.from, { day: name })}
                value={span.from}
                onChange={(from) => put(at, { ...span, from })}
              />
              <span aria-hidden="true">{hoursTexts.until}</span>
              <TimeField
                label={fillText(hoursTexts.to, { day: name })}
                value={span.to}
                onChange={(to) => put(at, { ...span, to })}
              />
              {spans.length > 1 && (
                <button
                  type="button"
                  className={`icon-button ${styles.tool}`}
                  aria-label={fillText(hoursTexts.removeSpanOn, { day: name })}
                  onClick={() => onChange(spans.filter((_, n) => n !== at))}
                >
                  <Shape paths={['M6 6l12 12M18 6 6 18']} size={18} />
                </button>
              )}
              {at === spans.length - 1 && spans.length < SPANS_MAX && (
                <button
                  type="button"
                  className={`icon-button ${styles.tool}`}
                  aria-label={fillText(hoursTexts.addSpanOn, { day: name })}
                  onClick={() => onChange([...spans, { from: '', to: '' }])}
                >
                  <Shape paths={staffShapes.plus} size={18} />
                </button>
              )}
            </span>
          ))}
        </div>
      ) : (
        <span className={styles.closed}>{hoursTexts.closed}</span>
      )}
    </li>
  );
}

type TimeFieldProps = { label: string; value: string; onChange: (value: string) => void };

function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <input
      inputMode="numeric"
      autoComplete="off"
      placeholder="00:00"
      maxLength={5}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function zoneOptions(chosen: string): { value: string; text: string }[] {
  const zones = new Set([chosen, OWN_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')]);
  return [...zones].toSorted().map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));
}

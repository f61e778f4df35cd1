import { DeskName } from '@settee/protocol/model/deskName';
import { Email, type PersonDraft, PersonName } from '@settee/protocol/model/person';
import type { Role } from '@settee/protocol/model/staff';
import { texts } from '@settee/protocol/texts/texts';
import { useState } from 'react';
import * as v from 'valibot';
import type { Failure } from '../../net/api.ts';
import { useAdmin } from '../context.ts';
import { useDeskNames } from '../useDesks.tsx';
import { deskOf } from './deskOf.ts';
import { moveDesk, type Progress } from './moveDesk.ts';

/** Form fields. An empty desk means none. */
export type Draft = { name: string; email: string; role: Role; desk: string };

/** The form of a person at this desk. */
export type Start = Draft & { alias: string | null };

type Load = { conversations: number; invites: number };

export type SavePerson = {
  /** `onClosed` runs after the form has closed and returned the focus. */
  save(person: PersonDraft, bringAlong: boolean): Promise<Failure | { ok: true; onClosed(): void }>;
  /** The work at the desk that would be left without staff. */
  readLoad(): Promise<Load>;
};

type Errors = { name?: string; email?: string; desk?: string; other?: string };

/**
 * Saves a person and moves the work of a desk that would be left without staff. Work that moves along with the
 * person moves after saving. Work for another desk moves before, but only once all other fields are saved, so
 * that a refusal never leaves an emptied desk.
 */
export function usePersonForm(start: Start, { save, readLoad }: SavePerson) {
  const { session } = useAdmin();
  const names = useDeskNames();
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const [load, setLoad] = useState<Load>();
  const [to, setTo] = useState('');
  const [progress, setProgress] = useState<Progress>();

  async function refused(failure: Failure): Promise<Errors> {
    if (failure.code === 'email_taken') return { email: failure.text };
    if (failure.code !== 'desk_in_use') return { other: failure.text || texts.networkError };
    setLoad(await readLoad());
    return { other: failure.text };
  }

  async function run({ deskName, ...person }: PersonDraft): Promise<Errors | (() => void)> {
    const moves = load !== undefined && to !== '';
    const along = moves && to === person.alias;
    const move = async (): Promise<Errors> => {
      const wrong = await moveDesk(session.api, { from: start.alias ?? '', to }, setProgress);
      return wrong === undefined ? {} : { other: wrong || texts.networkError };
    };
    if (moves && !along) {
      const here = await save({ ...person, role: start.role, alias: start.alias }, false);
      if (!here.ok) return refused(here);
      const wrong = await move();
      if (wrong.other !== undefined) return wrong;
    }
    const saved = await save({ ...person, ...(deskName !== undefined && { deskName }) }, along);
    if (!saved.ok) return refused(saved);
    const wrong = along ? await move() : {};
    return wrong.other === undefined ? saved.onClosed : wrong;
  }

  return {
    errors,
    busy,
    load,
    to,
    setTo,
    progress,
    /** Returns what to run after closing. */
    async submit(draft: Draft): Promise<(() => void) | undefined> {
      if (busy) return undefined;
      const problems = problemsOf(draft);
      setErrors(problems);
      if (Object.keys(problems).length > 0) return undefined;
      setBusy(true);
      const { desk, ...fields } = draft;
      const result = await run({ ...fields, ...deskOf(desk, names, start.alias) });
      setBusy(false);
      if (typeof result === 'function') return result;
      setErrors(result);
      return undefined;
    },
  };
}

/** Errors found before the call, by field. */
export function problemsOf({ name, email, role, desk }: Draft): Errors {
  const wrongName = firstIssue(PersonName, name);
  const wrongEmail = firstIssue(Email, email);
  const wrongDesk = desk.trim() === '' && role === 'admin' ? undefined : firstIssue(DeskName, desk);
  return {
    ...(wrongName !== undefined && { name: wrongName }),
    ...(wrongEmail !== undefined && { email: wrongEmail }),
    ...(wrongDesk !== undefined && { desk: wrongDesk }),
  };
}

function firstIssue(schema: v.GenericSchema, value: string): string | undefined {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? undefined : parsed.issues[0].message;
}

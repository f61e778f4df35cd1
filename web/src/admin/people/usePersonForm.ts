import { DeskName } from '@settee/protocol/model/deskName';
import { Email, type PersonDraft, PersonName } from '@settee/protocol/model/person';
import type { Role } from '@settee/protocol/model/staff';
import { useState } from 'react';
import * as v from 'valibot';
import type { Failure } from '../../net/api.ts';
import { useDeskNames } from '../useDesks.tsx';
import { deskOf } from './deskOf.ts';
import { useMoveDesk } from './MoveFields.tsx';

/** Form fields. An empty desk means none. */
export type Draft = { name: string; email: string; role: Role; desk: string };

/** The form of a person at this desk. */
export type Start = Draft & { alias: string | null };

type Load = { conversations: number; invites: number };

export type SavePerson<A> = {
  save(person: PersonDraft, bringAlong: boolean): Promise<Failure | { ok: true; answer: A }>;
  /** The work at the desk that would be left without staff. */
  readLoad(): Promise<Load>;
};

type Errors = { name?: string; email?: string; desk?: string };

/** Saves a person and moves the work of a desk that would be left without staff. */
export function usePersonForm<A>(start: Start, { save, readLoad }: SavePerson<A>) {
  const names = useDeskNames();
  const [errors, setErrors] = useState<Errors>({});
  const [load, setLoad] = useState<Load>();
  const { to, move, fields } = useMoveDesk(start.alias);

  async function refused(failure: Failure): Promise<string> {
    if (failure.code === 'desk_in_use') setLoad(await readLoad());
    if (failure.code !== 'email_taken') return failure.text;
    setErrors({ email: failure.text });
    return '';
  }

  async function submit({ desk, ...person }: Draft) {
    const problems = problemsOf({ desk, ...person });
    setErrors(problems);
    if (Object.keys(problems).length > 0) return '';
    let saved: { ok: true; answer: A } | undefined;
    for (const step of savingSteps(start, { ...person, ...deskOf(desk, names, start.alias) }, to)) {
      if (step === 'move') {
        const wrong = await move();
        if (wrong !== undefined) return wrong;
      } else {
        const done = await save(step.person, step.bringAlong);
        if (!done.ok) return refused(done);
        saved = done;
      }
    }
    return saved;
  }

  return { errors, load, fields, submit };
}

type SavingStep = { person: PersonDraft; bringAlong: boolean } | 'move';

/**
 * Work that moves along with the person moves after saving. Work for another desk moves before, but only once all other
 * fields are saved, so that a refusal never leaves an emptied desk. `to` is empty if no work moves.
 */
export function savingSteps({ role, alias }: Start, person: PersonDraft, to: string): SavingStep[] {
  const all = { person, bringAlong: to !== '' && to === person.alias };
  if (to === '') return [all];
  if (all.bringAlong) return [all, 'move'];
  const { deskName, ...others } = person;
  return [{ person: { ...others, role, alias }, bringAlong: false }, 'move', all];
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

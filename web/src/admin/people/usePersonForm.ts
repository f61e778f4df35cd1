import { Email, type PersonDraft, PersonName } from '@settee/protocol/model/person';
import { ALIAS_PATTERN, type Role } from '@settee/protocol/model/staff';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useState } from 'react';
import * as v from 'valibot';
import type { Failure } from '../../net/api.ts';
import { useAdmin } from '../context.ts';
import { moveDesk, type Progress } from './moveDesk.ts';

/** Form fields. An empty alias means none. */
export type Draft = { name: string; email: string; role: Role; alias: string };

type Load = { conversations: number; invites: number };

export type SavePerson = {
  /** `onClosed` runs after the form has closed and returned the focus. */
  save(person: PersonDraft, bringAlong: boolean): Promise<Failure | { ok: true; onClosed(): void }>;
  /** The work at the desk that would be left without staff. */
  readLoad(): Promise<Load>;
};

type Errors = { name?: string; email?: string; alias?: string; other?: string };

/**
 * Saves a person and moves the work of a desk that would be left without staff. Work that moves along with the
 * person moves after saving. Work for another desk moves before, but only once all other fields are saved, so
 * that a refusal never leaves an emptied desk.
 */
export function usePersonForm(start: Draft, { save, readLoad }: SavePerson) {
  const { session } = useAdmin();
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

  async function run(person: PersonDraft): Promise<Errors | (() => void)> {
    const moves = load !== undefined && to !== '';
    const along = moves && to === person.alias;
    const move = async (): Promise<Errors> => {
      const wrong = await moveDesk(session.api, { from: start.alias, to }, setProgress);
      return wrong === undefined ? {} : { other: wrong || texts.networkError };
    };
    if (moves && !along) {
      const here = await save({ ...person, role: start.role, alias: start.alias }, false);
      if (!here.ok) return refused(here);
      const wrong = await move();
      if (wrong.other !== undefined) return wrong;
    }
    const saved = await save(person, along);
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
      const alias = draft.alias.trim();
      const result = await run({ ...draft, alias: alias === '' ? null : alias });
      setBusy(false);
      if (typeof result === 'function') return result;
      setErrors(result);
      return undefined;
    },
  };
}

/** Errors found before the call, by field. */
export function problemsOf({ name, email, role, alias }: Draft): Errors {
  const wrongName = firstIssue(PersonName, name);
  const wrongEmail = firstIssue(Email, email);
  const wrongAlias = aliasProblem(role, alias.trim());
  return {
    ...(wrongName !== undefined && { name: wrongName }),
    ...(wrongEmail !== undefined && { email: wrongEmail }),
    ...(wrongAlias !== undefined && { alias: wrongAlias }),
  };
}

function firstIssue(schema: v.GenericSchema, value: string): string | undefined {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? undefined : parsed.issues[0].message;
}

function aliasProblem(role: Role, alias: string): string | undefined {
  if (alias === '') return role === 'admin' ? undefined : peopleTexts.aliasMissing;
  return ALIAS_PATTERN.test(alias) ? undefined : peopleTexts.aliasRefused;
}

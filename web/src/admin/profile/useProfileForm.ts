import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../staff/useChange.ts';
import { changedFields } from '../changedFields.ts';
import { useAdmin } from '../context.ts';
import { useRetentionConfirm } from '../retention/useRetentionConfirm.tsx';
import {
  bodyOf,
  type Draft,
  draftOf,
  type Problems,
  type ProfileSettings,
  problemsOf,
  shortensRetention,
  type TextKey,
} from './draft.ts';

export type ProfileFormState = ReturnType<typeof useProfileForm>;

/** Which profile a call is about; without a slug, the first one. */
export const partsOf = (profile: string | undefined) => (profile === undefined ? {} : { query: { profile } });

/** The form over the saved settings. Unchanged fields follow a colleague's changes. */
export function useProfileForm(saved: ProfileSettings, slug: string | undefined) {
  const { session } = useAdmin();
  const queries = useQueryClient();
  const { busy, error, run, clear } = useChange();
  const term = useRetentionConfirm();
  const of = partsOf(slug);
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const [validated, setValidated] = useState(false);
  const before = draftOf(saved);
  const changes = changedFields(before, edits);
  const draft = { ...before, ...changes };
  const problems: Problems = validated ? problemsOf(draft) : {};
  const unsaved = Object.keys(changes).length > 0;

  const change = (edit: Partial<Draft>) => setEdits((now) => ({ ...now, ...edit }));

  function discard(): void {
    setEdits({});
    setValidated(false);
    clear();
  }

  /** The image first: if the rest fails, only the rest is unsaved. */
  async function send(): Promise<string | undefined> {
    const { picture } = draft;
    if (picture !== undefined) {
      const set = await (picture === null
        ? session.api('removeAvatar', of)
        : session.api('setAvatar', { ...of, body: picture }));
      if (!set.ok) return set.text;
      queries.setQueryData(['profile', 'readProfileSettings', of], set.answer);
      setEdits((now) => (now.picture === picture ? { ...now, picture: undefined } : now));
    }
    const body = bodyOf(saved, draft);
    if (Object.keys(body).length === 0) return undefined;
    const answer = await session.api('saveProfileSettings', { ...of, body });
    if (!answer.ok) return answer.text;
    queries.setQueryData(['profile', 'readProfileSettings', of], answer.answer);
    return undefined;
  }

  async function save(): Promise<string | undefined> {
    setValidated(true);
    if (Object.keys(problemsOf(draft)).length > 0) return '';
    const { keepDays } = bodyOf(saved, draft);
    const why = shortensRetention(saved.settings.keepDays, keepDays)
      ? await term.ask({ days: keepDays, profile: slug })
      : undefined;
    return why ?? send();
  }

  function done(): void {
    // Fields typed meanwhile are still unsaved.
    setEdits((now) => changedFields(draft, now));
    setValidated(false);
  }

  return {
    draft,
    change,
    /** The properties of a text field. Problems are shown after the first attempt to save. */
    field: (key: TextKey) => ({
      value: draft[key],
      error: problems[key],
      onChange: (value: string) => change({ [key]: value }),
    }),
    unsaved,
    busy,
    error,
    save: () => run(save, { say: adminTexts.saved, done }),
    question: term.question,
    discard,
  };
}

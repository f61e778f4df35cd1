import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import { type SavedReply, SavedReplyText, SHORTCUT_MAX, Shortcut } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useId, useRef, useState } from 'react';
import * as v from 'valibot';
import { randomId } from '../../net/randomId.ts';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { useConsole } from '../context.ts';
import { shapes } from '../shapes.ts';
import styles from './ReplyForm.module.css';
import { useReplyChanges } from './useSavedReplies.ts';

type ReplyFormProps = {
  /** Null for a new reply. */
  reply: SavedReply | null;
  onDone: () => void;
};

export function ReplyForm({ reply, onDone }: ReplyFormProps) {
  const replies = useReplyChanges();
  const { busy, error, submit } = useChange();
  const ids = useId();
  // Created once: saving again after a lost answer repeats the same reply.
  const [id] = useState(() => reply?.id ?? randomId());
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? '');
  const [text, setText] = useState(reply?.text ?? '');
  const [shared, setShared] = useState(reply?.shared ?? false);
  const { profiles } = useConsole();
  const [profile, setProfile] = useState(reply?.profile ?? '');
  const several = profiles.length > 0;
  const [problems, setProblems] = useState<ReplyProblems>({});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  function fail(found: ReplyProblems): void {
    setProblems(found);
    const wrong = found.shortcut ? 'input' : found.text ? 'textarea' : null;
    if (wrong) form.current?.querySelector<HTMLElement>(wrong)?.focus();
  }

  async function save() {
    const found = replyProblems({ shortcut, text });
    fail(found);
    if (Object.keys(found).length > 0) return '';
    const body = {
      shortcut: shortcutOf(shortcut),
      text,
      shared,
      ...(several && { profile: profile || null }),
    };
    const saved = await replies.save({ id, ...body });
    if (!saved.ok && saved.code === 'shortcut_taken') fail({ shortcut: saved.text });
    return saved;
  }

  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit(save, { done: onDone })}>
      <div className={styles.fields}>
        <Field
          label={consoleTexts.replyShortcut}
          value={shortcut}
          // One more for a leading slash.
          maxLength={SHORTCUT_MAX + 1}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={consoleTexts.replyShortcutExample}
          error={problems.shortcut ?? null}
          onChange={(event) => setShortcut(event.target.value)}
        />
        <div>
          <label className={styles.label} htmlFor={`${ids}-text`}>
            {consoleTexts.replyText}
          </label>
          <textarea
            id={`${ids}-text`}
            className={styles.text}
            rows={5}
            dir="auto"
            value={text}
            aria-invalid={problems.text ? true : undefined}
            aria-describedby={`${ids}-hint ${ids}-error`}
            onChange={(event) => setText(event.target.value)}
          />
          <p id={`${ids}-hint`} className={styles.hint}>
            {consoleTexts.replyTextHint}
          </p>
          <FieldError id={`${ids}-error`} text={problems.text} />
        </div>
        {several && (
          <label className={styles.profile}>
            <span className={styles.label}>{consoleTexts.replyProfile}</span>
            <span>
              <select value={profile} onChange={(event) => setProfile(event.target.value)}>
                <option value="">{consoleTexts.replyEveryProfile}</option>
                {profiles.map(({ slug, displayName }) => (
                  <option key={slug} value={slug}>
                    {displayName}
                  </option>
                ))}
              </select>
              <Shape paths={shapes.chevron} size={16} />
            </span>
          </label>
        )}
        <label className={styles.shared}>
          <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} />
          {consoleTexts.replyShared}
        </label>
        <FieldError text={problems.shortcut ? null : error} />
      </div>
      <footer className={styles.footer}>
        <Button look="quiet" onClick={onDone}>
          {consoleTexts.cancel}
        </Button>
        <Button type="submit" aria-disabled={busy}>
          {busy ? consoleTexts.saving : consoleTexts.save}
        </Button>
      </footer>
    </form>
  );
}

type ReplyWords = { shortcut: string; text: string };

/** Errors by field. */
type ReplyProblems = { shortcut?: string; text?: string };

/** A leading slash is accepted. */
function shortcutOf(typed: string): string {
  return typed.trim().replace(/^\//, '');
}

export function replyProblems({ shortcut, text }: ReplyWords): ReplyProblems {
  const wrong = v.safeParse(Shortcut, shortcutOf(shortcut)).issues?.[0].message;
  return {
    ...(wrong !== undefined && { shortcut: wrong }),
    ...(!v.is(SavedReplyText, text) && {
      text: fillText(consoleTexts.replyTextWrong, { max: MESSAGE_TEXT_MAX }),
    }),
  };
}

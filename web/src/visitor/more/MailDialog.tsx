import { mailCalls } from '@settee/protocol/calls/mailCalls';
import { isVisitorAddress, MAIL_CODE_LENGTH, type ReplyMail } from '@settee/protocol/model/mail';
import { fillText } from '@settee/protocol/texts/fillText';
import type { Language } from '@settee/protocol/texts/languages';
import { texts } from '@settee/protocol/texts/texts';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { type FormEvent, type RefObject, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { latinDigits } from '../../browser/latinDigits.ts';
import { createApi, type TokenHolder } from '../../net/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { afterMailEvent, firstMailState, mailStep, type Work } from './mailSteps.ts';
import styles from './VisitorDialog.module.css';
import { VisitorDialog } from './VisitorDialog.tsx';

type MailDialogProps = { conversationId: string; tokens: TokenHolder; onClose: () => void };

type Step = ReturnType<typeof mailStep>;

/** A mail server may refuse the code some seconds later. */
const READ_AGAIN_MS = 5_000;

/** Leaves an e-mail address for replies: the address, the code that was sent there, and removing it. */
export function MailDialog({ conversationId, tokens, onClose }: MailDialogProps) {
  const api = useMemo(() => createApi(mailCalls, { tokens }), [tokens]);
  const [state, on] = useReducer(afterMailEvent, firstMailState);
  const { mail, entered, busy, problem, newCodes, sentAgain, changes } = state;
  const field = useRef<HTMLInputElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const params = useMemo(() => ({ id: conversationId }), [conversationId]);
  const step = mailStep(state);
  const mayBeRefused = step === 'code' && !mail?.refused;

  useEffect(() => {
    void api('readReplyMail', { params }).then((read) =>
      on(
        read.ok
          ? { type: 'read', mail: read.answer.mail, changes: 0 }
          : { type: 'failed', text: read.text || texts.networkError },
      ),
    );
  }, [api, params]);

  useEffect(() => {
    if (!mayBeRefused) return;
    const readAgain = async (): Promise<void> => {
      const read = await api('readReplyMail', { params });
      if (read.ok) on({ type: 'read', mail: read.answer.mail, changes });
    };
    const timer = setInterval(() => void readAgain(), READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, [api, params, mayBeRefused, changes]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: then the element with the focus disappears
  useEffect(() => (field.current ?? closeButton.current)?.focus(), [step, mail?.address, newCodes]);

  async function run(
    work: Work,
    call: () => Promise<{ ok: true; mail: ReplyMail; entered?: string } | { ok: false; text: string }>,
  ): Promise<void> {
    if (busy) return;
    on({ type: 'began', work });
    const result = await call();
    if (result.ok) on({ ...result, type: 'done' });
    else on({ type: 'failed', text: result.text || visitorMailTexts.failed });
  }

  const send = (address: string, work: Work = 'form') =>
    run(work, async () => {
      const language = document.documentElement.lang as Language;
      const saved = await api('saveReplyMail', { params, body: { address, language } });
      return saved.ok ? { ok: true, mail: saved.answer.mail, entered: address } : saved;
    });
  const confirm = (code: string) =>
    run('form', async () => {
      const confirmed = await api('confirmReplyMail', { params, body: { code } });
      return confirmed.ok ? { ok: true, mail: confirmed.answer.mail } : confirmed;
    });
  const remove = () =>
    run('remove', async () => {
      const removed = await api('dropReplyMail', { params });
      return removed.ok ? { ok: true, mail: { address: null, pending: null, refused: false } } : removed;
    });
  const change = () => on({ type: 'otherAddress' });

  const refused = mail?.refused && !state.changing ? visitorMailTexts.refused : null;
  const removeButton = (
    <Button look="outline" className={styles.choice} aria-disabled={!!busy} onClick={() => void remove()}>
      {busy === 'remove' ? visitorMailTexts.removing : visitorMailTexts.remove}
    </Button>
  );
  return (
    <VisitorDialog
      title={step === 'code' ? visitorMailTexts.codeTitle : visitorMailTexts.title}
      note={noteOf(step, mail, sentAgain)}
      noteChanges
      closeLabel={step === 'on' ? visitorMailTexts.done : visitorMailTexts.cancel}
      closeButton={closeButton}
      onClose={onClose}
    >
      {mail === undefined ? (
        <FieldError text={problem} />
      ) : step === 'on' ? (
        <>
          <FieldError text={problem ?? refused} />
          <Button look="outline" className={styles.choice} onClick={change}>
            {visitorMailTexts.otherAddress}
          </Button>
          {removeButton}
        </>
      ) : (
        <>
          <OneField
            key={`${step}${newCodes}`}
            input={field}
            step={step}
            busy={busy === 'form'}
            problem={problem}
            refused={refused}
            onEdit={() => on({ type: 'edited' })}
            onSubmit={(value) => void (step === 'code' ? confirm(value) : send(value))}
          />
          {step === 'code' && (
            <>
              <Button
                look="quiet"
                aria-disabled={!!busy}
                // After a reload, only the visitor knows the address.
                onClick={() => (entered === undefined ? change() : void send(entered, 'again'))}
              >
                {busy === 'again' ? visitorMailTexts.sending : visitorMailTexts.sendAgain}
              </Button>
              <Button look="quiet" onClick={change}>
                {visitorMailTexts.otherAddress}
              </Button>
            </>
          )}
          {mail.address && (
            <>
              <p className={styles.also}>{withAddress(visitorMailTexts.on, mail.address)}</p>
              {removeButton}
            </>
          )}
        </>
      )}
    </VisitorDialog>
  );
}

function noteOf(step: Step, mail: ReplyMail | undefined, sentAgain: boolean): string {
  const { note, codeNote, codeAgain, on } = visitorMailTexts;
  if (step === 'address') return note;
  if (step === 'on') return withAddress(on, mail?.address);
  return withAddress(sentAgain ? codeAgain : codeNote, mail?.pending);
}

/** A line must not end at the dots of a…@example.com. In Arabic the rest would also be in the wrong order. */
function withAddress(text: string, address: string | null | undefined): string {
  return fillText(text, { address: (address ?? '').replace('…', '…\u2060') });
}

const fields = {
  address: {
    label: visitorMailTexts.address,
    submit: visitorMailTexts.send,
    busy: visitorMailTexts.sending,
    invalid: visitorMailTexts.addressInvalid,
    accepts: isVisitorAddress,
    attributes: { type: 'email', autoComplete: 'email', spellCheck: false },
  },
  code: {
    label: visitorMailTexts.code,
    submit: visitorMailTexts.confirm,
    busy: visitorMailTexts.confirming,
    invalid: visitorMailTexts.codeInvalid,
    accepts: (code: string) => /^[0-9]+$/.test(code) && code.length === MAIL_CODE_LENGTH,
    attributes: { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: MAIL_CODE_LENGTH },
  },
} as const;

type OneFieldProps = {
  input: RefObject<HTMLInputElement | null>;
  step: 'address' | 'code';
  busy: boolean;
  problem: string | null;
  /** Of the address to which the code was sent. */
  refused: string | null;
  onEdit: () => void;
  onSubmit: (value: string) => void;
};

/** Either the address or the code. */
function OneField({ input, step, busy, problem, refused, onEdit, onSubmit }: OneFieldProps) {
  const [value, setValue] = useState('');
  /** The last submitted value. What is wrong with it is shown until the value changes. */
  const [submitted, setSubmitted] = useState<string>();
  const { label, submit, busy: busyText, invalid, accepts, attributes } = fields[step];
  const read = latinDigits(value.trim());
  const own = submitted === value && !accepts(read) ? invalid : null;

  function onForm(event: FormEvent): void {
    event.preventDefault();
    setSubmitted(value);
    if (!accepts(read)) input.current?.focus();
    else if (!busy) onSubmit(read);
  }

  return (
    // The browser's own messages are not our texts.
    <form className={styles.choices} onSubmit={onForm} noValidate>
      <Field
        {...attributes}
        ref={input}
        label={label}
        dir="ltr"
        error={own ?? problem ?? refused}
        value={value}
        onChange={(event) => {
          setValue(event.target.value);
          onEdit();
        }}
      />
      <Button type="submit" className={styles.choice} aria-disabled={busy}>
        {busy ? busyText : submit}
      </Button>
    </form>
  );
}

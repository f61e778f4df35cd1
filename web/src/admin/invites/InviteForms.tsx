import { INVITE_DAYS_MAX, INVITE_DEFAULT_DAYS } from '@settee/protocol/model/invite';
import { type InviteDraft, KEEP_DAYS_MAX } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { ListState } from '../../staff/ListState.tsx';
import { Button } from '../../ui/Button.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { useNavigate } from '../parts/links.tsx';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { DeskProfile } from '../profiles/DeskProfile.tsx';
import { useDeskText } from '../useDesks.tsx';
import styles from './forms.module.css';
import { type ImportProblem, parseImport, readTextFile } from './parseImport.ts';

const PROBLEMS_SHOWN = 20;

type ImportFormProps = {
  aliases: readonly string[];
  onCreate: (rows: Omit<InviteDraft, 'id'>[]) => void;
};

/** Imports a pasted list or a file. Nothing is created until every line is valid. */
export function ImportForm({ aliases, onCreate }: ImportFormProps) {
  const fields = useCommonFields(aliases);
  const [text, setText] = useState('');
  const [file, setFile] = useState<string | null>(null);
  const { rows, problems } = useParsed(text, aliases, fields);
  const ready = fields.value !== null && problems.length === 0 && rows.length > 0;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const keepDays = fields.value?.keepDays ?? null;
    if (ready) onCreate(rows.map((row) => ({ ...row, keepDays })));
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <FileDrop
        label={texts.importFile}
        note={
          file !== null && text !== ''
            ? fillText(texts.importRead, { file, count: rows.length })
            : texts.importDrop
        }
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onFile={(chosen) => {
          setFile(chosen.name);
          void readTextFile(chosen).then(setText);
        }}
      />
      <TextField label={texts.importText} hint={texts.importHint} rows={8} value={text} onChange={setText} />
      <CommonInputs
        aliases={aliases}
        fields={fields}
        aliasLabel={texts.defaultDesk}
        daysLabel={texts.defaultDays}
      />
      <Problems problems={problems} />
      <div className={`${styles.submit} medium`}>
        <Button type="submit" disabled={!ready}>
          {createText(rows.length)}
        </Button>
      </div>
    </form>
  );
}

function useParsed(text: string, aliases: readonly string[], { alias, value }: CommonFields) {
  const days = value?.days ?? 1;
  return useMemo(
    () => parseImport(text, { aliases: new Set(aliases), alias, days }),
    [text, aliases, alias, days],
  );
}

function Problems({ problems }: { problems: readonly ImportProblem[] }) {
  const more = problems.length - PROBLEMS_SHOWN;
  return (
    <div role="alert">
      {problems.length > 0 && (
        <div className={styles.problems}>
          <p>{texts.importWrong}</p>
          <ul>
            {problems.slice(0, PROBLEMS_SHOWN).map(({ line, text }) => (
              <li key={line}>{fillText(texts.line, { line, problem: text })}</li>
            ))}
          </ul>
          {more > 0 && <p>{fillText(texts.importMore, { count: more })}</p>}
        </div>
      )}
    </div>
  );
}

const UP = ['M12 16V4.5', 'M7.5 9 12 4.5 16.5 9', 'M5 19.5h14'];

type FileDropProps = {
  label: string;
  /** Below the label: a hint, or the file that was read. */
  note: string;
  accept: string;
  onFile: (file: File) => void;
};

/** Chooses or drops one file. The real field covers the area, so keyboards and screen readers can use it. */
function FileDrop({ label, note, accept, onFile }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <div className={styles.drop} data-over={over}>
      <Shape paths={UP} size={22} />
      <label htmlFor={id}>{label}</label>
      <span id={`${id}-note`} role="status">
        {note}
      </span>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-note`}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        // Lets the same file be chosen again after an edit.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={({ target: { files } }) => files?.[0] && onFile(files[0])}
      />
    </div>
  );
}

type CommonInputsProps = {
  aliases: readonly string[];
  fields: CommonFields;
  aliasLabel?: string;
  daysLabel?: string;
};

/** Desk, expiry and retention. */
export function CommonInputs({
  aliases,
  fields,
  aliasLabel = texts.desk,
  daysLabel = texts.days,
}: CommonInputsProps) {
  const text = useDeskText();
  return (
    <>
      <div className={styles.pair}>
        <div className={styles.desk}>
          <Select
            label={aliasLabel}
            value={fields.alias}
            options={aliases.map((alias) => ({ value: alias, text: text(alias) }))}
            onChange={fields.setAlias}
          />
          <DeskProfile alias={fields.alias} />
        </div>
        <TextField
          label={daysLabel}
          value={fields.days}
          inputMode="numeric"
          required
          error={fields.daysProblem}
          onChange={fields.setDays}
        />
      </div>
      <TextField
        label={texts.keepDays}
        hint={texts.keepHint}
        value={fields.keep}
        inputMode="numeric"
        error={fields.keepProblem}
        onChange={fields.setKeep}
      />
    </>
  );
}

type CommonFields = ReturnType<typeof useCommonFields>;

/** The fields that all invite forms share. */
export function useCommonFields(aliases: readonly string[]) {
  const [alias, setAlias] = useState(aliases[0] ?? '');
  const [days, setDays] = useState(String(INVITE_DEFAULT_DAYS));
  const [keep, setKeep] = useState('');
  const number = numberIn(days, INVITE_DAYS_MAX);
  const keepDays = numberIn(keep, KEEP_DAYS_MAX);
  const keepProblem = numberProblem(keep, KEEP_DAYS_MAX);
  return {
    alias,
    days,
    keep,
    setAlias,
    setDays,
    setKeep,
    daysProblem: number === null ? wholeNumberText(INVITE_DAYS_MAX) : null,
    keepProblem,
    /** Null while a field is invalid. */
    value: number !== null && keepProblem === null ? { alias, days: number, keepDays } : null,
  };
}

export function createText(count: number): string {
  return fillText(texts.createMany, { count: Math.max(1, count) });
}

export function wholeNumberText(max: number): string {
  return fillText(texts.wholeNumber, { max });
}

/** A whole number from 1, or null. */
export function numberIn(typed: string, max: number): number | null {
  const number = Number(typed.trim());
  return /^\d+$/.test(typed.trim()) && number >= 1 && number <= max ? number : null;
}

/** The error text. An empty field is valid. */
export function numberProblem(typed: string, max: number): string | null {
  return typed.trim() === '' || numberIn(typed, max) !== null ? null : wholeNumberText(max);
}

/** Shown instead of a form. Created links stay visible even if the last desk disappears meanwhile. */
export function NoDesks() {
  const navigate = useNavigate();
  return (
    <ListState>
      <p>{texts.noDesks}</p>
      <Button look="outline" onClick={() => void navigate('/handlers')}>
        {texts.addPerson}
      </Button>
    </ListState>
  );
}

import type { InviteDraft } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { type FormEvent, useMemo, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FileDrop } from '../parts/FileDrop.tsx';
import { TextField } from '../parts/TextField.tsx';
import { type CommonFields, CommonInputs, createText, useCommonFields } from './CommonFields.tsx';
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

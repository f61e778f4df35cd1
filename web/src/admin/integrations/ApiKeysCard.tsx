import { API_KEY_NAME_MAX, type ApiKey, Scope } from '@settee/protocol/model/apiKey';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { integrationTexts } from '@settee/protocol/texts/integrationTexts';
import { useRef, useState } from 'react';
import { dayLabel, relativeTime } from '../../browser/times.ts';
import { Card } from '../../staff/Card.tsx';
import { CheckField } from '../../staff/CheckField.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { Pill } from '../../staff/Pill.tsx';
import { useConfirmedApi } from '../../staff/security/useConfirmedApi.tsx';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { Button } from '../../ui/Button.tsx';
import { useAdmin } from '../context.ts';
import { QueryContent } from '../parts/QueryContent.tsx';
import { RowMenu } from '../parts/RowMenu.tsx';
import { Select } from '../parts/Select.tsx';
import { ShownOnceDialog } from '../parts/ShownOnceDialog.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import styles from './integrations.module.css';

type Open =
  | { task: 'create' }
  | { task: 'show'; name: string; secret: string }
  | { task: 'revoke'; key: ApiKey };

export function ApiKeysCard() {
  const { session } = useAdmin();
  // Every change of a key is in the audit log.
  const query = useAdminQuery('audit', 'readApiKeys', {});
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen((now) => (now === open ? null : now));
  const createButton = useRef<HTMLButtonElement>(null);
  const now = useCurrentMinute();
  return (
    <Card
      title={apiKeyTexts.title}
      note={apiKeyTexts.note}
      actions={
        <Button ref={createButton} look="outline" onClick={() => setOpen({ task: 'create' })}>
          {apiKeyTexts.create}
        </Button>
      }
    >
      <QueryContent query={query} thing={apiKeyTexts.thing}>
        {({ keys }) =>
          keys.length === 0 ? (
            <p className="ink-3">
              {apiKeyTexts.empty}. {apiKeyTexts.emptyNote}
            </p>
          ) : (
            <ul className="lined">
              {keys.map((key) => (
                <KeyRow
                  key={key.id}
                  shown={key}
                  now={now}
                  onRevoke={() => setOpen({ task: 'revoke', key })}
                />
              ))}
            </ul>
          )
        }
      </QueryContent>
      {open?.task === 'create' && (
        <ApiKeyDialog onClose={close} onCreated={(name, secret) => setOpen({ task: 'show', name, secret })} />
      )}
      {open?.task === 'show' && (
        <ShownOnceDialog
          title={fillText(apiKeyTexts.secretTitle, { name: open.name })}
          note={apiKeyTexts.secretNote}
          label={apiKeyTexts.secret}
          value={open.secret}
          copyText={integrationTexts.copy}
          onClose={close}
        />
      )}
      {open?.task === 'revoke' && (
        <FormDialog
          title={fillText(apiKeyTexts.revokeTitle, { name: open.key.name })}
          note={apiKeyTexts.revokeNote}
          action={apiKeyTexts.revoke}
          danger
          onSubmit={() => session.api('revokeApiKey', { params: { id: open.key.id } })}
          say={fillText(apiKeyTexts.revoked, { name: open.key.name })}
          // The row disappears, and with it the button that opened the dialog.
          onDone={() => createButton.current?.focus()}
          onClose={close}
        />
      )}
    </Card>
  );
}

function KeyRow({ shown, now, onRevoke }: { shown: ApiKey; now: number; onRevoke: () => void }) {
  const { name, prefix, scopes, createdAt, createdBy, creatorActive, expiresAt, lastUsedAt } = shown;
  const created = creatorActive ? apiKeyTexts.created : apiKeyTexts.creatorGone;
  return (
    <li className={styles.row}>
      <span className={styles.main}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <code>{prefix}…</code>
        <span className={styles.pills}>
          {scopes.map((scope) => (
            <Pill key={scope} tone="plain">
              {scope}
            </Pill>
          ))}
          {expiresAt !== null && expiresAt <= now && <Pill tone="bad">{apiKeyTexts.expired}</Pill>}
        </span>
      </span>
      <span className={styles.aside}>
        <span>
          {lastUsedAt === null
            ? apiKeyTexts.neverUsed
            : fillText(apiKeyTexts.lastUse, { time: relativeTime(lastUsedAt, now) })}
        </span>
        <small>{fillText(created, { day: dayLabel(createdAt, now), name: createdBy })}</small>
        <small>
          {expiresAt === null
            ? apiKeyTexts.neverExpires
            : fillText(apiKeyTexts.expires, { day: dayLabel(expiresAt, now) })}
        </small>
      </span>
      <RowMenu
        label={fillText(apiKeyTexts.actionsFor, { name })}
        items={[{ text: apiKeyTexts.revoke, run: onRevoke, danger: true }]}
      />
    </li>
  );
}

type Expiry = keyof typeof apiKeyTexts.expiryOptions;

/** Numbers come first in an object, so `never` is last. */
const expiries = Object.entries(apiKeyTexts.expiryOptions).map(([value, text]) => ({
  value: value as Expiry,
  text,
}));

type ApiKeyDialogProps = { onClose: () => void; onCreated: (name: string, secret: string) => void };

function ApiKeyDialog({ onClose, onCreated }: ApiKeyDialogProps) {
  const { session } = useAdmin();
  const { ask, dialog } = useConfirmedApi(session);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [expiry, setExpiry] = useState<Expiry>('365');

  function create() {
    if (name.trim() === '') return apiKeyTexts.nameMissing;
    if (scopes.length === 0) return apiKeyTexts.scopesMissing;
    const days = expiry === 'never' ? null : Number(expiry);
    return ask('createApiKey', { body: { name, scopes: [...scopes], days } });
  }

  return (
    <>
      <FormDialog
        title={apiKeyTexts.createTitle}
        action={apiKeyTexts.create}
        onSubmit={create}
        onDone={({ secret }) => onCreated(name, secret)}
        onClose={onClose}
      >
        <TextField
          label={apiKeyTexts.name}
          hint={apiKeyTexts.nameHint}
          value={name}
          onChange={setName}
          maxLength={API_KEY_NAME_MAX}
          autoComplete="off"
        />
        <Choices
          legend={apiKeyTexts.scopes}
          options={Scope.options}
          hints={apiKeyTexts.scopeTexts}
          chosen={scopes}
          onChange={setScopes}
        />
        <Select label={apiKeyTexts.expiry} value={expiry} onChange={setExpiry} options={expiries} />
      </FormDialog>
      {dialog}
    </>
  );
}

type ChoicesProps<T extends string> = {
  legend: string;
  options: readonly T[];
  hints: Readonly<Record<T, string>>;
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
};

/** A list of options with explanations, of which several can be chosen. */
export function Choices<T extends string>({ legend, options, hints, chosen, onChange }: ChoicesProps<T>) {
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <CheckField
          key={option}
          label={option}
          hint={hints[option]}
          checked={chosen.includes(option)}
          onChange={(on) =>
            onChange(options.filter((each) => (each === option ? on : chosen.includes(each))))
          }
        />
      ))}
    </fieldset>
  );
}

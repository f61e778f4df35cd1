import { changed, type Db, rows, value } from '../platform/db/query.ts';

export type PasskeyRow = {
  id: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** Oldest first. */
export function listPasskeys(db: Db, staffId: string): Promise<PasskeyRow[]> {
  return rows<PasskeyRow>(db)`
    select id, credential_id as "credentialId", public_key as "publicKey", counter::float8 as counter, transports,
      name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from staff_passkeys where staff_id = ${staffId} order by created_at, id`;
}

type NewPasskey = Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'>;

/** False if the passkey already exists. */
export function insertPasskey(db: Db, passkey: NewPasskey & { staffId: string }): Promise<boolean> {
  const { staffId, credentialId, publicKey, counter, transports, name } = passkey;
  return changed(db)`
    insert into staff_passkeys (staff_id, credential_id, public_key, counter, transports, name)
    values (${staffId}, ${credentialId}, ${publicKey}, ${counter}, ${transports}, ${name})
    on conflict (credential_id) do nothing`;
}

/** False if it is gone or its counter did not grow. Some passkeys do not count. */
export function usePasskey(db: Db, id: string, counter: number): Promise<boolean> {
  return changed(db)`
    update staff_passkeys set counter = ${counter}, last_used_at = now()
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`;
}

type OwnPasskey = { id: string; staffId: string };

export function renamePasskeyRow(db: Db, passkey: OwnPasskey & { name: string }): Promise<boolean> {
  return changed(db)`
    update staff_passkeys set name = ${passkey.name}
    where id = ${passkey.id} and staff_id = ${passkey.staffId}`;
}

/** Returns its name; undefined if there was none. */
export function deletePasskey(db: Db, passkey: OwnPasskey): Promise<string | undefined> {
  return value<string>(db)`
    delete from staff_passkeys where id = ${passkey.id} and staff_id = ${passkey.staffId} returning name`;
}

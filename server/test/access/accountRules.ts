import { Authenticator } from '../authenticator.ts';
import { PASSWORD } from '../browser.ts';
import { codeOf, ticketFor, withApp } from '../factors.ts';
import type { Person } from '../people.ts';
import type { CallerName } from './callers.ts';
import type { CallRules } from './rule.ts';
import type { Stage } from './stage.ts';

const NOTHING = '00000000-0000-4000-8000-000000000000';

/**
 * Confirms the password, as changes of factors require. A caller without the right is refused here, and then at the
 * call.
 */
async function confirmed(person: Person): Promise<Person> {
  await person.call('POST', '/account/password/confirm', { password: PASSWORD });
  return person;
}

async function appOf({ server, people }: Stage, caller: CallerName) {
  const person = await confirmed(people[caller]);
  const { ticket = 'x', secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } = (
    await person.call('POST', '/account/totp/begin')
  ).body;
  return { ticket: ticket as string, code: codeOf(server, secret) };
}

async function addApp(stage: Stage, caller: CallerName): Promise<void> {
  await stage.people[caller].call('PUT', '/account/totp', await appOf(stage, caller));
}

async function passkeyOf({ server, people }: Stage, caller: CallerName) {
  const { body } = await (await confirmed(people[caller])).call('POST', '/account/passkeys/begin');
  const options = body.options ?? { challenge: 'AAAA', rp: { id: 'settee.test', name: 'Settee' } };
  const response = new Authenticator(server.app.config.publicUrl).make(options);
  return { ticket: body.ticket ?? 'x', name: 'Key', response };
}

async function addPasskey(stage: Stage, caller: CallerName): Promise<{ id: string }> {
  const person = stage.people[caller];
  await person.call('POST', '/account/passkeys', await passkeyOf(stage, caller));
  const { body } = await person.call('GET', '/account');
  return { id: body.account?.passkeys.at(-1)?.id ?? NOTHING };
}

/** Another session of the caller's account. */
async function otherSession({ server, people }: Stage, caller: CallerName): Promise<{ id: string }> {
  const { account } = (await people[caller].call('GET', '/account')).body;
  const { rows } = await server.app.db.pool.query<{ id: string }>(
    `insert into staff_sessions (token_hash, staff_id, expires_at)
     select sha256(gen_random_uuid()::text::bytea), staff_id, expires_at from staff_sessions where id = $1
     returning id`,
    [account?.sessions[0].id ?? NOTHING],
  );
  return rows[0] ?? { id: NOTHING };
}

/** The token of a password link. */
async function linkToken({ people, personId }: Stage) {
  const { body } = await people.admin.call('POST', `/manage/staff/${personId}/password-link`);
  return body.link.slice(body.link.lastIndexOf('#') + 1);
}

/** Ticket and proof for the second step of a sign-in. They work for any caller. */
async function secondStep({ server }: Stage) {
  const { email, recoveryCodes } = await withApp(server, 'handler');
  return { ticket: await ticketFor(server, email), proof: { method: 'recovery', code: recoveryCodes[0] } };
}

/** Calls for a staff member's own account and sign-in. */
export const accountRules: CallRules = {
  confirmSignIn: { who: 'everybody', body: secondStep, withoutCookie: true },
  openPasswordLink: { who: 'everybody', body: async (stage) => ({ token: await linkToken(stage) }) },
  choosePassword: {
    who: 'everybody',
    body: async (stage) => ({ token: await linkToken(stage), password: 'chosen by whoever has the link' }),
    withoutCookie: true,
  },
  readAccount: { who: 'account' },
  confirmPassword: { who: 'account', body: () => ({ password: PASSWORD }) },
  changePassword: {
    who: 'account',
    body: () => ({ current: PASSWORD, password: 'another password for tests' }),
    ownAccount: true,
  },
  endSession: { who: 'account', params: otherSession, ownAccount: true },
  signOutElsewhere: { who: 'account', ownAccount: true },
  saveLanguage: { who: 'account', body: () => ({ language: 'de' }) },
  saveWaitingMail: { who: 'account', body: () => ({ on: false }) },
  beginTotp: {
    who: 'account',
    body: async ({ people }, caller) => void (await confirmed(people[caller])),
    ownAccount: true,
  },
  confirmTotp: { who: 'account', body: appOf, ownAccount: true },
  removeTotp: {
    who: 'account',
    body: async (stage, caller) => {
      await addApp(stage, caller);
      await addPasskey(stage, caller);
    },
    ownAccount: true,
  },
  beginPasskey: {
    who: 'account',
    body: async ({ people }, caller) => void (await confirmed(people[caller])),
    ownAccount: true,
  },
  addPasskey: { who: 'account', body: passkeyOf, ownAccount: true },
  renamePasskey: {
    who: 'account',
    params: addPasskey,
    body: () => ({ name: 'Another name' }),
    ownAccount: true,
  },
  removePasskey: {
    who: 'account',
    params: async (stage, caller) => {
      await addApp(stage, caller);
      return addPasskey(stage, caller);
    },
    ownAccount: true,
  },
  renewRecoveryCodes: {
    who: 'account',
    body: addApp,
    ownAccount: true,
  },
};

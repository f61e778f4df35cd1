import { randomUUID } from 'node:crypto';
import { createCallers, DESK, OTHER_DESK, type StaffCallers } from '../access/callers.ts';
import type { TestServer } from '../harness.ts';
import type { Canaries } from './scanner.ts';

/** Texts that only staff know, each for one place. */
export const WORDS = {
  note: 'zq-marmalade-note',
  handover: 'zq-saffron-handover',
  blockReason: 'zq-gooseberry-reason',
  unblockReason: 'zq-quince-reason',
  label: 'zq-tamarind-label',
  reply: 'zq-juniper-reply',
  fileName: 'zq-elderflower-file',
  exif: 'zq-damson-artist',
};

const NAMES: Partial<Record<keyof StaffCallers, { name: string; email: string }>> = {
  handler: { name: 'Zebedee Quillfeather', email: 'zebedee.q@hidden-house.example' },
  otherHandler: { name: 'Ottoline Vanterpool', email: 'ottoline.v@hidden-house.example' },
  admin: { name: 'Peregrine Ashgrove', email: 'peregrine.a@hidden-house.example' },
};

/** Staff with names, and everything that visitors must not learn about them. */
export async function hiddenStaff(server: TestServer): Promise<{ staff: StaffCallers; canaries: Canaries }> {
  const { pool } = server.app.db;
  const staff = await createCallers(server);
  const canaries: Canaries = { ...WORDS, alias: DESK, otherAlias: OTHER_DESK };
  for (const [caller, { name, email }] of Object.entries(NAMES)) {
    const { sid, sub } = claimsOf(staff[caller as keyof StaffCallers].browser.token);
    await pool.query('update staff set name = $2, email = $3 where id = $1', [sub, name, email]);
    Object.assign(canaries, {
      [`${caller}'s name`]: name,
      [`${caller}'s e-mail`]: email,
      [`${caller}'s id`]: sub,
      [`${caller}'s session`]: sid,
    });
  }
  await staff.handler.call('PUT', `/replies/${randomUUID()}`, {
    shortcut: 'juniper',
    text: WORDS.reply,
    shared: true,
  });
  return { staff, canaries };
}

function claimsOf(token: string): { sid: string; sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

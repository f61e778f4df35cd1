import { hashForCell } from '../access/codes.ts';
import { markAll } from '../conversations/searchDue.store.ts';
import { decryptAddress, encryptAddress } from '../mail/mailSecrets.ts';
import type { Config } from '../platform/config/config.ts';
import { insertAudit } from '../platform/db/audit.ts';
import { fencedDesk, raiseFence, removeFence } from '../platform/db/fence.ts';
import { inTransaction } from '../platform/db/withClient.ts';
import { forEachConcurrently } from '../platform/limits/concurrency.ts';
import type { MediaStore, Random } from '../platform/ports/ports.ts';
import { decryptTotpSecret, encryptTotpSecret } from '../staff/account/totp.ts';
import {
  type Compared,
  compareRows,
  copyMessages,
  copyRows,
  type Ends,
  removeOrphans,
} from './copyRows.store.ts';
import { deskMessages, deskRows } from './deskRows.store.ts';
import {
  copyStaff,
  copyVisitors,
  findDesk,
  finishArrival,
  forgetMoved,
  insertDesk,
  profileProblem,
  queueImages,
  removeArrival,
  replaceKeyed,
  takenEmails,
  undoCounts,
} from './moveIn.store.ts';
import {
  deskMovedTo,
  forgetDeskMoved,
  isDesk,
  passFence,
  readObjects,
  removeDesk,
  switchDesk,
  tiedToCell,
} from './moveOut.store.ts';

export type Cell = { config: Config; media: MediaStore };
type Move = { alias: string; from: Cell; to: Cell; ends: Ends; random: Random; log(line: string): void };

/** Objects copied at once. Each is an image of a few megabytes. */
const AT_ONCE = 4;

export type Moved = { conversations: number; messages: number; images: number; pausedMs: number };

/**
 * Moves a desk to another cell: copies while the desk works, pauses it, copies the rest, compares, switches, and removes
 * the originals. Until the switch, an error leaves the desk where it is. After it, the same command finishes the work.
 */
export async function moveDesk(move: Move): Promise<Moved | undefined> {
  const { alias, to, ends, log } = move;
  const { source, target } = ends;
  await passFence(source, alias);
  const cell = await deskMovedTo(source, alias);
  if (cell === to.config.cell && (await fencedDesk(source)) === alias) {
    log('The desk has moved already. Removing what is left of it here.');
    await finish(move);
    return undefined;
  }
  if (cell !== undefined && (await fencedDesk(source)) === alias)
    throw new Error(`The desk ${alias} has moved to ${cell}. Finish that move first.`);
  await refuseImpossible(move);
  await forgetDeskMoved(source, alias);
  log('Copying messages and images while the desk works …');
  const copied = new Map<string, number>();
  await copyMessages(ends, alias, copied);
  await copyImages(move);
  log('Pausing the desk. Pages keep what people write, and send it again …');
  const began = performance.now();
  let moved: Moved;
  try {
    await raiseFence(source, alias);
    // Somebody may have come to the desk during the copy.
    await refusePeople(move);
    await copyMessages(ends, alias, copied);
    const images = await copyImages(move);
    const compared = await inTransaction(target, () => copyRest(move));
    const rowsOf = (table: string): number => compared.find(({ name }) => name === table)?.rows ?? 0;
    const figures = { conversations: rowsOf('conversations'), messages: rowsOf('messages') };
    await inTransaction(source, async () => {
      await switchDesk(source, alias, to.config.cell);
      const details = { to: to.config.cell, ...figures };
      // Not with `audited`: each cell has its own connection.
      await insertAudit(source, { actor: 'cli', action: 'desk.move', target: alias, details });
    });
    moved = { ...figures, images, pausedMs: performance.now() - began };
  } catch (error) {
    // If it is unknown whether the switch was stored, the fence stays: the command can be repeated.
    if ((await deskMovedTo(source, alias)) === undefined) await reopen(move);
    throw error;
  } finally {
    // Of conversations that were handed over or erased meanwhile, or of all after an error.
    await removeOrphans(target, [...copied.keys()]);
  }
  log(`The desk works in ${to.config.cell}. Removing what is left of it here …`);
  await finish(move);
  return moved;
}

/** Lifts the pause that an interrupted move left behind. */
export async function stayHere(move: Pick<Move, 'alias' | 'ends' | 'from'>): Promise<void> {
  const { alias, ends } = move;
  const { source } = ends;
  if ((await fencedDesk(source)) !== alias) throw new Error(`The desk ${alias} is not paused.`);
  const cell = await deskMovedTo(source, alias);
  if (cell !== undefined) throw new Error(`The desk ${alias} has moved to ${cell}.`);
  await reopen(move);
}

/** First removes the copy, so that the desk never works in both cells. */
async function reopen({ alias, ends, from }: Pick<Move, 'alias' | 'ends' | 'from'>): Promise<void> {
  const { source, target } = ends;
  await inTransaction(target, async () => {
    if ((await findDesk(target, alias, from.config.cell)) !== 'unfinished') return;
    await removeArrival(target, alias);
    await removeCopy(ends, alias);
    await finishArrival(target, alias);
  });
  await removeFence(source);
}

async function removeCopy({ target, tables }: Ends, alias: string): Promise<void> {
  const rows = [...deskRows(tables, alias), deskMessages(tables, alias)];
  for (const { remove } of rows.toReversed()) await target.query(remove);
}

async function refuseImpossible({ alias, from, to, ends }: Move): Promise<void> {
  const { source, target } = ends;
  if (from.config.cell === to.config.cell) throw new Error('Both cells have the same CELL.');
  if (from.config.publicUrl !== to.config.publicUrl)
    throw new Error('Both cells need the same PUBLIC_URL: cookies and links belong to it.');
  if (!(await isDesk(source, alias))) throw new Error(`There is no desk ${alias}.`);
  const fenced = await fencedDesk(source);
  if (fenced !== undefined && fenced !== alias)
    throw new Error(`The move of the desk ${fenced} is not finished. Repeat or cancel it first.`);
  if ((await findDesk(target, alias, from.config.cell)) === 'taken')
    throw new Error(`The other cell has a desk ${alias} too.`);
  const problem = await profileProblem(ends, alias);
  if (problem !== undefined) throw new Error(problem);
  await refusePeople({ alias, ends });
}

async function refusePeople({ alias, ends }: Pick<Move, 'alias' | 'ends'>): Promise<void> {
  const tied = await tiedToCell(ends.source, alias);
  if (tied.length > 0)
    throw new Error(
      `Administrators stay in their cell, and so do people with other desks. Take them from this desk first: ${tied.join(', ')}`,
    );
  const taken = await takenEmails(ends, alias);
  if (taken.length > 0) throw new Error(`The other cell has these accounts too: ${taken.join(', ')}`);
}

/** Everything but messages and images. All of it is there, and equal, or nothing is. */
async function copyRest(move: Move): Promise<Compared[]> {
  const { alias, from, to, ends, random } = move;
  const { target } = ends;
  const tables = deskRows(ends.tables, alias);
  if ((await findDesk(target, alias, from.config.cell)) === 'unfinished') {
    for (const { remove } of tables.toReversed()) await target.query(remove);
  }
  await insertDesk(ends, alias, from.config.cell);
  await copyStaff(ends, alias);
  for (const table of tables) await copyRows(ends, table);
  const compared: Compared[] = [];
  // Workers change these at any time.
  const stable = tables.filter(({ name }) => name !== 'push_due' && name !== 'visitor_mails');
  for (const table of [...stable, deskMessages(ends.tables, alias)])
    compared.push(await compareRows(ends, table));
  await copyVisitors(ends, alias);
  const app = { config: to.config, random };
  await replaceKeyed(target, alias, {
    code: ({ id, ...stored }) => hashForCell(from, to, id, stored),
    totp: (staffId, stored) => {
      const secret = decryptTotpSecret(from, staffId, stored);
      return secret === undefined ? undefined : encryptTotpSecret(app, staffId, secret);
    },
    mail: (id, stored) => {
      const address = decryptAddress(from, id, stored);
      return address === undefined ? undefined : encryptAddress(app, id, address);
    },
  });
  await undoCounts(target, alias);
  await forgetMoved(target, alias);
  await queueImages(target, alias);
  await markAll(target, alias);
  const details = { from: from.config.cell };
  await insertAudit(target, { actor: 'cli', action: 'desk.arrive', target: alias, details });
  return compared;
}

/** Safe to repeat. */
async function finish(move: Move): Promise<void> {
  const { alias, from, ends } = move;
  const { source, target } = ends;
  await inTransaction(target, () => finishArrival(target, alias));
  if (!(await haveSameStore(move))) {
    const objects = await readObjects(source, alias);
    await forEachConcurrently(objects, AT_ONCE, ({ path }) => from.media.remove(path));
  }
  await removeDesk(source, alias);
  await removeFence(source);
}

/** Objects never change, so those that are there are complete. Returns how many the desk has. */
async function copyImages(move: Move): Promise<number> {
  const { alias, from, to, ends } = move;
  const objects = await readObjects(ends.source, alias);
  if (await haveSameStore(move)) return objects.length;
  await forEachConcurrently(objects, AT_ONCE, async ({ path, type, bytes }) => {
    if ((await to.media.head(path)) !== undefined) return;
    const body = await from.media.get(path, bytes);
    if (body !== undefined) await to.media.put(path, body, type);
  });
  return objects.length;
}

/** Tries it, because one store can have several addresses. Removing its images "here" would remove the only ones. */
async function haveSameStore({ from, to, random }: Move): Promise<boolean> {
  const path = `uploads/${random.uuid()}`;
  await to.media.put(path, Buffer.from('Do both cells have the same store?'), 'text/plain');
  try {
    return (await from.media.head(path)) !== undefined;
  } finally {
    await to.media.remove(path);
  }
}

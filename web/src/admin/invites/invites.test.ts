import { INVITE_COUNT_MAX, type InviteDraft } from '@settee/protocol/model/managedInvite';
import { csvLine } from '@settee/protocol/render/csv';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import type { Result } from '../../net/api.ts';
import { drawQr, qrSvg } from '../../staff/qr/qr.ts';
import { type BatchRun, batchRun } from './batchRun.ts';
import { countText } from './InviteFilterBar.tsx';
import { parseImport, readTextFile } from './parseImport.ts';

test('the counts of invites say whether counting stopped', () => {
  const counts = { NEW: INVITE_COUNT_MAX - 3, SEEN: 1, BOUND: 2, REVOKED: 0, EXPIRED: 0 };
  expect(countText(counts, { state: null, alias: '', search: 'lyon' })).toBe('10,000+');
  expect(countText(counts, { state: 'BOUND', alias: '', search: 'lyon' })).toBe('2+');
  expect(countText({ ...counts, SEEN: 0 }, { state: 'BOUND', alias: '', search: 'lyon' })).toBe('2');
  expect(countText(counts, { state: null, alias: '', search: '' })).toBe('10,000');
});

type InviteTask = { batchId: string; attempt: number; invites: InviteDraft[] };

const lost: Result<'createInvites'> = {
  ok: false,
  code: undefined,
  text: 'Network error',
  status: 0,
  answer: undefined,
};

const refused: Result<'createInvites'> = { ...lost, status: 400, text: 'There is no handler x' };

function made({ invites }: InviteTask): Result<'createInvites'> {
  const links = invites.map(({ id }) => ({ id, link: `link of ${id}`, expiresAt: 1 }));
  return { ok: true, answer: { success: true, links } };
}

function setUp(answer: (asked: InviteTask, call: number) => Result<'createInvites'>) {
  const asked: InviteTask[] = [];
  let ids = 0;
  const run = batchRun({
    create: async (body) => answer(body, asked.push(body)),
    clock: {
      now: () => 0,
      setTimeout: (callback) => queueMicrotask(callback),
      clearTimeout: () => undefined,
    },
    random: () => 0.5,
    uuid() {
      ids += 1;
      return `id ${ids}`;
    },
  });
  return { run, asked };
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    label: `No. ${at + 1}`,
    alias: 'x',
    days: 30,
    keepDays: null,
  }));

const ended = (run: BatchRun) => expect.poll(() => run.get().phase).toBe('ended');

test('[INVITE-15] a lost answer is requested again with the same ids, as a later attempt', async () => {
  // The second response was cut short.
  const short = { ...lost, status: 200 };
  const { run, asked } = setUp((body, call) => (call === 2 ? lost : call === 3 ? short : made(body)));
  run.start(rows(700));
  await ended(run);
  expect(asked).toHaveLength(4);
  expect(asked[2]).toEqual({ ...asked[1], attempt: 2 });
  expect(asked[3]).toEqual({ ...asked[1], attempt: 3 });
  expect(run.get().made).toHaveLength(700);
});

test('a stopped import ends after the current chunk, also without an answer', async () => {
  const { run, asked } = setUp((body, call) => {
    if (call === 1) run.stop();
    return made(body);
  });
  run.start(rows(1_100));
  await ended(run);
  expect([asked.length, run.get().made.length, run.get().failure]).toEqual([1, 500, null]);

  const deaf = setUp((_body, call) => {
    if (call === 3) deaf.run.stop();
    return lost;
  });
  deaf.run.start(rows(2));
  await ended(deaf.run);
  expect(deaf.run.get().made).toEqual([]);
});

test('[INVITE-15] the remaining rows are kept, and continue with the same ids', async () => {
  const { run, asked } = setUp((body, call) => {
    if (call === 2) return lost;
    return call === 3 ? refused : made(body);
  });
  run.start(rows(1_100));
  await ended(run);
  expect(run.get().remaining.map(({ label }) => label)).toEqual(
    rows(1_100)
      .slice(500)
      .map(({ label }) => label),
  );
  // The lost response may have been a success.
  expect(run.get().unsure).toBe(true);
  run.markSaved();
  run.resume();
  expect(run.get()).toMatchObject({ phase: 'running', failure: null, total: 1_100 });
  await ended(run);
  // A later attempt than those before, or the server would ignore it as outdated.
  expect(asked[3]).toEqual({ ...asked[1], attempt: 3 });
  expect(asked[4]).toMatchObject({ batchId: asked[0]?.batchId, attempt: 1 });
  expect(run.get().made.map(({ label }) => label)).toEqual(rows(1_100).map(({ label }) => label));
  expect(run.get()).toMatchObject({ remaining: [], unsure: false, failure: null, saved: false });
});

const rules = { aliases: new Set(['mara-east', 'mara-west']), alias: 'mara-east', days: 30 };
const parse = (text: string) => parseImport(text, rules);
const row = (label: string, alias = 'mara-east', days = 30) => ({ label, alias, days });

test('[INVITE-15] a list is read with or without a header, handlers and days', () => {
  expect(parse('Label,Handler,Days\nOne,mara-west,7\nTwo\n\nThree,,9\n')).toEqual({
    rows: [row('One', 'mara-west', 7), row('Two'), row('Three', 'mara-east', 9)],
    problems: [],
  });
  expect(parse('One\r\nTwo').rows).toEqual([row('One'), row('Two')]);
});

test('[INVITE-15] cells are read as spreadsheets write and copy them', () => {
  const nasty = 'Lyon, "the reading"\nno. 1';
  expect(parse(csvLine([nasty, 'mara-west', 5])).rows).toEqual([
    row('Lyon, "the reading" no. 1', 'mara-west', 5),
  ]);
  expect(parse('Lyon, no. 1\tmara-west\t5').rows).toEqual([row('Lyon, no. 1', 'mara-west', 5)]);
  expect(parse('\uFEFFLyon;mara-west;5').rows).toEqual([row('Lyon', 'mara-west', 5)]);
});

test('[INVITE-15] every wrong line is named', () => {
  const { rows, problems } = parse(
    [
      'label,handler,days',
      'Fine',
      ',mara-east,3',
      'Two,nobody',
      '"over',
      'lines",mara-east,0',
      'x,,1.5',
      'y,,1,extra',
      'z'.repeat(121),
    ].join('\n'),
  );
  expect(rows).toEqual([row('Fine')]);
  expect(problems).toEqual([
    { line: 3, text: 'the label is missing' },
    { line: 4, text: 'there is no desk “nobody”' },
    { line: 5, text: 'the days “0” are not a whole number from 1 to 3,650' },
    { line: 7, text: 'the days “1.5” are not a whole number from 1 to 3,650' },
    { line: 8, text: 'there are more than three columns' },
    { line: 9, text: 'the label has more than 120 characters' },
  ]);
});

test('[INVITE-15] 10,000 rows are an import, one more is not', () => {
  const lines = Array.from({ length: 10_001 }, (_, index) => `Invite ${index + 1}`);
  expect(parse(lines.slice(1).join('\n')).problems).toEqual([]);
  const { rows, problems } = parse(lines.join('\n'));
  expect(rows).toHaveLength(10_000);
  expect(problems).toEqual([{ line: 10_001, text: 'an import has 10,000 rows at most' }]);
});

const file = (text: string, encoding: BufferEncoding) => new Blob([Buffer.from(text, encoding)]);

test('a list is read in the encoding it was saved in', async () => {
  expect(await readTextFile(file('Käthe Müller', 'utf8'))).toBe('Käthe Müller');
  expect(await readTextFile(file('\uFEFFKäthe Müller', 'utf8'))).toBe('Käthe Müller');
  expect(await readTextFile(file('Käthe Müller', 'latin1'))).toBe('Käthe Müller');
  // Only in windows-1252: the euro sign, and Word's quotes.
  expect(await readTextFile(new Blob([Uint8Array.of(0x80, 0x93, 0x94)]))).toBe('€“”');
  expect(await readTextFile(file('\uFEFFŽofie\t7', 'utf16le'))).toBe('Žofie\t7');
  expect(await readTextFile(new Blob([Uint8Array.of(0xfe, 0xff, 0x01, 0x7d)]))).toBe('Ž');
  expect(await readTextFile(file('', 'utf8'))).toBe('');
});

const LINK = 'https://chat.example/i/a0abcdefghijklmnopqrstuvwxyz012345';

/** The modules that a path paints, by following its strokes. */
function painted({ size, path }: { size: number; path: string }): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at += 1) {
      const row = modules[Number(y)];
      if (row) row[at] = true;
    }
  }
  return modules;
}

test('a QR code has level M, and four white modules around it', () => {
  const qr = drawQr(LINK);
  expect(painted(qr)).toEqual(encode(LINK, { ecc: 'M', border: 4 }).data);
  const rows = painted(qr);
  const edge = (at: number) => at < 4 || at >= qr.size - 4;
  expect(rows.flatMap((row, y) => row.filter((dark, x) => dark && (edge(x) || edge(y))))).toEqual([]);
  // The finder's corner is at the end of the quiet zone.
  expect(rows[4]?.[4]).toBe(true);
});

test('the file is always dark on white', () => {
  expect(qrSvg(LINK)).toMatch(/^<svg xmlns=.*fill="#ffffff".*fill="#000000".*<\/svg>$/);
});

import {
  ATTEND_EVERY_MS,
  type Doing,
  REPLYING_LASTS_MS,
  VIEWING_LASTS_MS,
} from '@settee/protocol/model/colleague';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../../test/fakeClock.ts';
import { startColleagues } from './colleagues.ts';

function setUp() {
  const clock = fakeClock();
  const sent: Doing[] = [];
  const colleagues = startColleagues({ clock, send: (doing) => sent.push(doing) });
  const ana = (doing: Doing) => colleagues.receive({ staffId: 'a', name: 'Ana', doing });
  const names = () => colleagues.get().map(({ name, doing }) => `${name} ${doing}`);
  return { clock, sent, colleagues, ana, names };
}

describe('[CONSOLE-20] what colleagues receive', () => {
  test('viewing at once and repeatedly, and leaving', async () => {
    const { clock, sent, colleagues } = setUp();
    colleagues.setPresent(true);
    expect(sent).toEqual(['viewing']);
    await clock.pass(3 * ATTEND_EVERY_MS);
    expect(sent).toEqual(['viewing', 'viewing', 'viewing', 'viewing']);
    colleagues.setPresent(false);
    await clock.pass(3 * ATTEND_EVERY_MS);
    expect(sent.slice(4)).toEqual(['left']);
    colleagues.stop();
    expect(sent.slice(5)).toEqual([]);
  });

  test('replying at most every 3 s during typing, and often enough to stay visible', async () => {
    const { clock, sent, colleagues } = setUp();
    colleagues.replying();
    expect(sent).toEqual([]);
    colleagues.setPresent(true);
    for (let n = 0; n < 100; n += 1) {
      colleagues.replying();
      await clock.pass(100);
    }
    expect(sent).toEqual(['viewing', 'replying', 'replying', 'replying', 'replying']);
  });

  test('an answer to a newcomer at once, one for many; none to a known colleague, and none while away', async () => {
    const { clock, sent, colleagues, ana } = setUp();
    ana('viewing');
    await clock.pass(1_000);
    expect(sent).toEqual([]);
    colleagues.setPresent(true);
    for (const staffId of ['b', 'c', 'd']) colleagues.receive({ staffId, name: staffId, doing: 'viewing' });
    ana('viewing');
    await clock.pass(1_000);
    expect(sent).toEqual(['viewing', 'viewing']);
    colleagues.replying();
    ana('left');
    ana('viewing');
    await clock.pass(1_000);
    expect(sent.slice(2)).toEqual(['replying', 'replying']);
  });

  test('two screens find each other quickly and then stop sending', async () => {
    const clock = fakeClock();
    let count = 0;
    const link = (
      to: () => { receive(sent: { staffId: string; name: string; doing: Doing }): void },
      name: string,
    ) =>
      startColleagues({
        clock,
        send(doing) {
          count += 1;
          to().receive({ staffId: name, name, doing });
        },
      });
    const ana = link(() => ben, 'Ana');
    const ben = link(() => ana, 'Ben');
    ana.setPresent(true);
    await clock.pass(5_000);
    ben.setPresent(true);
    await clock.pass(1_000);
    expect([ana.get(), ben.get()].flat().map(({ name }) => name)).toEqual(['Ben', 'Ana']);
    expect(count).toBeLessThan(6);
  });
});

describe('[CONSOLE-20] who else views this chat', () => {
  test('a silent colleague expires; a silent reply becomes viewing', async () => {
    const { clock, ana, names } = setUp();
    ana('replying');
    await clock.pass(REPLYING_LASTS_MS - 1);
    expect(names()).toEqual(['Ana replying']);
    await clock.pass(1);
    expect(names()).toEqual(['Ana viewing']);
    await clock.pass(VIEWING_LASTS_MS - REPLYING_LASTS_MS - 1);
    expect(names()).toEqual(['Ana viewing']);
    await clock.pass(1);
    expect(names()).toEqual([]);
  });

  test('a replying colleague comes first; one who leaves disappears at once', () => {
    const { colleagues, ana, names } = setUp();
    ana('viewing');
    colleagues.receive({ staffId: 'z', name: 'Zoe', doing: 'replying' });
    expect(names()).toEqual(['Zoe replying', 'Ana viewing']);
    ana('left');
    expect(names()).toEqual(['Zoe replying']);
  });

  test('the list changes only when a colleague does', async () => {
    const { clock, colleagues, ana } = setUp();
    let changes = 0;
    colleagues.subscribe(() => {
      changes += 1;
    });
    for (let n = 0; n < 5; n += 1) {
      ana('viewing');
      await clock.pass(ATTEND_EVERY_MS);
    }
    expect(changes).toBe(1);
  });
});
